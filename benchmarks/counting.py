"""Benchmark of the latency and memory of `fictc count` with one filter in a new process."""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Sequence
from pathlib import Path

from benchmarks.cases import Case
from benchmarks.processes import Process, run_fictc, summarize
from benchmarks.tables import Cell, table
from fictdsl.installation import cache_folder


def measure(cases: Sequence[Case], store: Path, runs: int, options: Sequence[str] = ()) -> str:
    """Return a table with a row per filter, the medians, and the slowest filter.

    The store is verified first, so its files are cached. The last column is measured without cached statements, as when
    a filter is counted in a store for the first time.
    """
    run_fictc("store", "verify", store)
    rows: list[list[Cell]] = []
    for case in cases:
        command = ("count", case.compiled.path, "--corpus", store, *options)
        uncached = summarize([_run_uncached(*command) for _ in range(runs)])
        process = summarize([run_fictc(*command) for _ in range(runs)])
        rows.append([case.name, process.wall, process.cpu, round(process.memory), uncached.cpu])
    medians = [statistics.median(row[column] for row in rows) for column in (1, 2, 3, 4)]  # type: ignore[type-var]
    slowest = max(rows, key=lambda row: row[1] or 0)
    rows.append(["median", *medians])
    rows.append([f"slowest: {slowest[0]}", *slowest[1:]])
    return table(["filter", "wall s", "CPU s", "largest resident MiB", "CPU s, first time"], rows)


def _run_uncached(*command: object) -> Process:
    shutil.rmtree(cache_folder() / "statements", ignore_errors=True)
    return run_fictc(*command)
