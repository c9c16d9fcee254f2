"""Benchmark of the latency and memory of `fictc count` with one filter in a new process."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path

from benchmarks.cases import Case
from benchmarks.processes import median, spent
from benchmarks.tables import Cell, table


def measure(cases: Sequence[Case], store: Path, runs: int, options: Sequence[str] = ()) -> str:
    """Return a table with a row per filter and the median. The store is verified first, so its files are cached."""
    spent("store", "verify", store)
    rows: list[list[Cell]] = []
    for case in cases:
        process = median([spent("count", case.compiled.path, "--corpus", store, *options) for _ in range(runs)])
        rows.append([case.name, process.wall, process.cpu, round(process.memory)])
    medians = [statistics.median(row[column] for row in rows) for column in (1, 2, 3)]  # type: ignore[type-var]
    slowest = max(rows, key=lambda row: row[1] or 0)
    rows.append(["median", *medians])
    rows.append([f"slowest: {slowest[0]}", *slowest[1:]])
    return table(["filter", "wall s", "CPU s", "largest resident MB"], rows)
