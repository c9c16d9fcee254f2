"""Reproducible random choices, the same in every process and Python version."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate
from typing import Generic, TypeVar

T = TypeVar("T")


class Weighted(Generic[T]):
    """Entries to choose from, with weights."""

    __slots__ = ("entries", "limits")

    def __init__(self, *entries: tuple[T, float]) -> None:
        self.entries = [entry for entry, _ in entries]
        total = sum(weight for _, weight in entries)
        self.limits = [limit / total for limit in accumulate(weight for _, weight in entries)]


class Rng:
    """A random number generator that uses only `Random.random`, whose values are stable across Python versions."""

    __slots__ = ("random",)

    def __init__(self, seed: int, name: str) -> None:
        self.random = random.Random(f"fictc sample/{seed}/{name}").random  # Python hashes string seeds with SHA-512

    def chance(self, share: float) -> bool:
        """Return True with probability `share`."""
        return self.random() < share

    def choice(self, entries: Sequence[T]) -> T:
        """Return an entry, each with the same probability."""
        return entries[int(self.random() * len(entries))]

    def weighted_choice(self, weighted: Weighted[T]) -> T:
        """Return an entry with a probability proportional to its weight."""
        value = self.random()
        for entry, limit in zip(weighted.entries, weighted.limits, strict=True):
            if value < limit:
                return entry
        return weighted.entries[-1]

    def shuffle(self, entries: list[T]) -> None:
        """Shuffle a list in place."""
        for index in range(len(entries) - 1, 0, -1):
            other = int(self.random() * (index + 1))
            entries[index], entries[other] = entries[other], entries[index]
