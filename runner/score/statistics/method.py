"""A statistical method as data, and what an interval of a change is computed from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runner.score.statistics.inference import Floats


@dataclass(frozen=True, slots=True)
class Method:
    """A method: its key in CSV and JSON, its name on the page, its source and what it does in a sentence."""

    key: str
    name: str
    citation: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Sides:
    """Both sides of a change, `a` minus `b`: accuracies (0–1) by seed, and decisions where the items are known.

    `items` holds a pair of matrices for each paradigm, shape (seeds, items), whose rows follow the seeds of `a` and of
    `b`. `together` says whether models of equal seed share initialisation, order and draw.
    """

    a: Mapping[int, float]
    b: Mapping[int, float]
    items: tuple[tuple[Floats, Floats], ...] = ()
    together: bool = False
    confidence: float = 0.95

    @property
    def common(self) -> tuple[int, ...]:
        """The seeds of both sides."""
        return tuple(seed for seed in self.a if seed in self.b)

    def of_seeds(self, a: Sequence[int], b: Sequence[int]) -> tuple[tuple[Floats, ...], tuple[Floats, ...]]:
        """Return the decisions of these seeds, by side and paradigm."""
        rows_a, rows_b = _rows(self.a, a), _rows(self.b, b)
        return tuple(first[rows_a] for first, _ in self.items), tuple(second[rows_b] for _, second in self.items)


def _rows(side: Mapping[int, float], seeds: Sequence[int]) -> list[int] | slice:
    """Return the rows of seeds; a slice, which copies nothing, if they are all of them in order."""
    if tuple(side) == tuple(seeds):
        return slice(None)
    return [list(side).index(seed) for seed in seeds]
