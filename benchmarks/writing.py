"""Benchmark of the cost of writing the corpora of the fifteen filters in `fict15`, beyond the cost of matching."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

from benchmarks.processes import run_fictc, summarize
from benchmarks.tables import table


def measure(store: Path, runs: int) -> str:
    """Compare `fictc apply --each` with `fictc count`, which does the same matching, on one and on two threads."""
    run_fictc("store", "verify", store)
    rows, digests = [], set()
    for threads in (1, 2):
        with tempfile.TemporaryDirectory(dir=store.parent) as folder:
            arguments = ["fict15", "--corpus", store, "--threads", threads]
            matching = summarize([run_fictc("count", *arguments) for _ in range(runs)])
            apply_runs = []
            for index in range(runs):
                target = Path(folder) / str(index)
                apply_runs.append(run_fictc("apply", *arguments, "--each", "--output", target))
                files = sorted(file for file in target.rglob("*") if file.is_file())
                digests.add(tuple((file.name, _digest(file)) for file in files))
            applying = summarize(apply_runs)
            size = sum(file.stat().st_size for file in files)
        rows.append(
            [
                threads,
                matching.cpu,
                applying.cpu,
                applying.cpu - matching.cpu,
                applying.wall,
                size / 1e9,
                round(applying.memory),
            ]
        )
    headings = [
        "threads",
        "count, CPU s",
        "apply --each, CPU s",
        "beyond count",
        "wall s",
        "GB written",
        "resident MiB",
    ]
    comparison = "all runs wrote the same bytes" if len(digests) == 1 else "**the runs wrote different bytes**"
    return f"{table(headings, rows)}\n{len(files)} files; {comparison}.\n"


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
