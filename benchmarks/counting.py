"""Benchmark of the latency and memory of `fictc count` with one filter in a new process."""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Sequence
from pathlib import Path

from benchmarks.cases import Case
from benchmarks.processes import Process, median, spent
from benchmarks.tables import Cell, table
from fictdsl.cache import cache_folder


def measure(cases: Sequence[Case], store: Path, runs: int, options: Sequence[str] = ()) -> str:
    """Return a table with a row per filter and the median. The store is verified first, so its files are cached.

    The last column is without the cached statement, as the first time that a filter is counted in a store.
    """
    spent("store", "verify", store)
    rows: list[list[Cell]] = []
    for case in cases:
        command = ("count", case.compiled.path, "--corpus", store, *options)
        first = median([_spent_first(*command) for _ in range(runs)])
        process = median([spent(*command) for _ in range(runs)])
        rows.append([case.name, process.wall, process.cpu, round(process.memory), first.cpu])
    medians = [statistics.median(row[column] for row in rows) for column in (1, 2, 3, 4)]  # type: ignore[type-var]
    slowest = max(rows, key=lambda row: row[1] or 0)
    rows.append(["median", *medians])
    rows.append([f"slowest: {slowest[0]}", *slowest[1:]])
    return table(["filter", "wall s", "CPU s", "largest resident MB", "CPU s, first time"], rows)


def _spent_first(*command: object) -> Process:
    shutil.rmtree(cache_folder() / "statements", ignore_errors=True)
    return spent(*command)
