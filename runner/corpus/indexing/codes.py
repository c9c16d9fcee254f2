"""Encode strings as integers that are the same throughout a store."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Numbers = NDArray[np.int32]


class StringCodes:
    """The codes of strings, assigned in order of appearance. The code of NULL is -1."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._codes)

    def encode(self, column: pa.ChunkedArray) -> Numbers:
        """Return the code of each string of a dictionary column."""
        return np.concatenate([np.empty(0, np.int32), *map(self._encode_chunk, column.chunks)])

    def values(self) -> pa.Array:
        """Return the strings, indexed by code."""
        return pa.array(self._codes, pa.string())

    def _encode_chunk(self, chunk: pa.DictionaryArray) -> Numbers:
        codes = self._codes
        chunk_codes = [codes.setdefault(value, len(codes)) for value in chunk.dictionary.to_pylist()]
        lookup = np.array([*chunk_codes, -1], np.int32)
        encoded: Numbers = lookup[chunk.indices.fill_null(-1).to_numpy()]
        return encoded


def pack_strings(codes: Numbers, values: pa.Array) -> pa.DictionaryArray:
    """Return the value of each code (NULL for -1) as a dictionary column. Its dictionary has only values that occur."""
    used, indices = _encode_used(codes, len(values))
    return pa.DictionaryArray.from_arrays(indices, values.take(pa.array(used)))


def pack_numbers(numbers: Numbers) -> pa.DictionaryArray:
    """Return small numbers (-1 is NULL) as a dictionary column, which Parquet writes without encoding it again."""
    used, indices = _encode_used(numbers, int(numbers.max(initial=-1)) + 1)
    return pa.DictionaryArray.from_arrays(indices, pa.array(used, pa.int32()))


def _encode_used(numbers: Numbers, size: int) -> tuple[Numbers, pa.Array]:
    """Return the numbers that occur, ascending, and for each number its index among them."""
    occurs = np.zeros(size + 1, bool)  # the last entry is for NULL
    occurs[numbers] = True
    has_null = bool(occurs[-1])
    occurs[-1] = False
    used = np.flatnonzero(occurs).astype(np.int32)
    index_by_number = np.zeros(size + 1, np.int32)
    index_by_number[used] = np.arange(len(used), dtype=np.int32)
    return used, pa.array(index_by_number[numbers], mask=numbers < 0 if has_null else None)
