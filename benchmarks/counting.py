"""`fictc count` with one filter in a new process: how long a user waits, and how much memory it takes."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path

from benchmarks.cases import Case
from benchmarks.processes import median, spent
from benchmarks.tables import Cell, table


def measure(cases: Sequence[Case], store: Path, runs: int, options: Sequence[str] = ()) -> str:
    """A row for each filter, and the median of all; the store's files were read, and verified, before."""
    spent("store", "verify", store)
    rows: list[list[Cell]] = []
    for case in cases:
        one = median([spent("count", case.compiled.path, "--corpus", store, *options) for _ in range(runs)])
        rows.append([case.name, one.wall, one.cpu, round(one.memory)])
    medians = [statistics.median(row[column] for row in rows) for column in (1, 2, 3)]  # type: ignore[type-var]
    slowest = max(rows, key=lambda row: row[1] or 0)
    rows.append(["median", *medians])
    rows.append([f"slowest: {slowest[0]}", *slowest[1:]])
    return table(["filter", "wall s", "CPU s", "largest resident MB"], rows)
