"""Median CPU and wall times of several ways to do the same thing, measured in alternating rounds."""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Measured(Generic[T]):
    """The result of a way, and the medians of its CPU and wall seconds."""

    result: T
    cpu: float
    wall: float


def cpu() -> float:
    """Return the CPU seconds of this process, all its threads, and the child processes that it has waited for."""
    ours, theirs = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return ours.ru_utime + ours.ru_stime + theirs.ru_utime + theirs.ru_stime


def interleaved(
    ways: Mapping[str, Callable[[], T]],
    runs: int,
    *,
    warm: bool = True,
    on_done: Callable[[str], None] = lambda _: None,
) -> dict[str, Measured[T]]:
    """Run each way `runs` times, in rounds; with `warm`, one round before them is not counted."""
    results: dict[str, T] = {}
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for turn in range(-int(warm), runs):
        for name, way in ways.items():
            begin, wall = cpu(), time.perf_counter()
            results[name] = way()
            if turn >= 0:
                spent[name].append((cpu() - begin, time.perf_counter() - wall))
            on_done(name)
    medians = {
        name: [statistics.median(times) for times in zip(*seconds, strict=True)] for name, seconds in spent.items()
    }
    return {name: Measured(results[name], *medians[name]) for name in ways}
