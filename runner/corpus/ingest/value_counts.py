"""Count the values of each column per chunk, and merge the counts into one sorted file of a store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fictdsl.schema import FEATURE_PREFIX
from runner.corpus.store.value_files import VALUES

if TYPE_CHECKING:
    import pyarrow as pa

    from runner.corpus.ingest.sorted_tokens import SortedTokens

ROW_GROUP_ROWS = 16_384
_MERGE_MEMORY = "256MiB"


def count_values(words: SortedTokens, columns: Sequence[str]) -> pa.Table:
    """Return the number of words with each value of some columns and of all features, sorted by column and value."""
    import pyarrow as pa

    features = {FEATURE_PREFIX + name: column for name, column in words.features.items()}
    counted = {**{name: words.columns[name] for name in columns}, **features}
    parts = [_rows(name, column.values, words.counts(column)) for name, column in sorted(counted.items())]
    return pa.concat_tables(parts)


def _rows(name: str, values: Any, counts: Any) -> pa.Table:
    import pyarrow as pa

    occurs = pa.array(counts > 0)
    return pa.table({"column": pa.repeat(name, len(values)), "value": values, "words": counts}).filter(occurs)


def write_counts(rows: pa.Table, path: Path) -> None:
    """Write the counts of a chunk."""
    with _open_writer(path) as writer:
        writer.write_table(rows, row_group_size=ROW_GROUP_ROWS)


class ValueCountsWriter:
    """Manages the value counts of a store. Each chunk has a file (`next_part`), and `finish` merges the files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parts: list[Path] = []

    def next_part(self) -> Path:
        """Return the path of the file for the counts of the next chunk."""
        self._parts.append(self._folder / f"values/part-{len(self._parts):05d}.parquet")
        return self._parts[-1]

    def finish(self) -> None:
        """Write the merged file. The values of all chunks need not fit into memory."""
        if len(self._parts) == 1:
            self._parts[0].rename(self._folder / VALUES)
            return
        import duckdb

        temporary = self._folder / "values/spilled"
        config: Mapping[str, Any] = {"threads": 1, "memory_limit": _MERGE_MEMORY, "temp_directory": str(temporary)}
        with duckdb.connect(config=dict(config)) as connection, _open_writer(self._folder / VALUES) as writer:
            parts = connection.read_parquet([str(path) for path in self._parts])
            merged = parts.aggregate('"column", value, sum(words)::BIGINT AS words').order('"column", value')
            for batch in merged.to_arrow_reader(ROW_GROUP_ROWS):
                writer.write_batch(batch)
        for path in self._parts:
            path.unlink()


def _open_writer(path: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([("column", pa.string()), ("value", pa.string()), ("words", pa.int64())])
    return pq.ParquetWriter(
        path,
        schema,
        compression="zstd",
        use_dictionary=["column"],
        column_encoding={"value": "DELTA_BYTE_ARRAY", "words": "DELTA_BINARY_PACKED"},
        write_page_checksum=True,
    )
