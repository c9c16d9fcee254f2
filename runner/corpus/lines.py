"""Which sentences a line of raw text became, and the text files back, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.export import surfaces
from runner.corpus.parsed import UnitRecord, spell
from runner.corpus.store import Store
from runner.errors import InputError

FILE = "lines.parquet"
SCHEMA = pa.schema(
    [
        ("source", pa.string()),
        ("line", pa.int64()),  # where the unit begins in its file
        ("first", pa.int64()),  # the first and last sid of its sentences, NULL if it has none
        ("last", pa.int64()),
        ("skipped", pa.int32()),  # sentences of it that were left out
        ("gaps", pa.string()),  # JSON list of the white space around and between; NULL: nothing and single spaces
        ("text", pa.string()),  # the whole unit, where sentences and gaps do not spell it
        ("end", pa.string()),  # the line end
    ]
)
_ROWS = 100_000


class LinesWriter:
    """Writes `lines.parquet` in a store that is being made."""

    def __init__(self, folder: Path) -> None:
        self._writer = pq.ParquetWriter(folder / FILE, SCHEMA, compression="snappy", write_page_checksum=True)
        self._rows: list[tuple[object, ...]] = []

    def add(self, source: str, record: UnitRecord, sids: range, skipped: int) -> None:
        """Append a unit whose kept sentences have the numbers `sids`."""
        text = record.spell() if skipped or record.text is not None else None
        gaps = None if text is not None or record.gaps is None else json.dumps(record.gaps, ensure_ascii=False)
        first, last = (sids[0], sids[-1]) if sids else (None, None)
        self._rows.append((source, record.line, first, last, skipped, gaps, text, record.end))
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


def original(store: Store) -> Iterator[str]:
    """The raw text that the store was made from, unit by unit; InputError if it was not made from raw text."""
    if FILE not in store.files:
        raise InputError(diagnostic("FICT745", path=store.path))
    path = store.file(FILE)
    texts = surfaces(store)
    with pq.ParquetFile(path, page_checksum_verification=True) as file:
        for batch in file.iter_batches(8192):
            for row in batch.to_pylist():
                yield _spell(row, texts) + row["end"]


def _spell(row: dict[str, Any], texts: Iterator[str]) -> str:
    """A unit's text from its sentences, which are taken from `texts` in any case."""
    count = 0 if row["first"] is None else row["last"] - row["first"] + 1
    sentences = [next(texts) for _ in range(count)]
    if row["text"] is not None:
        return str(row["text"])
    return spell(sentences, None if row["gaps"] is None else json.loads(row["gaps"]))
