"""Benchmark of writing the filtered corpora of all fifteen filters, in addition to matching."""

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
            processes = []
            for index in range(runs):
                target = Path(folder) / str(index)
                processes.append(run_fictc("apply", *arguments, "--each", "--output", target))
                files = sorted(file for file in target.rglob("*") if file.is_file())
                digests.add(tuple((file.name, _digest(file)) for file in files))
            process = summarize(processes)
            size = sum(file.stat().st_size for file in files)
        rows.append(
            [
                threads,
                matching.cpu,
                process.cpu,
                process.cpu - matching.cpu,
                process.wall,
                size / 1e9,
                round(process.memory),
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
    same = "all runs wrote the same bytes" if len(digests) == 1 else "**the runs wrote different bytes**"
    return f"{table(headings, rows)}\n{len(files)} files; {same}.\n"


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
