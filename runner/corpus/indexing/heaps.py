"""Slices of words into heaps on disk, each of one range of one sorted copy and small enough to be sorted at once."""

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

HEAP_ROWS = 491_520  # two row groups

_OPTIONS = pa.ipc.IpcWriteOptions(compression="lz4")


@dataclass(frozen=True, slots=True)
class Order:
    """How one sorted copy is ordered: the rank of each value (by its number), and where its heaps begin.

    A place is the rank of the value times the number of sentences, plus the sentence.
    """

    by: str
    ranks: NDArray[np.int64]
    sentences: int
    starts: NDArray[np.int64]
    rows: int

    @classmethod
    def of(cls, by: str, values: Sequence[str], counts: NDArray[np.int64], sentences: int) -> Order:
        """From all values by their number, and how many words have each in the column; 0 for those of others."""
        occurring = np.flatnonzero(counts)
        ascending = sorted(occurring.tolist(), key=lambda number: values[number].encode())
        ranks = np.full(len(counts), -1, np.int64)
        ranks[ascending] = np.arange(len(ascending))
        return cls(by, ranks, sentences, _starts(counts[ascending], sentences), int(counts.sum()))

    def places(self, columns: Columns) -> NDArray[np.int64]:
        """The place of each word, in all of which the column has a value."""
        found: NDArray[np.int64] = self.ranks[columns[self.by]] * self.sentences + columns["sid"]
        return found


def _starts(counts: NDArray[np.int64], sentences: int) -> NDArray[np.int64]:
    """Places that cut the rows into heaps of about the same size, even inside the rows of one frequent value."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    heaps = -(-total // HEAP_ROWS)
    cuts = np.arange(1, heaps) * total // max(heaps, 1)
    ranks = np.searchsorted(ends, cuts, side="right")
    within = (cuts - (ends[ranks] - counts[ranks])) / counts[ranks]
    starts: NDArray[np.int64] = ranks * sentences + (within * sentences).astype(np.int64)
    return starts


class Heaps:
    """The rows of one sorted copy in a file of packed batches: `add` slices, then take a heap at a time."""

    def __init__(self, path: Path, order: Order, columns: Sequence[str]) -> None:
        self.order = order
        self._path = path
        self._columns = columns
        self._file = path.open("w+b")
        self._batches: Mapping[int, list[int]] = defaultdict(list)

    def add(self, columns: Columns) -> None:
        """Put the words of a slice that have a value where they belong."""
        rows = np.flatnonzero(columns[self.order.by] >= 0)
        places = self.order.places({name: columns[name][rows] for name in ("sid", self.order.by)})
        order = np.argsort(places)
        rows, places = rows[order], places[order]
        batch = pa.RecordBatch.from_pydict({name: columns[name][rows] for name in self._columns})
        cuts = [0, *np.searchsorted(places, self.order.starts).tolist(), len(rows)]
        for heap, (start, end) in enumerate(pairwise(cuts)):
            if start < end:
                self._batches[heap].append(self._file.tell())
                with pa.ipc.new_stream(self._file, batch.schema, options=_OPTIONS) as stream:
                    stream.write_batch(batch.slice(start, end - start))

    def heap(self, number: int) -> Columns:
        """The words of a heap, as they were added."""
        parts = []
        for offset in self._batches[number]:
            self._file.seek(offset)
            with pa.ipc.open_stream(self._file) as stream:
                parts.append(stream.read_all())
        table = pa.concat_tables(parts)
        return {name: table[name].to_numpy() for name in self._columns}

    @property
    def filled(self) -> list[int]:
        """The heaps that have words, in order: a frequent value need not be spread evenly over the sentences."""
        return sorted(self._batches)

    def close(self) -> None:
        """Remove the file."""
        self._file.close()
        self._path.unlink(missing_ok=True)

    def __enter__(self) -> Heaps:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
