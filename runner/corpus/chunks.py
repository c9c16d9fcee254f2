"""Tables into the Parquet files of one chunk of a store, a row group at a time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from runner.corpus.tables import TABLES


class Chunk:
    """Writes one chunk into `folder`: `add` rows, then `close`.

    The columns of `tokens` are known only when all words are, so these wait, packed as dictionaries.
    """

    def __init__(self, folder: Path, number: int, row_group: int) -> None:
        self.files = {name: f"{name}/{number:05d}.parquet" for name in TABLES}
        self.words = 0
        self._row_group = row_group
        self._folder = folder
        self._tokens: list[pa.Table] = []
        self._waiting: dict[str, list[pa.Table]] = {name: [] for name in TABLES if name != "tokens"}
        self._writers = {name: self._writer(name, TABLES[name]) for name in self._waiting}

    def add(self, tables: Mapping[str, pa.Table]) -> None:
        """Append rows to every table."""
        self.words += tables["tokens"].num_rows
        self._tokens.append(tables["tokens"])
        for name, waiting in self._waiting.items():
            waiting.append(tables[name])
            if sum(table.num_rows for table in waiting) >= self._row_group:
                self._flush(name, whole=False)

    def close(self) -> None:
        """Write what is left and end the files."""
        for name, writer in self._writers.items():
            self._flush(name, whole=True)
            writer.close()
        tokens = pa.concat_tables(self._tokens, promote_options="default")
        self._tokens.clear()
        schema = pa.schema([pa.field(field.name, _plain(field.type)) for field in tokens.schema])
        with self._writer("tokens", schema) as writer:
            for start in range(0, tokens.num_rows, self._row_group):
                group = tokens.slice(start, self._row_group).cast(schema)
                writer.write_table(group, row_group_size=self._row_group)

    def _writer(self, name: str, schema: pa.Schema) -> pq.ParquetWriter:
        path = self._folder / self.files[name]
        return pq.ParquetWriter(path, schema, compression="snappy", write_page_checksum=True)

    def _flush(self, name: str, *, whole: bool) -> None:
        table = pa.concat_tables(self._waiting[name])
        end = table.num_rows if whole else table.num_rows // self._row_group * self._row_group
        self._writers[name].write_table(table.slice(0, end), row_group_size=self._row_group)
        self._waiting[name] = [] if whole else [table.slice(end)]


def _plain(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind
