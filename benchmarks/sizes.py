"""What a store takes on disk, table by table, in bytes a word."""

from __future__ import annotations

from pathlib import Path

from benchmarks.tables import Cell, table
from runner.corpus.store.opening import Store


def measure(path: Path) -> str:
    """A row for each table, for the whole as imported, and with the index where there is one."""
    words = Store.open(path).info.words
    sizes = {
        entry.name: sum(file.stat().st_size for file in ([entry] if entry.is_file() else entry.rglob("*")))
        for entry in sorted(path.iterdir())
    }
    index = sizes.pop("index", None)
    rows: list[list[Cell]] = [[name, size, size / words] for name, size in sizes.items()]
    imported = sum(sizes.values())
    rows.append(["as imported", imported, imported / words])
    if index is not None:
        rows.append(["index", index, index / words])
        rows.append(["with index", imported + index, (imported + index) / words])
    return table(["part", "bytes", "bytes a word"], rows)
