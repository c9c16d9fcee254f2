"""The seeds, files, hooks, schedule and result of a training run."""

from __future__ import annotations

import hashlib
import math
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from runner.errors import InputError
from runner.model.training import TrainSpec
from runner.workspace import link_or_copy

if TYPE_CHECKING:
    from runner.model.token_rows import Ints

MODEL, CHECKPOINTS, RESULT, LOG = "model", "checkpoints", "training.json", "train.jsonl"
CHECKPOINT, BEST = "checkpoint.safetensors", "best.safetensors"  # of unfinished training


@dataclass(frozen=True, slots=True)
class Seeds:
    init: int
    data: int
    dropout: int

    @classmethod
    def of(cls, seed: int) -> Seeds:
        return cls(*(_derived(seed, purpose) for purpose in ("init", "data", "dropout")))

    def step(self, step: int) -> int:
        """Return the seed of dropout at a step, so that a resumed run draws the same numbers."""
        return _derived(self.dropout, str(step))

    def masks(self, step: int) -> int:
        return _derived(self.data, f"masks {step}")

    @staticmethod
    def of_process(seed: int, rank: int) -> int:
        """Return the seed of a process; rank 0 has the same seed as a single process."""
        return _derived(seed, f"process {rank}") if rank else seed


def _derived(seed: int, purpose: str) -> int:
    digest = hashlib.sha256(f"{purpose} {seed}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1  # 63 bits, the limit of torch


@dataclass(frozen=True, slots=True)
class TrainResult:
    """The result of a training run. On one machine, equal inputs give equal results, even after interruptions."""

    steps: int
    epochs: float
    tokens: int  # read in all steps; a masked model predicts only some of them
    parameters: int
    best_step: int
    valid_perplexity: float  # of the published model
    valid_tokens: int
    train_loss: float  # mean per predicted token in the last training event of the log, in nats
    device: str = "cpu"


Event: TypeAlias = Mapping[str, Any]
Listener: TypeAlias = Callable[[Event], None]


@dataclass(frozen=True)
class RunHooks:
    """Callbacks and run-time settings of a training run, which are not part of its specification.

    When `stop` returns true, the state is saved and KeyboardInterrupt is raised. `after_step` maps a step to a function
    of the run's folder, which is called once the state after that step is saved there.
    """

    on_event: Listener = lambda _: None
    threads: int = 1  # of the CPU
    checkpoint_seconds: float = 30.0  # after which the state is saved again
    stop: Callable[[], bool] = lambda: False
    after_step: Mapping[int, Callable[[Path], None]] = field(default_factory=dict)


def copy_state(work: Path, folder: Path) -> None:
    link_or_copy(work / CHECKPOINT, folder / CHECKPOINT)
    shutil.copyfile(work / LOG, folder / LOG)  # training appends to it
    copy_saved_models(work, folder)


def begin_from_state(state: Path, out: Path) -> None:
    if not (out / CHECKPOINT).is_file():
        shutil.copyfile(state / LOG, out / LOG)
        copy_saved_models(state, out)


def copy_saved_models(source: Path, target: Path) -> None:
    files = [source / BEST, *(source / CHECKPOINTS).rglob("*")]
    for file in (file for file in files if file.is_file()):
        link_or_copy(file, target / file.relative_to(source))


def total_steps(spec: TrainSpec, rows: int, predicted: int, step_tokens: Callable[[int], Ints]) -> int:
    """Return the number of steps, up to the first that reaches `spec.tokens` if set; 0 for 0 epochs."""
    epoch_steps = math.ceil(rows / spec.batch)
    if spec.epochs is not None:
        return max(1, math.ceil(spec.epochs * epoch_steps)) if spec.epochs else 0
    assert spec.tokens is not None
    # complete epochs before the last token, and tokens before it in its epoch
    epochs, tokens_in_epoch = divmod(spec.tokens - 1, predicted)
    steps_before = int(np.searchsorted(np.cumsum(step_tokens(epochs)), tokens_in_epoch, side="right"))
    return epochs * epoch_steps + steps_before + 1


def learning_rate(spec: TrainSpec, step: int, total: int) -> float:
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
    """Return numbers of tokens, ascending. Raises InputError (FICT807) if a listed one is never reached."""
    unreachable = [count for count in spec.checkpoints if count > tokens]
    if unreachable:
        raise InputError.of("FICT807", count=unreachable[0], tokens=tokens)
    return all_checkpoint_tokens(spec, tokens)


def all_checkpoint_tokens(spec: TrainSpec, tokens: float) -> tuple[int, ...]:
    """Return the listed numbers of tokens and the terms of the geometric sequence up to `tokens`, ascending."""
    counts, count = set(spec.checkpoints), float(spec.checkpoints_from or 0)
    while 0 < count <= tokens:
        counts.add(round(count))
        count *= spec.checkpoints_factor
    return tuple(sorted(counts))
