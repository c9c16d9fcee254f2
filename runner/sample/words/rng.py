"""Reproducible random choices, the same in every process and Python version."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate
from typing import Generic, TypeVar

T = TypeVar("T")


class Weighted(Generic[T]):
    """Entries to choose from, with probabilities proportional to their weights."""

    __slots__ = ("cumulative_probabilities", "entries")

    def __init__(self, *entries: tuple[T, float]) -> None:
        self.entries = [entry for entry, _ in entries]
        total = sum(weight for _, weight in entries)
        self.cumulative_probabilities = [
            cumulative / total for cumulative in accumulate(weight for _, weight in entries)
        ]


class Rng:
    """A random number generator that uses only `Random.random`, whose values are stable across Python versions.

    `name` distinguishes generators with the same seed.
    """

    __slots__ = ("random",)

    def __init__(self, seed: int, name: str) -> None:
        self.random = random.Random(f"fictc sample/{seed}/{name}").random  # Python hashes string seeds with SHA-512

    def chance(self, probability: float) -> bool:
        """Return True with the given probability."""
        return self.random() < probability

    def choice(self, entries: Sequence[T]) -> T:
        """Return a random entry. All entries have the same probability."""
        return entries[int(self.random() * len(entries))]

    def weighted_choice(self, weighted: Weighted[T]) -> T:
        """Return a random entry, with probabilities proportional to the weights."""
        value = self.random()
        for entry, cumulative_probability in zip(weighted.entries, weighted.cumulative_probabilities, strict=True):
            if value < cumulative_probability:
                return entry
        return weighted.entries[-1]

    def shuffle(self, entries: list[T]) -> None:
        """Shuffle a list in place."""
        for index in range(len(entries) - 1, 0, -1):
            swap_index = int(self.random() * (index + 1))
            entries[index], entries[swap_index] = entries[swap_index], entries[index]
