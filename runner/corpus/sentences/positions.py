"""Find sentences by source and number, and rebuild their texts from their words."""

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


def rebuilt_texts(sentences: pa.Table, raw: pa.Table) -> pa.ChunkedArray:
    """Return the text of each sentence, rebuilt from its words and `SpaceAfter`. `# text` is not used."""
    return pc.coalesce(raw["rebuilt"], sentences["surface"], sentences["text"])


@dataclass(frozen=True)
class SentencePositions:
    """The positions of a store's sentences, as arrays of shape (sentences,) indexed by sid."""

    sources: Sequence[str]
    codes: NDArray[np.int64]  # indices into `sources`
    numbers: NDArray[np.int64]
    lengths: NDArray[np.int64]
    files: Sequence[tuple[Path, Path]]  # the files of the tables `sentences` and `raw`, by chunk

    @classmethod
    def read(cls, store: Store) -> SentencePositions:
        """Read the positions of a store's sentences."""
        files = store.parquet("sentences")
        with store.reading():
            table = pa.concat_tables([pq.read_table(path, columns=["source", "number", "length"]) for path in files])
        source = table["source"].combine_chunks().dictionary_encode()
        columns = (source.indices, table["number"], table["length"])
        codes, numbers, lengths = (column.to_numpy().astype(np.int64) for column in columns)
        return cls(
            source.dictionary.to_pylist(), codes, numbers, lengths, list(zip(files, store.parquet("raw"), strict=True))
        )

    def find(self, codes: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the sid of each sentence, given the code of its source and its number, or -1 if there is none."""
        keys = codes * self._key_width + numbers
        sorted_keys, order = self._sorted_keys
        rank = np.minimum(np.searchsorted(sorted_keys, keys), len(sorted_keys) - 1)
        is_missing = (codes < 0) | (numbers < 1) | (numbers >= self._key_width) | (sorted_keys[rank] != keys)
        return np.where(is_missing, -1, order[rank])

    def rebuilt_texts(self, first_sid: int) -> Iterator[str]:
        """Yield the text of each sentence, rebuilt from its words, starting at the sid `first_sid`."""
        skipped_rows = first_sid
        for sentences_file, raw_file in self.files:
            rows = pq.read_metadata(sentences_file).num_rows
            if skipped_rows < rows:
                sentences = pq.read_table(sentences_file, columns=["text", "surface"], page_checksum_verification=True)
                raw = pq.read_table(raw_file, columns=["rebuilt"], page_checksum_verification=True)
                yield from rebuilt_texts(sentences, raw).slice(skipped_rows).to_pylist()
            skipped_rows = max(0, skipped_rows - rows)

    @cached_property
    def _key_width(self) -> int:
        return int(self.numbers.max(initial=0)) + 1

    @cached_property
    def _sorted_keys(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        keys = self.codes * self._key_width + self.numbers
        order = np.argsort(keys, kind="stable")
        return keys[order], order
