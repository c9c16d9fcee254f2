"""Source, number in it and word into a place in a store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from runner.corpus.store.opening import Store


def spelt(sentences: pa.Table, raw: pa.Table) -> pa.ChunkedArray:
    """What the words of each sentence spell, whatever the comment `text` says."""
    return pc.coalesce(raw["rebuilt"], sentences["surface"], sentences["text"])


@dataclass(frozen=True)
class Places:
    """Where the sentences of a store are: arrays of shape (sentences,), index = sid."""

    sources: Sequence[str]
    codes: NDArray[np.int64]  # of the source
    numbers: NDArray[np.int64]
    lengths: NDArray[np.int64]
    files: Sequence[tuple[Path, Path]]  # with their texts, and with what their words spell where that is another

    @classmethod
    def of(cls, store: Store) -> Places:
        """Read where the sentences of a store are."""
        files = store.parquet("sentences")
        with store.reading():
            table = pa.concat_tables([pq.read_table(path, columns=["source", "number", "length"]) for path in files])
        source = table["source"].combine_chunks().dictionary_encode()
        columns = (source.indices, table["number"], table["length"])
        codes, numbers, lengths = (column.to_numpy().astype(np.int64) for column in columns)
        return cls(
            source.dictionary.to_pylist(), codes, numbers, lengths, list(zip(files, store.parquet("raw"), strict=True))
        )

    def find(self, sources: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """The sid of each sentence, told by the place of its source among `sources` and its number; -1 for none."""
        keys = sources * self._width + numbers
        ordered, order = self._ordered
        at = np.minimum(np.searchsorted(ordered, keys), len(ordered) - 1)
        none = (sources < 0) | (numbers < 1) | (numbers >= self._width) | (ordered[at] != keys)
        return np.where(none, -1, order[at])

    def spelt(self, first: int) -> Iterator[str]:
        """What the words of each sentence spell, from `first` on."""
        for texts, rebuilt in self.files:
            rows = pq.read_metadata(texts).num_rows
            if first < rows:
                sentences = pq.read_table(texts, columns=["text", "surface"], page_checksum_verification=True)
                raw = pq.read_table(rebuilt, columns=["rebuilt"], page_checksum_verification=True)
                yield from spelt(sentences, raw).slice(first).to_pylist()
            first = max(0, first - rows)

    @cached_property
    def _width(self) -> int:
        return int(self.numbers.max(initial=0)) + 1

    @cached_property
    def _ordered(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        keys = self.codes * self._width + self.numbers
        order = np.argsort(keys, kind="stable")
        return keys[order], order
