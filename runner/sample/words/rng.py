"""Turns a seed and a name into a stream of choices that is the same in every process and Python version."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate
from typing import Generic, TypeVar

T = TypeVar("T")


class Table(Generic[T]):
    """Things to choose from, each with a weight."""

    __slots__ = ("entries", "limits")

    def __init__(self, *entries: tuple[T, float]) -> None:
        self.entries = [entry for entry, _ in entries]
        total = sum(weight for _, weight in entries)
        self.limits = [limit / total for limit in accumulate(weight for _, weight in entries)]


class Dice:
    """A stream of choices; uses only `Random.random`, whose values Python promises never to change."""

    __slots__ = ("roll",)

    def __init__(self, seed: int, name: str) -> None:
        self.roll = random.Random(f"fictc sample/{seed}/{name}").random  # text seeds go through SHA-512

    def chance(self, share: float) -> bool:
        """True in that share of the calls."""
        return self.roll() < share

    def pick(self, things: Sequence[T]) -> T:
        """One of the things, all alike."""
        return things[int(self.roll() * len(things))]

    def draw(self, table: Table[T]) -> T:
        """One of the things, by weight."""
        value = self.roll()
        for entry, limit in zip(table.entries, table.limits, strict=True):
            if value < limit:
                return entry
        return table.entries[-1]

    def shuffle(self, things: list[T]) -> None:
        """Put the things in a random order, in place."""
        for last in range(len(things) - 1, 0, -1):
            other = int(self.roll() * (last + 1))
            things[last], things[other] = things[other], things[last]
