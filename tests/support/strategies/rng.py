"""Random choices for every strategy: drawn by Hypothesis, which can shrink them, or by a fast generator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class Rng:
    """Random choices based on one operation, a number below another. Lower numbers mean simpler results."""

    def __init__(self, below: Callable[[int], int]) -> None:
        self.below = below

    @classmethod
    def drawn(cls, draw: st.DrawFn) -> Rng:
        """Return choices that Hypothesis draws and shrinks."""
        return cls(lambda limit: draw(st.integers(0, limit - 1)) if limit > 1 else 0)

    @classmethod
    def seeded(cls, seed: int) -> Rng:
        """Return choices of a seeded generator, which is a hundred times as fast."""
        return cls(Random(seed).randrange)

    def pick(self, choices: Sequence[T]) -> T:
        """Return one of the choices."""
        return choices[self.below(len(choices))]

    def flag(self) -> bool:
        """Return false or true with equal probability."""
        return self.below(2) == 1

    def often(self, percent: int) -> bool:
        """Return true with this probability in per cent."""
        return self.below(100) >= 100 - percent

    def between(self, low: int, high: int) -> int:
        """Return a whole number in a closed interval."""
        return low + self.below(high - low + 1)

    def several(self, choices: Sequence[T], low: int, high: int) -> list[T]:
        """Return from `low` to `high` of the choices, with repetitions."""
        return [self.pick(choices) for _ in range(self.between(low, high))]

    def different(self, choices: Sequence[T], low: int, high: int) -> list[T]:
        """Return from `low` to `high` of the choices, without repetitions."""
        return self.shuffled(choices, self.between(low, min(high, len(choices))))

    def shuffled(self, choices: Sequence[T], size: int | None = None) -> list[T]:
        """Return all choices in random order, or the first `size` of them."""
        remaining, picked = list(choices), []
        for _ in range(len(remaining) if size is None else size):
            picked.append(remaining.pop(self.below(len(remaining))))
        return picked


def strategy(make: Callable[[Rng], T]) -> st.SearchStrategy[T]:
    """Return the Hypothesis strategy of a function of random choices."""

    @st.composite
    def drawn(draw: st.DrawFn) -> T:
        return make(Rng.drawn(draw))

    return drawn()
