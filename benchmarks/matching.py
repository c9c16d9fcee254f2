"""Filters on a corpus: hand-written SQL, the pure decoding of the columns that are named, and fictc."""

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
    """A filter, what each way took, and whether all ways that find sentences found the same.

    `hard` says that it asks for phrases or dominance, on which naive SQL is slowest.
    """

    name: str
    hard: bool
    sentences: int
    same: bool
    spent: Mapping[str, Measured[Found]]


@dataclass(frozen=True, slots=True)
class Measures:
    """Each filter by itself, and what fictc took to count them all in one go."""

    rows: Sequence[Row]
    together: Mapping[str, Measured[list[int]]]


def measure(
    cases: Sequence[Case], data: Data, millions: float, *, runs: int, threads: int, peers: Sequence[str] = tuple(PEERS)
) -> Measures:
    """Every filter by fictc and these peers, in turns; then all filters at once by fictc."""
    flat = data.flat(millions)
    own = ours.ways(data.store(millions), threads)
    for way in own.values():
        way.find(cases[0])  # the store is open from here on
    rows = []
    for case in cases:
        ways: dict[str, Callable[[], Found]] = {
            **{name: partial(PEERS[name], case, flat, threads) for name in peers},
            **{name: partial(way.find, case) for name, way in own.items()},
        }
        rows.append(_row(case, interleaved(ways, runs, warm=False)))
        told = ", ".join(f"{name} {spent.cpu:.3f}" for name, spent in rows[-1].spent.items())
        print(f"{case.name}: {told}, {'same' if rows[-1].same else 'DIFFERENT'}", file=sys.stderr, flush=True)
    together = interleaved({name: partial(way.count, cases) for name, way in own.items()}, runs, warm=False)
    if any(counts.result != [row.sentences for row in rows] for counts in together.values()):
        raise AssertionError("filters counted in one go find other numbers of sentences")
    return Measures(rows, together)


def _row(case: Case, spent: Mapping[str, Measured[Found]]) -> Row:
    found = [one.result for one in spent.values() if one.result is not None]
    same = all(np.array_equal(found[0], other) for other in found[1:])
    hard = "RECURSIVE" in case.naive or "||" in case.naive
    return Row(case.name, hard, len(found[0]), same, spent)


def render(measures: Measures) -> str:
    """CPU seconds of each way and how many times fictc's fit into the others'; below them the sums."""
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
    """What fictc takes for all filters in one go, beside the sums of the others."""
    sums = {way: sum(row.spent[way].cpu for row in measures.rows) for way in measures.rows[0].spent}
    spent = sums | {way: one.cpu for way, one in measures.together.items()}
    shown = [spent[way] if way in measures.together else None for way in spent]
    ratios = _ratios({way: spent[way] for way in spent if way != RAW})
    found = [ratios.get(head, "") for head in _ratios(spent)]
    return ["all in one go", None, *shown, *found, ""]


def _sum(name: str, rows: Sequence[Row], what: str = "cpu") -> list[Cell]:
    total = {way: sum(float(getattr(row.spent[way], what)) for row in rows) for way in rows[0].spent}
    return [name, None, *total.values(), *_ratios(total).values(), ""]


def _ratios(spent: Mapping[str, float]) -> dict[str, str]:
    """How many times each of fictc's ways fits into naive SQL, and decoding into what fictc takes."""
    found = {}
    if NAIVE in spent:
        own = [name for name in spent if name not in (NAIVE, DECODED)]
        found = {f"{NAIVE} / {name}": times(spent[NAIVE] / spent[name]) for name in own}
    if DECODED in spent:
        found[f"{BASE} / {DECODED}"] = times(spent[BASE] / spent[DECODED])
    return found
