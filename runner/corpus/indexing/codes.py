"""Columns of strings into numbers that are the same throughout a store, and back into strings."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Numbers = NDArray[np.int32]


class Codes:
    """Gives every string a number, in order of appearance; NULL is -1."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def of(self, column: pa.ChunkedArray) -> Numbers:
        """The number of each string of a column of dictionaries."""
        return np.concatenate([np.empty(0, np.int32), *map(self._of_part, column.chunks)])

    def values(self) -> pa.Array:
        """The strings, the one with number n at place n."""
        return pa.array(self._numbers, pa.string())

    def _of_part(self, part: pa.DictionaryArray) -> Numbers:
        known = self._numbers
        numbers = [known.setdefault(value, len(known)) for value in part.dictionary.to_pylist()]
        table = np.array([*numbers, -1], np.int32)
        found: Numbers = table[part.indices.fill_null(-1).to_numpy()]
        return found


def packed(numbers: Numbers, values: pa.Array) -> pa.DictionaryArray:
    """Numbers (-1 is NULL) as a column whose dictionary has only those `values` that occur, in their order."""
    used, codes = _used(numbers, len(values))
    return pa.DictionaryArray.from_arrays(codes, values.take(pa.array(used)))


def packed_numbers(numbers: Numbers) -> pa.DictionaryArray:
    """Small numbers, not below -1 (which is NULL), as a column with a dictionary, which Parquet keeps as it is."""
    used, codes = _used(numbers, int(numbers.max(initial=-1)) + 1)
    return pa.DictionaryArray.from_arrays(codes, pa.array(used, pa.int32()))


def _used(numbers: Numbers, size: int) -> tuple[Numbers, pa.Array]:
    """The numbers that occur, ascending, and for each number its place among them."""
    seen = np.zeros(size + 1, bool)  # the last is for NULL
    seen[numbers] = True
    missing = bool(seen[-1])
    seen[-1] = False
    used = np.flatnonzero(seen).astype(np.int32)
    place = np.zeros(size + 1, np.int32)
    place[used] = np.arange(len(used), dtype=np.int32)
    return used, pa.array(place[numbers], mask=numbers < 0 if missing else None)
