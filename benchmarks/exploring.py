"""Benchmark of the first page of matches in the explorer."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.cases import Case
from benchmarks.explorer import Progress, explorer
from benchmarks.processes import run_fictc
from benchmarks.tables import Cell, table
from benchmarks.typed import TYPED
from fictdsl.installation import filter_library

HEADINGS = ("query", "matches", "first page, wall s", "CPU s", "sentences searched", "all counted, wall s", "CPU s")
Query = Mapping[str, object]  # the keys of a request that define the search


@dataclass(frozen=True, slots=True)
class Row:
    """The medians of a query at two moments: when its first page is complete, and when all its matches are counted."""

    name: str
    first: Progress
    last: Progress


def queries(cases: Sequence[Case]) -> dict[str, Query]:
    """Return queries by name: filters, as files that the page opens, then the queries of `benchmarks.typed`."""
    indices = {path.resolve(): index for index, path in enumerate(filter_library())}
    files = {case.name: case.compiled.path for case in cases}
    opened_files = {
        name: {"text": path.read_text(encoding="utf-8"), "base": indices.get(path.resolve())}
        for name, path in files.items()
        if path is not None
    }
    return {**opened_files, **{name: {"text": text} for name, text in TYPED.items()}}


def measure(queries: Mapping[str, Query], store: Path, runs: int) -> str:
    """Return a table of the medians of each query. The store is verified first.

    A first round, which is not counted, warms the processes. Each round adds another comment to each query, which
    forces a new compilation.
    """
    run_fictc("store", "verify", store)
    progress: dict[str, list[tuple[Progress, Progress]]] = {name: [] for name in queries}
    with explorer(store) as running_explorer:
        for round_index in range(runs + 1):
            for name, query in queries.items():
                first_and_last = running_explorer.search({**query, "text": f"{query['text']}\n# {round_index}"})
                progress[name] += [first_and_last] if round_index else []
                first = first_and_last[0]
                print(f"{round_index} {name}: {first.wall:.2f}, {first.cpu:.2f} CPU", file=sys.stderr, flush=True)
    return render([Row(name, *map(_median, zip(*pairs, strict=True))) for name, pairs in progress.items()])


def render(rows: Sequence[Row]) -> str:
    """Return a table with a row per query. The query with the slowest first page is repeated in the last row."""
    slowest = max(rows, key=lambda row: row.first.wall)
    labelled_rows = [(row.name, row) for row in rows] + [(f"slowest: {slowest.name}", slowest)]
    return table(HEADINGS, [[name, *_cells(row)] for name, row in labelled_rows])


def _cells(row: Row) -> Iterator[Cell]:
    yield row.last.matches
    yield from (row.first.wall, row.first.cpu, row.first.searched)
    yield from (row.last.wall, row.last.cpu)


def _median(progress: Sequence[Progress]) -> Progress:
    wall, cpu = (statistics.median(getattr(each, name) for each in progress) for name in ("wall", "cpu"))
    return Progress(wall, cpu, progress[0].matches, progress[0].searched)
