"""Write the Parquet files of one chunk of a store, except its words, which `ingest.words` sorts and writes."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from runner.corpus.conllu.schemas import schemas
from runner.corpus.ingest.sorted_tokens import SortedTokens, TokenBuffer
from runner.corpus.processes.write_behind import WriteBehind
from runner.corpus.store.value_files import ROW_GROUP

# rows per row group of tables with one row per sentence; small for `raw`, of which single sentences are read
_SENTENCE_GROUPS = {"sentences": 16_384, "raw": 2_048}
_PAGE = 8 << 20  # bytes; long pages of text compress better
_ASCENDING_COLUMNS = ("sid", "number")
_DICTIONARY_COLUMNS = ("key", "head", "dep", "label", "source", "doc", "length")
_UNCOMPRESSED_COLUMNS = ("length",)  # small, and read by every count


class ChunkWriter:
    """Writes one chunk to `folder`. Call `add` for its rows, then `end`.

    Words are buffered, dictionary-encoded, because they can be sorted only when all of them are known.
    """

    def __init__(
        self,
        folder: Path,
        number: int,
        max_words: int,
        *,
        text: bool = True,
        write_thread: ThreadPoolExecutor | None = None,
    ) -> None:
        """Open the files of the chunk `number`, which has at most `max_words` words.

        Without `text`, the chunk has no forms and no texts. With a `write_thread`, rows are compressed while others are
        buffered.
        """
        self._text = text
        self._queue = WriteBehind(write_thread)
        self._schemas = schemas(text=text)
        self.files = {name: f"{name}/{number:05d}.parquet" for name in self._schemas}
        self._folder = folder
        self._tokens = TokenBuffer(max_words)
        self._buffered: dict[str, list[pa.Table]] = {name: [] for name in self._schemas if name != "tokens"}
        self._writers = {name: self._writer(name, self._schemas[name]) for name in self._buffered}

    @property
    def words(self) -> int:
        """The number of words added."""
        return self._tokens.words

    def add(self, tables: Mapping[str, pa.Table]) -> None:
        """Append rows to every table."""
        self._tokens.add(tables["tokens"])
        for name, buffered in self._buffered.items():
            table = tables[name].select(self._schemas[name].names)
            if name == "meta" and not self._text:
                table = table.filter(pc.invert(pc.starts_with(table["key"], "text")))
            buffered.append(table)
            if sum(table.num_rows for table in buffered) >= _group_size(name):
                self._flush(name)

    def end(self) -> SortedTokens:
        """Start to write all tables except the words, and return the words."""
        self._queue.submit(self._end_tables)
        return SortedTokens(self._tokens, text=self._text)

    def wait(self) -> None:
        """Wait until all tables except the words are written."""
        self._queue.wait()

    def _writer(self, name: str, schema: pa.Schema) -> pq.ParquetWriter:
        ascending = [column for column in _ASCENDING_COLUMNS if column in schema.names]
        return pq.ParquetWriter(
            self._folder / self.files[name],
            schema,
            compression={column: "none" if column in _UNCOMPRESSED_COLUMNS else "zstd" for column in schema.names},
            compression_level={column: 3 for column in schema.names if column not in _UNCOMPRESSED_COLUMNS},
            use_dictionary=[column for column in _DICTIONARY_COLUMNS if column in schema.names],
            column_encoding=dict.fromkeys(ascending, "DELTA_BINARY_PACKED"),
            data_page_size=_PAGE,
            write_statistics=["sid"],
            write_page_checksum=True,
        )

    def _end_tables(self) -> None:
        for name, writer in self._writers.items():
            with writer:
                self._write(name, pa.concat_tables(self._buffered.pop(name)))

    def _flush(self, name: str) -> None:
        table, size = pa.concat_tables(self._buffered[name]), _group_size(name)
        end = table.num_rows // size * size
        self._buffered[name] = [table.slice(end)]
        self._queue.submit(self._write, name, table.slice(0, end))

    def _write(self, name: str, rows: pa.Table) -> None:
        """Write row groups. Arrow chunks are combined first, because the writer ends a page with each of them."""
        self._writers[name].write_table(rows.combine_chunks(), row_group_size=_group_size(name))


def _group_size(name: str) -> int:
    return min(ROW_GROUP, _SENTENCE_GROUPS.get(name, ROW_GROUP))
