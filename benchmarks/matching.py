"""Benchmark of filters: hand-written SQL, reading of the columns that a filter names, and fictc."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks import ours
from benchmarks.cases import Case
from benchmarks.data import Data
from benchmarks.measure import Measurement, measure_interleaved
from benchmarks.peers import sql
from benchmarks.tables import Cell, table, times

SentenceIds = npt.NDArray[np.int64] | None  # None for decoding, which returns no sentences
NAIVE, DECODED, RAW, BASE = "naive SQL", "decoding", "fictc on raw columns", "fictc"
PEERS: dict[str, Callable[[Case, Path, int], SentenceIds]] = {NAIVE: sql.naive, DECODED: sql.decode, RAW: sql.raw}


@dataclass(frozen=True, slots=True)
class Row:
    """The measurements of a filter.

    `same` is true if all methods that return sentences return the same ones. `hard` is true for phrases and dominance,
    for which naive SQL is slowest.
    """

    name: str
    hard: bool
    sentences: int
    same: bool
    measurements: Mapping[str, Measurement[SentenceIds]]


@dataclass(frozen=True, slots=True)
class Measurements:
    """The measurements of each filter, and of counting all filters at once with fictc."""

    rows: Sequence[Row]
    all_at_once: Mapping[str, Measurement[list[int]]]


def measure(
    cases: Sequence[Case], data: Data, millions: float, *, runs: int, threads: int, peers: Sequence[str] = tuple(PEERS)
) -> Measurements:
    """Measure every filter with fictc and the peers, in alternating rounds; then all filters at once with fictc."""
    flat = data.flat(millions)
    fictc = ours.ways(data.store(millions), threads)
    for way in fictc.values():
        way.find(cases[0])  # opens the store
    rows = []
    for case in cases:
        ways: dict[str, Callable[[], SentenceIds]] = {
            **{name: partial(PEERS[name], case, flat, threads) for name in peers},
            **{name: partial(way.find, case) for name, way in fictc.items()},
        }
        rows.append(_row(case, measure_interleaved(ways, runs, warm=False)))
        figures = ", ".join(f"{name} {measurement.cpu:.3f}" for name, measurement in rows[-1].measurements.items())
        print(f"{case.name}: {figures}, {'same' if rows[-1].same else 'DIFFERENT'}", file=sys.stderr, flush=True)
    all_at_once = measure_interleaved(
        {name: partial(way.count, cases) for name, way in fictc.items()}, runs, warm=False
    )
    if any(counts.result != [row.sentences for row in rows] for counts in all_at_once.values()):
        raise AssertionError("counting all filters at once gives other numbers of sentences")
    return Measurements(rows, all_at_once)


def _row(case: Case, measurements: Mapping[str, Measurement[SentenceIds]]) -> Row:
    results = [measurement.result for measurement in measurements.values() if measurement.result is not None]
    same = all(np.array_equal(results[0], result) for result in results[1:])
    hard = "RECURSIVE" in case.naive or "||" in case.naive
    return Row(case.name, hard, len(results[0]), same, measurements)


def render(measurements: Measurements) -> str:
    """Return a table of the CPU seconds of each method and their ratios to fictc's, with sums."""
    rows = measurements.rows
    names = list(rows[0].measurements)
    headings = ["filter", "sentences", *names, *_ratios(dict.fromkeys(names, 1.0)), "same sentences"]
    lines: list[list[Cell]] = []
    for row in rows:
        cpu = {name: row.measurements[name].cpu for name in names}
        lines.append([row.name, row.sentences, *cpu.values(), *_ratios(cpu).values(), "yes" if row.same else "**no**"])
    lines.append(_sum("all", rows))
    if len({row.hard for row in rows}) == 2:
        lines.append(_sum("without phrases and dominance", [row for row in rows if not row.hard]))
        lines.append(_sum("phrases and dominance alone", [row for row in rows if row.hard]))
    lines.append(_all_at_once_row(measurements))
    lines.append(_sum("all, wall time", rows, "wall"))
    return table(headings, lines)


def _all_at_once_row(measurements: Measurements) -> list[Cell]:
    """Return the row for all filters at once with fictc, compared with the sums of the other methods."""
    sums = {
        way: sum(row.measurements[way].cpu for row in measurements.rows) for way in measurements.rows[0].measurements
    }
    cpu_seconds = sums | {way: measured.cpu for way, measured in measurements.all_at_once.items()}
    seconds = [cpu_seconds[way] if way in measurements.all_at_once else None for way in cpu_seconds]
    ratios = _ratios({way: cpu_seconds[way] for way in cpu_seconds if way != RAW})
    ratio_cells = [ratios.get(heading, "") for heading in _ratios(cpu_seconds)]
    return ["all in one go", None, *seconds, *ratio_cells, ""]


def _sum(name: str, rows: Sequence[Row], attribute: str = "cpu") -> list[Cell]:
    total = {way: sum(float(getattr(row.measurements[way], attribute)) for row in rows) for way in rows[0].measurements}
    return [name, None, *total.values(), *_ratios(total).values(), ""]


def _ratios(seconds: Mapping[str, float]) -> dict[str, str]:
    """Return the ratios of naive SQL to each method of fictc, and of fictc to decoding."""
    ratios = {}
    if NAIVE in seconds:
        fictc = [name for name in seconds if name not in (NAIVE, DECODED)]
        ratios = {f"{NAIVE} / {name}": times(seconds[NAIVE] / seconds[name]) for name in fictc}
    if DECODED in seconds:
        ratios[f"{BASE} / {DECODED}"] = times(seconds[BASE] / seconds[DECODED])
    return ratios
