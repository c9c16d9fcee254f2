"""The seed of a cell to its separate seeds, and the outcome of a training as plain values."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from runner.model.recipe import TrainSpec

__all__ = ["Seeds", "TrainResult", "TrainSpec"]  # the settings live where presets can name them


@dataclass(frozen=True, slots=True)
class Seeds:
    """Three seeds: of the first weights, of the order of rows, of dropout."""

    init: int
    data: int
    dropout: int

    @classmethod
    def of(cls, seed: int) -> Seeds:
        """Derive all three from the seed of a cell; different seeds and uses share nothing."""
        return cls(*(_derived(seed, use) for use in ("init", "data", "dropout")))

    def step(self, step: int) -> int:
        """The seed of dropout at one step, so that a resumed training draws what it would have drawn."""
        return _derived(self.dropout, str(step))

    def masks(self, step: int) -> int:
        """The seed of the masks of one step."""
        return _derived(self.data, f"masks {step}")

    @staticmethod
    def of_process(seed: int, rank: int) -> int:
        """The seed of one of several processes; the first has that of a process alone."""
        return _derived(seed, f"process {rank}") if rank else seed


def _derived(seed: int, use: str) -> int:
    digest = hashlib.sha256(f"{use} {seed}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1  # 63 bits: what torch takes


@dataclass(frozen=True, slots=True)
class TrainResult:
    """What a finished training says of itself; equal for equal inputs on one machine, however often interrupted."""

    steps: int
    epochs: float
    tokens: int  # predicted in all
    parameters: int
    best_step: int
    valid_perplexity: float  # of the model that was kept
    valid_tokens: int
    train_loss: float  # mean over the tokens since the last event, nats
