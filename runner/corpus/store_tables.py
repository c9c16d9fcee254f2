"""Arrow schemas of a store's tables, and the table that maps units of raw text to sentences.

Write `lines.parquet`, which maps units of raw text to sentences.
The text of each unit can be restored from this file and the sentences.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from fictdsl.schema import COPIES, TABLES, Column, Field, tables
from runner.corpus.parsed_text import UnitRecord
from runner.corpus.raw_text import LINES


def arrow_schema(columns: Iterable[Column]) -> pa.Schema:
    return pa.schema([pa.field(column.name, pa.type_for_alias(column.type)) for column in columns])


def schemas(*, text: bool) -> dict[str, pa.Schema]:
    """Return the schemas of the tables of a store with or without texts. `tokens` lacks copies and features."""
    return {name: arrow_schema(columns) for name, columns in tables(text=text).items()}


SCHEMAS = schemas(text=True)
COPY_TYPES = {name: pa.type_for_alias(copy.column.type) for name, copy in COPIES.items()}
INT32_COLUMNS = tuple(column.name for column in TABLES["tokens"] if column.type == "int32")
STRING_FIELDS = tuple(sorted({Field.FEATS, *(column.field for column in TABLES["tokens"] if column.field is not None)}))


SCHEMA = pa.schema(
    [
        ("source", pa.string()),
        ("line", pa.int64()),  # the number of the line at which the unit begins
        ("first", pa.int64()),  # the first and last sid of its sentences; NULL if it has none
        ("last", pa.int64()),
        ("skipped", pa.int32()),  # the number of its sentences that were not parsed
        ("gaps", pa.string()),  # JSON list of the white space around and between sentences; NULL for single spaces
        ("text", pa.string()),  # the whole unit; NULL if the sentences and gaps reproduce it
        ("end", pa.string()),  # the line end; for a line of JSON, everything after the text
        ("before", pa.string()),  # for a line of JSON, everything before the text, otherwise NULL
        ("quoting", pa.string()),  # how the text is quoted in a line of JSON
    ]
)
_ROWS = 100_000


class LinesWriter:
    """Writes `lines.parquet` in the folder of a new store."""

    def __init__(self, folder: Path) -> None:
        self._writer = pq.ParquetWriter(folder / LINES, SCHEMA, compression="snappy", write_page_checksum=True)
        self._rows: list[tuple[object, ...]] = []

    def add(self, source: str, record: UnitRecord, sids: range, skipped: int) -> None:
        """Append a unit whose parsed sentences have the ids `sids`."""
        text = record.exact_text() if skipped or record.text is not None else None
        gaps = None if text is not None or record.gaps is None else json.dumps(record.gaps, ensure_ascii=False)
        first, last = (sids[0], sids[-1]) if sids else (None, None)
        json_columns = (record.before if record.quoting else None, record.quoting)
        self._rows.append((source, record.line, first, last, skipped, gaps, text, record.end, *json_columns))
        if len(self._rows) >= _ROWS:
            self._flush()

    def __enter__(self) -> LinesWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._flush()
        self._writer.close()

    def _flush(self) -> None:
        columns = list(zip(*self._rows, strict=True)) or [()] * len(SCHEMA)
        arrays = [pa.array(list(column), field.type) for column, field in zip(columns, SCHEMA, strict=True)]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=SCHEMA))
        self._rows.clear()


def join_lines(stores: Iterable[tuple[Path, Mapping[str, str], int]], path: Path) -> None:
    """Concatenate the `lines.parquet` of several stores.

    For each store, `stores` has the path of its file, a mapping from old to new source labels, and the number of
    sentences in the stores before it.
    """
    with pq.ParquetWriter(path, SCHEMA, compression="snappy", write_page_checksum=True) as writer:
        for file, new_labels, offset in stores:
            with pq.ParquetFile(file, page_checksum_verification=True) as parquet_file:
                for batch in parquet_file.iter_batches(_ROWS):
                    columns = {name: batch[name] for name in SCHEMA.names}
                    labels = [new_labels.get(label, label) for label in batch["source"].to_pylist()]
                    columns["source"] = pa.array(labels, pa.string())
                    columns |= {name: pc.add(batch[name], offset) for name in ("first", "last")}
                    writer.write_table(pa.table(columns, schema=SCHEMA))
