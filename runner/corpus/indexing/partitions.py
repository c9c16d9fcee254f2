"""Partition the words of a store on disk by ranges of the sort key. Each partition can then be sorted in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import TracebackType

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from runner.corpus.indexing.slices import Columns

PARTITION_ROWS = 491_520  # two row groups

_OPTIONS = pa.ipc.IpcWriteOptions(compression="lz4")


@dataclass(frozen=True, slots=True)
class SortOrder:
    """The order of a sorted copy. `ranks` has the rank of each value by its code.

    `starts` has the first key of each partition except the first, which begins with the lowest key. The key of a word
    is the rank of its value times the number of sentences, plus its sentence id.
    """

    by: str
    ranks: NDArray[np.int64]
    sentences: int
    starts: NDArray[np.int64]
    rows: int

    @classmethod
    def build(cls, by: str, values: Sequence[str], counts: NDArray[np.int64], sentences: int) -> SortOrder:
        """Build the order from all values by code, and the number of words with each value in the column."""
        occurring = np.flatnonzero(counts)
        ascending = sorted(occurring.tolist(), key=lambda code: values[code].encode())
        ranks = np.full(len(counts), -1, np.int64)
        ranks[ascending] = np.arange(len(ascending))
        return cls(by, ranks, sentences, _partition_starts(counts[ascending], sentences), int(counts.sum()))

    def keys(self, columns: Columns) -> NDArray[np.int64]:
        """Return the key of each word. The column must not contain NULL."""
        keys: NDArray[np.int64] = self.ranks[columns[self.by]] * self.sentences + columns["sid"]
        return keys


def _partition_starts(counts: NDArray[np.int64], sentences: int) -> NDArray[np.int64]:
    """Return keys that split the rows into partitions of similar size. A frequent value may be split."""
    end_rows = np.cumsum(counts)
    total = int(end_rows[-1]) if len(end_rows) else 0
    partitions = -(-total // PARTITION_ROWS)
    boundary_rows = np.arange(1, partitions) * total // max(partitions, 1)
    ranks = np.searchsorted(end_rows, boundary_rows, side="right")
    fractions = (boundary_rows - (end_rows[ranks] - counts[ranks])) / counts[ranks]
    starts: NDArray[np.int64] = ranks * sentences + (fractions * sentences).astype(np.int64)
    return starts


class Partitions:
    """The partitions of a sorted copy in a file of compressed batches. `add` all slices, then `read` each partition."""

    def __init__(self, path: Path, order: SortOrder, columns: Sequence[str]) -> None:
        self.order = order
        self._path = path
        self._columns = columns
        self._file = path.open("w+b")
        self._offsets: Mapping[int, list[int]] = defaultdict(list)  # of the batches of each partition

    def add(self, columns: Columns) -> None:
        """Add the words of a slice that have a value in the sort column to their partitions."""
        rows = np.flatnonzero(columns[self.order.by] >= 0)
        keys = self.order.keys({name: columns[name][rows] for name in ("sid", self.order.by)})
        by_key = np.argsort(keys)
        rows, keys = rows[by_key], keys[by_key]
        batch = pa.RecordBatch.from_pydict({name: columns[name][rows] for name in self._columns})
        boundaries = [0, *np.searchsorted(keys, self.order.starts).tolist(), len(rows)]
        for partition, (start, end) in enumerate(pairwise(boundaries)):
            if start < end:
                self._offsets[partition].append(self._file.tell())
                with pa.ipc.new_stream(self._file, batch.schema, options=_OPTIONS) as stream:
                    stream.write_batch(batch.slice(start, end - start))

    def read(self, index: int) -> Columns:
        """Return the words of a partition, unsorted."""
        tables = []
        for offset in self._offsets[index]:
            self._file.seek(offset)
            with pa.ipc.open_stream(self._file) as stream:
                tables.append(stream.read_all())
        table = pa.concat_tables(tables)
        return {name: table[name].to_numpy() for name in self._columns}

    @property
    def indices(self) -> list[int]:
        """The indices of the partitions that have words, ascending. A frequent value may leave partitions empty."""
        return sorted(self._offsets)

    def close(self) -> None:
        """Remove the file."""
        self._file.close()
        self._path.unlink(missing_ok=True)

    def __enter__(self) -> Partitions:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
