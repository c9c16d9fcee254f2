"""Benchmark of the first page of matches in the explorer."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.cases import Case
from benchmarks.explorer import Moment, explorer
from benchmarks.processes import run_fictc
from benchmarks.tables import Cell, table
from benchmarks.typed import TYPED
from runner.explore.queries.settings import library

HEADS = ("query", "matches", "first page, wall s", "CPU s", "sentences searched", "all counted, wall s", "CPU s")
Query = Mapping[str, object]  # the part of a request that says what to search


@dataclass(frozen=True, slots=True)
class Row:
    """The medians of a query: when its first page was complete, and when its matches were counted."""

    name: str
    first: Moment
    last: Moment


def queries(cases: Sequence[Case]) -> dict[str, Query]:
    """Return filters as files that the page opens, then the queries of `benchmarks.typed`."""
    indices = {path.resolve(): index for index, path in enumerate(library())}
    files = {case.name: case.compiled.path for case in cases}
    opened = {
        name: {"text": path.read_text(encoding="utf-8"), "base": indices.get(path.resolve())}
        for name, path in files.items()
        if path is not None
    }
    return {**opened, **{name: {"text": text} for name, text in TYPED.items()}}


def measure(asked: Mapping[str, Query], store: Path, runs: int) -> str:
    """Return a table of the medians of each query. The store is verified first.

    A round before the others, which is not counted, warms the processes. Later rounds add a comment to each query, so
    that it is compiled anew.
    """
    run_fictc("store", "verify", store)
    moments: dict[str, list[tuple[Moment, Moment]]] = {name: [] for name in asked}
    with explorer(store) as running:
        for turn in range(runs + 1):
            for name, query in asked.items():
                both = running.search({**query, "text": f"{query['text']}\n# {turn}"})
                moments[name] += [both] if turn else []
                print(f"{turn} {name}: {both[0].wall:.2f}, {both[0].cpu:.2f} CPU", file=sys.stderr, flush=True)
    return render([Row(name, *map(_median, zip(*pairs, strict=True))) for name, pairs in moments.items()])


def render(rows: Sequence[Row]) -> str:
    """Return a table with a row per query, and the row whose first page is the slowest once more."""
    slowest = max(rows, key=lambda row: row.first.wall)
    named = [(row.name, row) for row in rows] + [(f"slowest: {slowest.name}", slowest)]
    return table(HEADS, [[name, *_cells(row)] for name, row in named])


def _cells(row: Row) -> Iterator[Cell]:
    yield row.last.matches
    yield from (row.first.wall, row.first.cpu, row.first.searched)
    yield from (row.last.wall, row.last.cpu)


def _median(moments: Sequence[Moment]) -> Moment:
    wall, cpu = (statistics.median(getattr(moment, name) for moment in moments) for name in ("wall", "cpu"))
    return Moment(wall, cpu, moments[0].matches, moments[0].searched)
