"""The words of a chunk into their Parquet file, with what is counted of them."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from runner.corpus.conllu.tables import TEXT
from runner.corpus.ingest.sorted_tokens import Clustered
from runner.corpus.ingest.value_counts import counted, write_counts
from runner.corpus.ingest.vocabulary import Vocabulary
from runner.corpus.processes.write_behind import Lane
from runner.corpus.store.schema import COUNTED, ROW_GROUP

_COLD = ("form", "lemma", "xpos", "n", "depth", "h_form_l")  # columns of words that few filters read


@dataclass(frozen=True, slots=True)
class WordFiles:
    """Where the words of a chunk go, and how often each value occurs among them; without `text` nothing of how they
    are spelt."""

    words: Path
    counts: Path
    text: bool


def write_words(
    words: Clustered, files: WordFiles, features: Mapping[str, str], *, beside: bool
) -> tuple[Vocabulary, list[str]]:
    """Write both files; return what is now known, and the features of the chunk.

    `features` are the columns of those of earlier chunks. Rows are packed `beside` the sorting of the next ones.
    """
    known = Vocabulary(dict(features))
    known.count(words)
    write_counts(counted(words, [name for name in COUNTED if files.text or name not in TEXT["tokens"]]), files.counts)
    physical = {feature: known.physical(feature) for feature in words.features}
    if beside:
        with ThreadPoolExecutor(1) as thread:
            _write(words, files, physical, Lane(thread))
    else:
        _write(words, files, physical, Lane(None))
    return known, list(physical)


def _write(words: Clustered, files: WordFiles, physical: Mapping[str, str], lane: Lane) -> None:
    groups = words.groups(physical, ROW_GROUP)
    first = next(groups)
    names = [name for name in first.column_names if files.text or name not in TEXT["tokens"]]
    first = first.select(names)
    with pq.ParquetWriter(
        files.words,
        first.schema,
        compression={name: "zstd" if name in _COLD else "snappy" for name in names},
        use_dictionary=[name for name in names if name != "sid"],
        column_encoding={"sid": "DELTA_BINARY_PACKED"},
        write_statistics=["sid", "deprel"],
        write_page_checksum=True,
        store_schema=False,
    ) as writer:
        lane.call(writer.write_table, first)
        for group in groups:
            lane.call(writer.write_table, group.select(names))
        lane.wait()
