"""Units of raw text into a table of which sentences each became, and what else it takes to spell it again."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType

import pyarrow as pa
import pyarrow.parquet as pq

from runner.corpus.parsed import UnitRecord

LINES = "lines.parquet"
SCHEMA = pa.schema(
    [
        ("source", pa.string()),
        ("line", pa.int64()),  # where the unit begins in its file
        ("first", pa.int64()),  # the first and last sid of its sentences, NULL if it has none
        ("last", pa.int64()),
        ("skipped", pa.int32()),  # sentences of it that were left out
        ("gaps", pa.string()),  # JSON list of the white space around and between; NULL: nothing and single spaces
        ("text", pa.string()),  # the whole unit, where sentences and gaps do not spell it
        ("end", pa.string()),  # the line end; of a line of JSON, all that stands after the text
        ("before", pa.string()),  # of a line of JSON, what stands before the text, else NULL
        ("quoting", pa.string()),  # how the text is written in it
    ]
)
_ROWS = 100_000


class LinesWriter:
    """Writes `lines.parquet` in a store that is being made."""

    def __init__(self, folder: Path) -> None:
        self._writer = pq.ParquetWriter(folder / LINES, SCHEMA, compression="snappy", write_page_checksum=True)
        self._rows: list[tuple[object, ...]] = []

    def add(self, source: str, record: UnitRecord, sids: range, skipped: int) -> None:
        """Append a unit whose kept sentences have the numbers `sids`."""
        text = record.spell() if skipped or record.text is not None else None
        gaps = None if text is not None or record.gaps is None else json.dumps(record.gaps, ensure_ascii=False)
        first, last = (sids[0], sids[-1]) if sids else (None, None)
        around = (record.before if record.quoting else None, record.quoting)
        self._rows.append((source, record.line, first, last, skipped, gaps, text, record.end, *around))
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
