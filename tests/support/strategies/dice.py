"""One source of choices for every strategy: drawn by Hypothesis, which can shrink them, or rolled, which is fast."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class Dice:
    """Choices made of one kind of roll: a number below another. Lower numbers mean simpler things."""

    def __init__(self, below: Callable[[int], int]) -> None:
        self.below = below

    @classmethod
    def drawn(cls, draw: st.DrawFn) -> Dice:
        """Choices that Hypothesis makes and shrinks."""
        return cls(lambda limit: draw(st.integers(0, limit - 1)) if limit > 1 else 0)

    @classmethod
    def rolled(cls, seed: int) -> Dice:
        """Choices of a random generator: a hundred times as fast, and the same for the same seed."""
        return cls(Random(seed).randrange)

    def pick(self, choices: Sequence[T]) -> T:
        """One of the choices."""
        return choices[self.below(len(choices))]

    def flag(self) -> bool:
        """False or true, as often."""
        return self.below(2) == 1

    def often(self, percent: int) -> bool:
        """True in that many cases of a hundred."""
        return self.below(100) >= 100 - percent

    def between(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return low + self.below(high - low + 1)

    def several(self, choices: Sequence[T], low: int, high: int) -> list[T]:
        """From `low` to `high` of the choices, perhaps with repetitions."""
        return [self.pick(choices) for _ in range(self.between(low, high))]

    def different(self, choices: Sequence[T], low: int, high: int) -> list[T]:
        """From `low` to `high` of the choices, none twice."""
        return self.shuffled(choices, self.between(low, min(high, len(choices))))

    def shuffled(self, choices: Sequence[T], size: int | None = None) -> list[T]:
        """All choices in any order, or the first `size` of them."""
        left, found = list(choices), []
        for _ in range(len(left) if size is None else size):
            found.append(left.pop(self.below(len(left))))
        return found


def strategy(make: Callable[[Dice], T]) -> st.SearchStrategy[T]:
    """The Hypothesis strategy of whatever is made with dice."""

    @st.composite
    def drawn(draw: st.DrawFn) -> T:
        return make(Dice.drawn(draw))

    return drawn()
