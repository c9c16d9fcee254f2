"""Write the words of a chunk to its Parquet file, and count their values."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from fictdsl.schema import COPIES, TABLES, copies, tables
from runner.corpus.ingest.sorted_tokens import SortedTokens
from runner.corpus.ingest.value_counts import count_values, write_counts
from runner.corpus.ingest.vocabulary import Vocabulary
from runner.corpus.processes.write_behind import WriteBehind
from runner.corpus.store.value_files import ROW_GROUP

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
    write_counts(
        count_values(words, [column.name for column in tables(text=files.text)["tokens"] if column.counted]),
        files.counts,
    )
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
