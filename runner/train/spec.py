"""The seeds and the result of a training run."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seeds:
    """Seeds of the initial weights, of the order of rows, and of dropout."""

    init: int
    data: int
    dropout: int

    @classmethod
    def of(cls, seed: int) -> Seeds:
        """Derive all three from the seed of a cell, independently of each other."""
        return cls(*(_derived(seed, purpose) for purpose in ("init", "data", "dropout")))

    def step(self, step: int) -> int:
        """Return the seed of dropout at a step, so that a resumed run draws the same numbers."""
        return _derived(self.dropout, str(step))

    def masks(self, step: int) -> int:
        """Return the seed of the masks of a step."""
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
