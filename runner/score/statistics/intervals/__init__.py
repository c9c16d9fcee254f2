"""Intervals of a change in accuracy. Each module defines a `METHOD` and its `interval`, which add columns to tables."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TypeAlias

from runner.score.statistics.inference import Difference
from runner.score.statistics.method import Method, Sides

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
