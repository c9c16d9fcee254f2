"""Tables into the Parquet files of one chunk of a store, a row group at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from runner.corpus.clustered import Clustered
from runner.corpus.tables import TEXT, schemas

ROW_GROUP = 122_880  # DuckDB's own size: one thread reads one row group
SENTENCE_GROUP = 16_384  # of tables with a row for each sentence
_PAGE = 8 << 20  # bytes: long pages of text compress better
_COLD = ("form", "lemma", "xpos", "n", "depth", "h_form_l")  # columns of words that few filters read
_ASCENDING = ("sid", "number")
_PACKED = ("key", "head", "dep", "label", "source", "doc", "length")
_PLAIN = ("length",)  # read for every count, and small as it is


class Chunk:
    """Writes one chunk into `folder`: `add` rows, then `close`.

    Words can be sorted only when all are there, so these wait, packed as dictionaries.
    """

    def __init__(self, folder: Path, number: int, *, text: bool = True) -> None:
        """Without `text` nothing is written that spells a sentence."""
        self._text = text
        self._schemas = schemas(text=text)
        self.files = {name: f"{name}/{number:05d}.parquet" for name in self._schemas}
        self.words = 0
        self._folder = folder
        self._tokens: dict[str, list[Any]] = defaultdict(list)
        self._waiting: dict[str, list[pa.Table]] = {name: [] for name in self._schemas if name != "tokens"}
        self._writers = {name: self._writer(name, self._schemas[name]) for name in self._waiting}

    def add(self, tables: Mapping[str, pa.Table]) -> None:
        """Append rows to every table."""
        self.words += tables["tokens"].num_rows
        for name in tables["tokens"].column_names:
            self._tokens[name] += tables["tokens"][name].chunks
        for name, waiting in self._waiting.items():
            table = tables[name].select(self._schemas[name].names)
            if name == "meta" and not self._text:
                table = table.filter(pc.invert(pc.starts_with(table["key"], "text")))
            waiting.append(table)
            if sum(table.num_rows for table in waiting) >= _group(name):
                self._flush(name, whole=False)

    def end(self) -> Clustered:
        """Write all that is left but the words, which are returned."""
        for name, writer in self._writers.items():
            self._flush(name, whole=True)
            writer.close()
        return Clustered(self._tokens)

    def write(self, words: Clustered, physical: Mapping[str, str]) -> None:
        """Write the words; `physical` are the columns of features."""
        groups = words.groups(physical, ROW_GROUP)
        first = next(groups)
        names = [name for name in first.column_names if self._text or name not in TEXT["tokens"]]
        first = first.select(names)
        with pq.ParquetWriter(
            self._folder / self.files["tokens"],
            first.schema,
            compression={name: "zstd" if name in _COLD else "snappy" for name in names},
            use_dictionary=[name for name in names if name != "sid"],
            column_encoding={"sid": "DELTA_BINARY_PACKED"},
            write_statistics=["sid", "deprel"],
            write_page_checksum=True,
            store_schema=False,
        ) as writer:
            writer.write_table(first)
            for group in groups:
                writer.write_table(group.select(names))

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

    def _flush(self, name: str, *, whole: bool) -> None:
        table, size = pa.concat_tables(self._waiting[name]), _group(name)
        end = table.num_rows if whole else table.num_rows // size * size
        whole_groups = table.slice(0, end).combine_chunks()  # or pages would end where what was read at once did
        self._writers[name].write_table(whole_groups, row_group_size=size)
        self._waiting[name] = [] if whole else [table.slice(end)]


def _group(name: str) -> int:
    return min(ROW_GROUP, SENTENCE_GROUP) if name in ("sentences", "raw") else ROW_GROUP
