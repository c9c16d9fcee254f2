"""Size of a store on disk by part, in bytes and bytes per word."""

from __future__ import annotations

from pathlib import Path

from benchmarks.tables import Cell, table
from runner.corpus.store import Store


def measure(path: Path) -> str:
    """Return a table with a row per file or folder of the store, and their sums without and with an index."""
    words = Store.open(path).info.words
    sizes = {
        entry.name: sum(file.stat().st_size for file in ([entry] if entry.is_file() else entry.rglob("*")))
        for entry in sorted(path.iterdir())
    }
    index_size = sizes.pop("index", None)
    rows: list[list[Cell]] = [[name, size, size / words] for name, size in sizes.items()]
    imported_size = sum(sizes.values())
    rows.append(["as imported", imported_size, imported_size / words])
    if index_size is not None:
        rows.append(["index", index_size, index_size / words])
        rows.append(["with index", imported_size + index_size, (imported_size + index_size) / words])
    return table(["part", "bytes", "bytes per word"], rows)
