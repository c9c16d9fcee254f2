"""Write the Parquet files and `store.json` of a store, chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from fictdsl.schema import VERSION, copies, tables
from runner.corpus.conllu_reader import WORD_LIMIT
from runner.corpus.conllu_tables import Tables
from runner.corpus.processes import ProcessPool, WriteBehind
from runner.corpus.sorted_tokens import (
    COUNTS_GROUP,
    SortedTokens,
    TokenBuffer,
    Vocabulary,
    open_counts,
    write_words,
)
from runner.corpus.store_files import FREQUENT, ROW_GROUP, VALUES
from runner.corpus.store_tables import replace_column, schemas
from runner.errors import InputError
from runner.readers import real_path
from runner.workspace import clean_stale, key, publish_dir, sha256_file, to_json, write_text


def may_replace(output: Path, *, force: bool) -> bool:
    """Return whether a new store at `output` would replace an existing store or an empty folder.

    Raises InputError if `output` is something else (FICT744), or if it is a store and `force` is false (FICT743).
    """
    if not output.exists():
        return False
    if output.is_dir() and not any(output.iterdir()):
        return True
    if not (output / "store.json").is_file():
        raise InputError.of("FICT744", path=output)
    if not force:
        raise InputError.of("FICT743", path=output, hint="`--force` replaces it")
    return True


@contextmanager
def new_store(output: Path, *, force: bool) -> Iterator[Path]:
    replace = may_replace(output, force=force)
    clean_stale(real_path(output).parent)
    try:
        with publish_dir(real_path(output), replace=replace) as folder:
            yield folder
    except FileExistsError as error:
        raise InputError.of("FICT743", path=output, hint="`--force` replaces it") from error


# rows per row group of tables with one row per sentence; small for `raw`, of which single sentences are read
_SENTENCE_GROUPS = {"sentences": 16_384, "raw": 2_048}
_PAGE = 8 << 20  # bytes; long pages of text compress better
_ASCENDING_COLUMNS = ("sid", "number")
_DICTIONARY_COLUMNS = ("key", "head", "dep", "label", "source", "doc", "length")
_UNCOMPRESSED_COLUMNS = ("length",)  # small, and read by every count


class ChunkWriter:
    """Writes one chunk. Words are buffered, because they can be sorted only when all of them are known."""

    def __init__(
        self,
        folder: Path,
        number: int,
        max_words: int,
        *,
        text: bool = True,
        write_thread: ThreadPoolExecutor | None = None,
    ) -> None:
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
        return self._tokens.words

    def add(self, tables: Mapping[str, pa.Table]) -> None:
        self._tokens.add(tables["tokens"])
        for name, buffered in self._buffered.items():
            table = tables[name].select(self._schemas[name].names)
            if name == "meta" and not self._text:
                table = table.filter(pc.invert(pc.starts_with(table["key"], "text")))
            buffered.append(table)
            if sum(table.num_rows for table in buffered) >= _group_size(name):
                self._flush(name)

    def end(self) -> SortedTokens:
        self._queue.submit(self._end_tables)
        return SortedTokens(self._tokens, text=self._text)

    def wait(self) -> None:
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


CHUNK_WORDS = 5_000_000
_MERGE_MEMORY = "256MiB"


class StoreWriter:
    """Writes one store. Call `begin`, `write` and `end` for each source, and then `finish`.

    Memory holds one chunk of about `chunk_words` words, or two with a `pool`. A chunk contains whole sentences.
    """

    def __init__(
        self,
        folder: Path,
        *,
        chunk_words: int = CHUNK_WORDS,
        write_thread: ThreadPoolExecutor | None = None,
        pool: ProcessPool | None = None,
        text: bool = True,
    ) -> None:
        """While the next chunk is read, `write_thread` writes tables and `pool` writes words, if they are given."""
        self._text = text
        self._folder = folder
        self._write_thread = write_thread
        self._pool = pool
        self._closing: Callable[[], None] | None = None  # completes the previous chunk
        self._chunk_words = chunk_words
        self._vocabulary = Vocabulary()
        self._chunk: ChunkWriter | None = None
        self._counts: list[Path] = []  # files with the value counts of each chunk
        self._ends: list[int] = []  # number of sentences up to the end of each chunk
        self._features: list[frozenset[str]] = []  # the features with a column, by chunk
        self._files: dict[str, dict[str, object]] = {}
        self._sources: list[dict[str, object]] = []
        self._label = ""
        self._doc: str | None = None
        self._newdoc: str | None = None  # the document of the next sentence, unless it begins one itself
        self._start = (0, 0)  # sentences and words before the current source
        self.sentences = self.words = self.chunks = 0
        for name in (*tables(text=text), "values"):
            (folder / name).mkdir()

    def begin(self, label: str) -> None:
        self._label, self._doc, self._newdoc, self._start = label, None, None, (self.sentences, self.words)

    def begin_document(self, name: str) -> None:
        """Begin a document with the next sentence. The name "" stands for a document without an id."""
        self._newdoc = name

    def write(self, parsed: Tables, numbers: Any = None, docs: Any = None) -> None:
        """Append sentences. By default, their `numbers` continue, and `docs` are those of the comments `newdoc`."""
        tables = self._numbered(parsed, numbers, docs)
        lengths = tables["sentences"]["length"].to_numpy()
        start = 0
        while start < len(lengths):
            if self._chunk is None:
                self._chunk = ChunkWriter(
                    self._folder,
                    self.chunks,
                    self._chunk_words + WORD_LIMIT,
                    text=self._text,
                    write_thread=self._write_thread,
                )
            remaining_words = self._chunk_words - self._chunk.words
            end = min(len(lengths), start + 1 + int(np.searchsorted(np.cumsum(lengths[start:]), remaining_words)))
            self._chunk.add(
                tables
                if (start, end) == (0, len(lengths))
                else _sentence_range(tables, self.sentences + start, self.sentences + end)
            )
            if self._chunk.words >= self._chunk_words:
                self._end_chunk(self.sentences + end)
            start = end
        self.sentences += len(lengths)
        self.words += int(lengths.sum())

    def end(self, sha256: str, rejected: int = 0) -> None:
        sentences, words = self.sentences - self._start[0], self.words - self._start[1]
        entry = {"label": self._label, "sha256": sha256, "sentences": sentences, "words": words}
        self._sources.append({**entry, "rejected": rejected})

    def register(self, relative: str) -> None:
        path = self._folder / relative
        self._files[relative] = {"sha256": sha256_file(path), "size": path.stat().st_size}

    def finish(self, annotator: Mapping[str, object] | None = None) -> None:
        self._end_chunk(self.sentences)
        self._wait()
        self._merge_counts()
        self.register(VALUES)
        content: dict[str, object] = {
            "schema": VERSION,
            "sources": self._sources,
            "counts": {"sentences": self.sentences, "words": self.words, "chunks": self.chunks},
            "ends": self._ends,
            "features": dict(sorted(self._vocabulary.features.items())),
            "absent": {
                name: missing
                for name in sorted(self._vocabulary.features)
                if (missing := [chunk for chunk, features in enumerate(self._features) if name not in features])
            },
            "copies": copies(text=self._text),
            "text": self._text,
            "values": {
                name: dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:FREQUENT])
                for name, counts in sorted(self._vocabulary.values.items())
            },
            "annotator": annotator,
            "layers": {},
            "files": dict(sorted(self._files.items())),
        }
        write_text(self._folder / "store.json", to_json({**content, "sha256": key(content)}))

    def _numbered(self, parsed: Tables, numbers: Any, docs: Any) -> dict[str, pa.Table]:
        tables = {
            name: replace_column(table, "sid", pc.add(table["sid"], self.sentences)) for name, table in parsed.items()
        }
        sentences = tables["sentences"]
        if numbers is None:
            numbers = pc.add(sentences["number"], self.sentences - self._start[0])
        if docs is None:
            own_docs = sentences["doc"].combine_chunks()
            if self._newdoc is not None and not own_docs[0].is_valid:
                own_docs = pa.concat_arrays([pa.array([self._newdoc], pa.string()), own_docs[1:]])
            names = pc.binary_join_element_wise(self._label, numbers.combine_chunks().cast(pa.string()), "-")
            new_docs = pc.if_else(pc.equal(own_docs, ""), names, own_docs)
            docs = pc.fill_null_forward(pa.concat_arrays([pa.array([self._doc], pa.string()), new_docs]))[1:]
        self._doc, self._newdoc = docs[-1].as_py(), None
        sentences = replace_column(replace_column(sentences, "doc", docs), "number", numbers)
        source = pa.repeat(pa.scalar(self._label), sentences.num_rows)
        tables["sentences"] = replace_column(sentences, "source", source)
        return tables

    def _end_chunk(self, sentences: int) -> None:
        chunk, self._chunk = self._chunk, None
        if chunk is None:
            return
        self._ends.append(sentences)
        self.chunks += 1
        words = chunk.end()
        self._wait()  # at most two chunks are in memory
        self._counts.append(self._folder / f"values/part-{len(self._counts):05d}.parquet")
        files = self._folder / chunk.files["tokens"], self._counts[-1]
        features = self._vocabulary.features
        if self._pool is None:
            self._close(chunk, *write_words(words, *files, features, text=self._text, concurrent=False))
            return
        result = self._pool.submit_long(write_words, words, *files, features, text=self._text, concurrent=True)
        self._closing = lambda: self._close(chunk, *result.result())

    def _wait(self) -> None:
        closing, self._closing = self._closing, None
        if closing is not None:
            closing()

    def _close(self, chunk: ChunkWriter, vocabulary: Vocabulary, features: Sequence[str]) -> None:
        self._vocabulary.add(vocabulary)
        self._features.append(frozenset(features))
        chunk.wait()
        for relative in chunk.files.values():
            self.register(relative)

    def _merge_counts(self) -> None:
        if len(self._counts) == 1:
            self._counts[0].rename(self._folder / VALUES)
            return
        import duckdb

        config: dict[str, Any] = {"threads": 1, "memory_limit": _MERGE_MEMORY}
        config["temp_directory"] = str(self._folder / "values/spilled")
        with duckdb.connect(config=config) as connection, open_counts(self._folder / VALUES) as writer:
            parts = connection.read_parquet([str(path) for path in self._counts])
            merged = parts.aggregate('"column", value, sum(words)::BIGINT AS words').order('"column", value')
            for batch in merged.to_arrow_reader(COUNTS_GROUP):
                writer.write_batch(batch)
        for path in self._counts:
            path.unlink()


def _sentence_range(tables: Mapping[str, pa.Table], first_sid: int, end_sid: int) -> dict[str, pa.Table]:
    rows = {}
    for name, table in tables.items():
        start, end = np.searchsorted(table["sid"].to_numpy(), (first_sid, end_sid))
        rows[name] = table.slice(start, end - start)
    return rows
