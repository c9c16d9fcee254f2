"""Write the words of a chunk in the background, and count their values."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

import pyarrow.parquet as pq

from fictdsl.schema import COPIES, FEATURE_PREFIX, TABLES, copies, tables
from runner.corpus.sorted_tokens import SortedTokens, Vocabulary
from runner.corpus.store_files import ROW_GROUP, VALUES
from runner.corpus.store_tables import VALUES_SCHEMA

if TYPE_CHECKING:
    import pyarrow as pa


P = ParamSpec("P")
_MAX_PENDING = 4


class WriteBehind:
    """A short queue of calls, which run one at a time. Their exceptions are raised by a later `submit` or `wait`."""

    def __init__(self, thread: ThreadPoolExecutor | None) -> None:
        """`thread` is an executor with one thread. If it is None, `submit` runs the calls itself."""
        self._thread = thread
        self._pending: deque[Future[None]] = deque()

    def submit(self, work: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Queue a call; wait first if the queue is full."""
        if self._thread is None:
            work(*args, **kwargs)
            return
        while self._pending and (len(self._pending) >= _MAX_PENDING or self._pending[0].done()):
            self._pending.popleft().result()
        self._pending.append(self._thread.submit(work, *args, **kwargs))

    def wait(self) -> None:
        while self._pending:
            self._pending.popleft().result()


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


class ValueCountsWriter:
    """Manages the value counts of a store. Each chunk has a file (`next_part`), and `finish` merges the files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parts: list[Path] = []

    def next_part(self) -> Path:
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
    return pq.ParquetWriter(
        path,
        VALUES_SCHEMA,
        compression="zstd",
        use_dictionary=["column"],
        column_encoding={"value": "DELTA_BYTE_ARRAY", "words": "DELTA_BINARY_PACKED"},
        write_page_checksum=True,
    )


_COLD_COLUMNS = {
    column.name for column in (*TABLES["tokens"], *(copy.column for copy in COPIES.values())) if column.cold
}


@dataclass(frozen=True, slots=True)
class WordFiles:
    """The files for the words of a chunk and their value counts. Without `text`, they contain no forms."""

    words: Path
    counts: Path
    text: bool


def write_words(
    words: SortedTokens, files: WordFiles, features: Mapping[str, str], *, concurrent: bool
) -> tuple[Vocabulary, list[str]]:
    """Write both files, and return the vocabulary of the chunk and the names of its features.

    `features` maps each feature of earlier chunks to its column. With `concurrent`, a thread compresses rows while the
    next rows are collected.
    """
    vocabulary = Vocabulary(dict(features))
    vocabulary.count(words)
    counted_columns = [column.name for column in tables(text=files.text)["tokens"] if column.counted]
    with _open_writer(files.counts) as writer:
        writer.write_table(count_values(words, counted_columns), row_group_size=ROW_GROUP_ROWS)
    feature_columns = {feature: vocabulary.column_of(feature) for feature in words.features}
    if concurrent:
        with ThreadPoolExecutor(1) as thread:
            _write(words, files, feature_columns, WriteBehind(thread))
    else:
        _write(words, files, feature_columns, WriteBehind(None))
    return vocabulary, list(feature_columns)


def _write(words: SortedTokens, files: WordFiles, feature_columns: Mapping[str, str], queue: WriteBehind) -> None:
    groups = words.groups(feature_columns, ROW_GROUP)
    first_group = next(groups)
    stored_columns = [column.name for column in tables(text=files.text)["tokens"]]
    names = [*stored_columns, *copies(text=files.text), *feature_columns.values()]
    first_group = first_group.select(names)
    with pq.ParquetWriter(
        files.words,
        first_group.schema,
        compression={name: "zstd" if name in _COLD_COLUMNS else "snappy" for name in names},
        use_dictionary=[name for name in names if name != "sid"],
        column_encoding={"sid": "DELTA_BINARY_PACKED"},
        write_statistics=["sid", "deprel"],
        write_page_checksum=True,
        store_schema=False,
    ) as writer:
        queue.submit(writer.write_table, first_group)
        for group in groups:
            queue.submit(writer.write_table, group.select(names))
        queue.wait()
