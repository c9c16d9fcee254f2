"""Settings and a step to a learning rate, and to the steps at which something happens."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.recipe import TrainSpec
from runner.model.rows import Ints


def total_steps(spec: TrainSpec, rows: int, predicted: int, read: Callable[[int], Ints]) -> int:
    """Steps of a whole training on `rows` rows that predict `predicted` tokens in an epoch.

    Where tokens are asked for, the last step is the first by which so many have been read; `read` says how many each
    step of an epoch reads, (steps,).
    """
    an_epoch = math.ceil(rows / spec.batch)
    if spec.tokens is None:
        return max(1, math.ceil((spec.epochs or 0) * an_epoch))
    epochs, before = divmod(spec.tokens - 1, predicted)  # tokens read before the last one
    return epochs * an_epoch + int(np.searchsorted(np.cumsum(read(epochs)), before, side="right")) + 1


def learning_rate(spec: TrainSpec, step: int, total: int) -> float:
    """The rate of step 0 … total − 1: linear warm-up from 0, then constant, or down to `final_fraction`."""
    warmup = round(spec.warmup * total) if spec.warmup < 1 else round(spec.warmup)
    if step < warmup:
        return spec.learning_rate * (step + 1) / warmup
    done = (step - warmup) / max(1, total - warmup)
    match spec.schedule:
        case "constant":
            share = 1.0
        case "linear":
            share = 1 - done
        case "cosine":
            share = (1 + math.cos(math.pi * done)) / 2
    return spec.learning_rate * (spec.final_fraction + (1 - spec.final_fraction) * share)


def validation_steps(spec: TrainSpec, total: int) -> frozenset[int]:
    """The numbers of finished steps after which the model is validated; the last step is always one."""
    return frozenset(max(1, round(total * k / spec.validations)) for k in range(1, spec.validations + 1))


def checkpoint_counts(spec: TrainSpec, tokens: int) -> tuple[int, ...]:
    """After how many tokens models are saved, in a training on `tokens` in all; evenly on a logarithmic axis if asked.

    InputError (FICT807) if one that is listed is never reached.
    """
    late = [count for count in spec.checkpoints if count > tokens]
    if late:
        raise InputError(diagnostic("FICT807", count=late[0], tokens=tokens))
    found, count = set(spec.checkpoints), float(spec.checkpoints_from)
    while 0 < count <= tokens:
        found.add(round(count))
        count *= spec.checkpoints_factor
    return tuple(sorted(found))
