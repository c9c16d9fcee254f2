"""Intervals of a change in accuracy. Each module defines a `METHOD` and its `interval`."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from runner.score.inference import Difference, Floats


@dataclass(frozen=True, slots=True)
class Method:
    """A statistical method: its key in CSV and JSON, and its name, citation and description in the report."""

    key: str
    name: str
    citation: str
    description: str


@dataclass(frozen=True, slots=True)
class Sides:
    """Both sides of a change, `a` minus `b`: accuracies (0–1) by seed and, if the items are known, decisions.

    `decisions` has a pair of matrices without NaN for each paradigm, shape (seeds, items), whose rows follow the seeds
    of `a` and of `b`. `items` has the ascending indices of their columns among all items of each paradigm.
    `seeds_paired` states whether models with the same seed share the initialisation, the order of the data and the
    sample.
    """

    a: Mapping[int, float]
    b: Mapping[int, float]
    decisions: tuple[tuple[Floats, Floats], ...] = ()
    seeds_paired: bool = False
    confidence: float = 0.95
    items: tuple[NDArray[np.intp], ...] = ()

    @property
    def common_seeds(self) -> tuple[int, ...]:
        """The seeds that both sides have."""
        return tuple(seed for seed in self.a if seed in self.b)

    def of_seeds(self, a: Sequence[int], b: Sequence[int]) -> tuple[tuple[Floats, ...], tuple[Floats, ...]]:
        """Return the decisions of these seeds, by side and paradigm."""
        rows_a, rows_b = _rows(self.a, a), _rows(self.b, b)
        return tuple(first[rows_a] for first, _ in self.decisions), tuple(
            second[rows_b] for _, second in self.decisions
        )


def within_reach(difference: Difference) -> Difference:
    """Return a difference of accuracies whose interval does not leave −1 to 1."""
    if difference.low is None or difference.high is None:
        return difference
    return replace(difference, low=max(difference.low, -1.0), high=min(difference.high, 1.0))


def _rows(side: Mapping[int, float], seeds: Sequence[int]) -> list[int] | slice:
    """Return the row indices of seeds or, if they are all seeds in order, a slice, which avoids a copy."""
    if tuple(side) == tuple(seeds):
        return slice(None)
    return [list(side).index(seed) for seed in seeds]


Interval: TypeAlias = Callable[[Sides], Difference | None]


def _discover() -> Iterator[tuple[Method, Interval]]:
    for info in pkgutil.iter_modules(__path__):
        module = import_module(f"{__name__}.{info.name}")
        yield module.METHOD, module.interval


INTERVALS: tuple[tuple[Method, Interval], ...] = tuple(_discover())
METHODS: dict[str, Method] = {method.key: method for method, _ in INTERVALS}


def intervals(sides: Sides) -> dict[str, Difference]:
    """Return the change with the interval of each method that is defined for it, by the key of the method."""
    differences = ((method.key, interval(sides)) for method, interval in INTERVALS)
    return {key: difference for key, difference in differences if difference is not None}
