"""Benchmark of filters: hand-written SQL, decoding of the columns that a filter names, and fictc."""

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
from benchmarks.measure import Measured, interleaved
from benchmarks.peers import sql
from benchmarks.tables import Cell, table, times

Found = npt.NDArray[np.int64] | None
NAIVE, DECODED, RAW, BASE = "naive SQL", "decoding", "fictc on raw columns", "fictc"
PEERS: dict[str, Callable[[Case, Path, int], Found]] = {NAIVE: sql.naive, DECODED: sql.decode, RAW: sql.raw}


@dataclass(frozen=True, slots=True)
class Row:
    """The measurements of a filter.

    `same` is true if all ways that return sentences return the same. `hard` is true for phrases and dominance, on which
    naive SQL is slowest.
    """

    name: str
    hard: bool
    sentences: int
    same: bool
    spent: Mapping[str, Measured[Found]]


@dataclass(frozen=True, slots=True)
class Measures:
    """The measurements of each filter, and of counting all filters at once with fictc."""

    rows: Sequence[Row]
    together: Mapping[str, Measured[list[int]]]


def measure(
    cases: Sequence[Case], data: Data, millions: float, *, runs: int, threads: int, peers: Sequence[str] = tuple(PEERS)
) -> Measures:
    """Measure every filter with fictc and the peers, in turns; then all filters at once with fictc."""
    flat = data.flat(millions)
    fictc = ours.ways(data.store(millions), threads)
    for way in fictc.values():
        way.find(cases[0])  # opens the store
    rows = []
    for case in cases:
        ways: dict[str, Callable[[], Found]] = {
            **{name: partial(PEERS[name], case, flat, threads) for name in peers},
            **{name: partial(way.find, case) for name, way in fictc.items()},
        }
        rows.append(_row(case, interleaved(ways, runs, warm=False)))
        figures = ", ".join(f"{name} {spent.cpu:.3f}" for name, spent in rows[-1].spent.items())
        print(f"{case.name}: {figures}, {'same' if rows[-1].same else 'DIFFERENT'}", file=sys.stderr, flush=True)
    together = interleaved({name: partial(way.count, cases) for name, way in fictc.items()}, runs, warm=False)
    if any(counts.result != [row.sentences for row in rows] for counts in together.values()):
        raise AssertionError("counting all filters at once gives other numbers of sentences")
    return Measures(rows, together)


def _row(case: Case, spent: Mapping[str, Measured[Found]]) -> Row:
    results = [way.result for way in spent.values() if way.result is not None]
    same = all(np.array_equal(results[0], other) for other in results[1:])
    hard = "RECURSIVE" in case.naive or "||" in case.naive
    return Row(case.name, hard, len(results[0]), same, spent)


def render(measures: Measures) -> str:
    """Return a table of the CPU seconds of each way and their ratios to fictc's, with sums."""
    rows = measures.rows
    names = list(rows[0].spent)
    heads = ["filter", "sentences", *names, *_ratios(dict.fromkeys(names, 1.0)), "same sentences"]
    lines: list[list[Cell]] = []
    for row in rows:
        cpu = {name: row.spent[name].cpu for name in names}
        lines.append([row.name, row.sentences, *cpu.values(), *_ratios(cpu).values(), "yes" if row.same else "**no**"])
    lines.append(_sum("all", rows))
    if any(row.hard for row in rows):
        lines.append(_sum("without phrases and dominance", [row for row in rows if not row.hard]))
        lines.append(_sum("phrases and dominance alone", [row for row in rows if row.hard]))
    lines.append(_together(measures))
    lines.append(_sum("all, wall time", rows, "wall"))
    return table(heads, lines)


def _together(measures: Measures) -> list[Cell]:
    """Return the row for all filters at once with fictc, compared with the sums of the other ways."""
    sums = {way: sum(row.spent[way].cpu for row in measures.rows) for way in measures.rows[0].spent}
    spent = sums | {way: measured.cpu for way, measured in measures.together.items()}
    seconds = [spent[way] if way in measures.together else None for way in spent]
    ratios = _ratios({way: spent[way] for way in spent if way != RAW})
    columns = [ratios.get(head, "") for head in _ratios(spent)]
    return ["all in one go", None, *seconds, *columns, ""]


def _sum(name: str, rows: Sequence[Row], attribute: str = "cpu") -> list[Cell]:
    total = {way: sum(float(getattr(row.spent[way], attribute)) for row in rows) for way in rows[0].spent}
    return [name, None, *total.values(), *_ratios(total).values(), ""]


def _ratios(spent: Mapping[str, float]) -> dict[str, str]:
    """Return the ratios of naive SQL to each way of fictc, and of fictc to decoding."""
    ratios = {}
    if NAIVE in spent:
        fictc = [name for name in spent if name not in (NAIVE, DECODED)]
        ratios = {f"{NAIVE} / {name}": times(spent[NAIVE] / spent[name]) for name in fictc}
    if DECODED in spent:
        ratios[f"{BASE} / {DECODED}"] = times(spent[BASE] / spent[DECODED])
    return ratios
