"""The number of steps of a training run, its learning rates, and when it validates and saves models."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.rows import Ints
from runner.model.training import TrainSpec


def total_steps(spec: TrainSpec, rows: int, predicted: int, step_tokens: Callable[[int], Ints]) -> int:
    """Return the number of steps of a training run on `rows` rows, which predict `predicted` tokens per epoch.

    A run of 0 epochs has 0 steps. If `spec.tokens` is set, training ends with the first step that reaches it;
    `step_tokens` returns the number of tokens of each step of an epoch, (steps,).
    """
    epoch_steps = math.ceil(rows / spec.batch)
    if spec.epochs is not None:
        return max(1, math.ceil(spec.epochs * epoch_steps)) if spec.epochs else 0
    assert spec.tokens is not None
    # complete epochs before the last token, and tokens before it in its epoch
    epochs, tokens_in_epoch = divmod(spec.tokens - 1, predicted)
    return (
        epochs * epoch_steps + int(np.searchsorted(np.cumsum(step_tokens(epochs)), tokens_in_epoch, side="right")) + 1
    )


def learning_rate(spec: TrainSpec, step: int, total: int) -> float:
    """Return the learning rate of a step (from 0 to `total` − 1): a linear warm-up, then `spec.schedule`.

    The linear and cosine schedules decay to `final_fraction` of the peak rate.
    """
    warmup = round(spec.warmup * total) if spec.warmup < 1 else round(spec.warmup)
    if step < warmup:
        return spec.learning_rate * (step + 1) / warmup
    progress = (step - warmup) / max(1, total - warmup)
    match spec.schedule:
        case "constant":
            factor = 1.0
        case "linear":
            factor = 1 - progress
        case "cosine":
            factor = (1 + math.cos(math.pi * progress)) / 2
    return spec.learning_rate * (spec.final_fraction + (1 - spec.final_fraction) * factor)


def validation_steps(spec: TrainSpec, total: int) -> frozenset[int]:
    """Return the steps after which the model is validated, the last step included, or {0} for a run without steps."""
    if spec.validations >= total:
        return frozenset(range(min(1, total), total + 1))
    steps = (max(1, round(total * k / spec.validations)) for k in range(1, spec.validations + 1))
    return frozenset(min(total, step) for step in steps)


def checkpoint_tokens(spec: TrainSpec, tokens: int) -> tuple[int, ...]:
    """Return the numbers of tokens after which models are saved, in a training run on `tokens` tokens.

    Raises InputError (FICT807) if a listed number is never reached.
    """
    unreachable = [count for count in spec.checkpoints if count > tokens]
    if unreachable:
        raise InputError(diagnostic("FICT807", count=unreachable[0], tokens=tokens))
    return all_checkpoint_tokens(spec, tokens)


def all_checkpoint_tokens(spec: TrainSpec, tokens: float) -> tuple[int, ...]:
    """Return the listed numbers of tokens and the terms of the geometric sequence up to `tokens`, ascending."""
    counts, count = set(spec.checkpoints), float(spec.checkpoints_from or 0)
    while 0 < count <= tokens:
        counts.add(round(count))
        count *= spec.checkpoints_factor
    return tuple(sorted(counts))
