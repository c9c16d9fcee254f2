"""Median CPU and wall times of several methods for the same task, measured in alternating rounds."""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Measurement(Generic[T]):
    """The result of a method, and the medians of its CPU and wall seconds."""

    result: T
    cpu: float
    wall: float


def cpu_seconds() -> float:
    """Return the CPU seconds of this process, all its threads, and the child processes that it has waited for."""
    usages = [resource.getrusage(target) for target in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def measure_interleaved(
    ways: Mapping[str, Callable[[], T]],
    runs: int,
    *,
    warm: bool = True,
    on_done: Callable[[str], None] = lambda _: None,
) -> dict[str, Measurement[T]]:
    """Run each method `runs` times, in alternating rounds, and return its measurement.

    With `warm`, an additional first round is not counted. `on_done` receives the name of a method after each run.
    """
    results: dict[str, T] = {}
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for round_index in range(-int(warm), runs):
        for name, way in ways.items():
            cpu_start, wall_start = cpu_seconds(), time.perf_counter()
            results[name] = way()
            if round_index >= 0:
                seconds[name].append((cpu_seconds() - cpu_start, time.perf_counter() - wall_start))
            on_done(name)
    medians = {
        name: [statistics.median(values) for values in zip(*pairs, strict=True)] for name, pairs in seconds.items()
    }
    return {name: Measurement(results[name], *medians[name]) for name in ways}
