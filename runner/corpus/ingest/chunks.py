"""Tables into the Parquet files of one chunk of a store, a row group at a time; its words wait."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from runner.corpus.conllu.tables import schemas
from runner.corpus.ingest.sorted_tokens import Clustered, Gathered
from runner.corpus.processes.write_behind import Lane
from runner.corpus.store.schema import ROW_GROUP

SENTENCE_GROUP = 16_384  # of tables with a row for each sentence
_PAGE = 8 << 20  # bytes: long pages of text compress better
_ASCENDING = ("sid", "number")
_PACKED = ("key", "head", "dep", "label", "source", "doc", "length")
_PLAIN = ("length",)  # read for every count, and small as it is


class Chunk:
    """Writes one chunk into `folder`: `add` rows, then `end`.

    Words can be sorted only when all are there, so these wait, packed as dictionaries, for `ingest.words`.
    """

    def __init__(
        self, folder: Path, number: int, room: int, *, text: bool = True, behind: ThreadPoolExecutor | None = None
    ) -> None:
        """`room` is for how many words, at most. Without `text` nothing is written that spells a sentence. `behind`
        packs rows while others are gathered.
        """
        self._text = text
        self._lane = Lane(behind)
        self._schemas = schemas(text=text)
        self.files = {name: f"{name}/{number:05d}.parquet" for name in self._schemas}
        self._folder = folder
        self._gathered = Gathered(room)
        self._waiting: dict[str, list[pa.Table]] = {name: [] for name in self._schemas if name != "tokens"}
        self._writers = {name: self._writer(name, self._schemas[name]) for name in self._waiting}

    @property
    def words(self) -> int:
        """How many words it has."""
        return self._gathered.words

    def add(self, tables: Mapping[str, pa.Table]) -> None:
        """Append rows to every table."""
        self._gathered.add(tables["tokens"])
        for name, waiting in self._waiting.items():
            table = tables[name].select(self._schemas[name].names)
            if name == "meta" and not self._text:
                table = table.filter(pc.invert(pc.starts_with(table["key"], "text")))
            waiting.append(table)
            if sum(table.num_rows for table in waiting) >= _group(name):
                self._flush(name)

    def end(self) -> Clustered:
        """Begin to write all that is left but the words, which are returned."""
        self._lane.call(self._end_others)
        return Clustered(self._gathered)

    def wait(self) -> None:
        """Have all been written but the words."""
        self._lane.wait()

    def _writer(self, name: str, schema: pa.Schema) -> pq.ParquetWriter:
        ascending = [column for column in _ASCENDING if column in schema.names]
        return pq.ParquetWriter(
            self._folder / self.files[name],
            schema,
            compression={column: "none" if column in _PLAIN else "zstd" for column in schema.names},
            compression_level={column: 3 for column in schema.names if column not in _PLAIN},
            use_dictionary=[column for column in _PACKED if column in schema.names],
            column_encoding=dict.fromkeys(ascending, "DELTA_BINARY_PACKED"),
            data_page_size=_PAGE,
            write_statistics=["sid"],
            write_page_checksum=True,
        )

    def _end_others(self) -> None:
        for name, writer in self._writers.items():
            with writer:
                self._write(name, pa.concat_tables(self._waiting.pop(name)))

    def _flush(self, name: str) -> None:
        table, size = pa.concat_tables(self._waiting[name]), _group(name)
        end = table.num_rows // size * size
        self._waiting[name] = [table.slice(end)]
        self._lane.call(self._write, name, table.slice(0, end))

    def _write(self, name: str, rows: pa.Table) -> None:
        """Write row groups of rows that are joined before, or pages would end where what was read at once did."""
        self._writers[name].write_table(rows.combine_chunks(), row_group_size=_group(name))


def _group(name: str) -> int:
    return min(ROW_GROUP, SENTENCE_GROUP) if name in ("sentences", "raw") else ROW_GROUP
