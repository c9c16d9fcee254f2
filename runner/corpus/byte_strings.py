"""Create Arrow strings and dictionary columns from offsets into a buffer of bytes, without Python strings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from unicodedata import normalize

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)  # the lowest 0 to 8 bytes
_SPACE = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f"  # the ASCII characters that `str.strip` removes


@dataclass(frozen=True)
class DictColumn:
    dictionary: Any
    codes: npt.NDArray[np.int32]

    @cached_property
    def values(self) -> list[str]:
        return list(self.dictionary.to_pylist())

    def where(self, test: Callable[[str], bool]) -> Flags:
        return lookup_table([test(value) for value in self.values], bool)[self.codes]

    def to_ints(self, convert: Callable[[str], int]) -> Ints:
        return lookup_table([convert(value) for value in self.values], np.int64)[self.codes]

    def take(self, rows: Any) -> DictColumn:
        return DictColumn(self.dictionary, self.codes[rows])

    def map_values(self, convert: Callable[[str], str | None]) -> Any:
        """Return the column as an Arrow dictionary array, with each distinct value converted."""
        converted = [convert(value) for value in self.values]
        return pa.DictionaryArray.from_arrays(self.codes, pa.array(converted, pa.string()))

    def to_arrow(self) -> Any:
        """Return the column as an Arrow dictionary array with the smallest possible type of index."""
        indices = self.codes.astype(np.min_scalar_type(len(self.dictionary)))
        return pa.DictionaryArray.from_arrays(pa.array(indices), self.dictionary)

    def counts(self) -> Ints:
        return np.bincount(self.codes, minlength=len(self.dictionary)).astype(np.int64)


def lookup_table(values: Sequence[Any], dtype: Any) -> npt.NDArray[Any]:
    """Return an array to be indexed by codes. An empty array has the same `dtype`."""
    return np.array(values, dtype=dtype)


def slice_strings(data: Any, starts: Ints, ends: Ints) -> Any:
    if not len(starts):
        return pa.array([], pa.string())
    offsets = np.empty(2 * len(starts), np.int32)
    offsets[0::2], offsets[1::2] = starts, ends
    strings = pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(data))
    return strings.take(pa.array(np.arange(0, len(offsets) - 1, 2, dtype=np.int32)))


def string_offsets(strings: Any) -> tuple[Ints, Any]:
    """Return the offsets of Arrow strings, (n + 1,), and the buffer of their bytes."""
    _, offsets, data = strings.buffers()
    return np.frombuffer(offsets, np.int32, len(strings) + 1, 4 * strings.offset).astype(np.int64), data or b""


def dictionary_encode(data: Any, starts: Ints, ends: Ints) -> DictColumn:
    """Return the strings between the offsets as a dictionary column.

    The strings are in order and do not contain NUL. They are compared as 64-bit integers. A string of up to 8 bytes
    becomes the integer of its bytes. A longer string, or one near the end of `data`, gets an integer above 0 whose
    lowest byte is 0.
    """
    sizes = ends - starts
    integers_at = np.ndarray((max(len(data) - 7, 0),), np.uint64, data, 0, (1,))
    long_mask = sizes > 8
    first_near_end = int(np.searchsorted(starts, len(integers_at)))  # fewer than 8 bytes follow these starts
    long_mask[first_near_end:] = True
    long_rows = np.flatnonzero(long_mask)
    if len(long_rows) == len(starts):
        return _encode_strings(slice_strings(data, starts, ends))
    if not len(long_rows):
        numbers = integers_at[starts]
        numbers &= _MASKS[sizes]
    else:
        numbers = integers_at[starts if first_near_end == len(starts) else np.minimum(starts, len(integers_at) - 1)]
        numbers &= _MASKS.take(sizes, mode="clip")
        encoded_long = _encode_strings(slice_strings(data, starts[long_rows], ends[long_rows]))
        numbers[long_rows] = (encoded_long.codes + 1).astype(np.uint64) << np.uint64(8)
    encoded = pa.array(numbers).dictionary_encode()
    distinct, codes = encoded.dictionary.to_numpy(), encoded.indices.to_numpy()
    if not len(long_rows):
        return DictColumn(_unpack_strings(distinct), codes)
    is_long = (distinct & np.uint64(255) == 0) & (distinct > 0)
    short_index = len(encoded_long.dictionary) + np.cumsum(~is_long) - 1
    indices = np.where(is_long, (distinct >> np.uint64(8)).astype(np.int64) - 1, short_index)
    return DictColumn(
        pa.concat_arrays([encoded_long.dictionary, _unpack_strings(distinct[~is_long])]),
        indices.astype(np.int32)[codes],
    )


def _unpack_strings(numbers: Any) -> Any:
    """Return 64-bit integers as the strings of their bytes, without trailing NUL."""
    byte_rows = numbers.view(np.uint8).reshape(-1, 8)
    offsets = np.append(0, np.cumsum((byte_rows != 0).sum(axis=1))).astype(np.int32)
    return pa.StringArray.from_buffers(len(byte_rows), pa.py_buffer(offsets), pa.py_buffer(byte_rows[byte_rows != 0]))


def _encode_strings(strings: Any) -> DictColumn:
    encoded = strings.dictionary_encode()
    return DictColumn(encoded.dictionary, encoded.indices.to_numpy())


def expand_lists(sizes: Ints, codes: npt.NDArray[Any]) -> tuple[Ints, Ints]:
    """Expand each row to the entries of its list.

    `codes` is the list of each row and `sizes` the length of each list. Returns the row of every entry, and the index
    of the entry in the concatenation of all lists.
    """
    firsts = np.cumsum(sizes) - sizes
    rows = np.flatnonzero(sizes[codes])
    if len(sizes) and sizes.max() > 1:
        counts = sizes[codes[rows]]
        row_starts = np.repeat(np.cumsum(counts) - counts, counts)
        rows = np.repeat(rows, counts)
        return rows, firsts[codes[rows]] + np.arange(len(rows)) - row_starts
    return rows, firsts[codes[rows]]


def strip_nfc(strings: Any) -> Any:
    """Return strings in NFC without surrounding white space, equal to Python's `strip` and `normalize`."""
    return _fix_non_ascii(
        strings, pc.ascii_trim(strings, characters=_SPACE), lambda text: normalize("NFC", text).strip()
    )


def to_nfc(strings: Any) -> Any:
    return _fix_non_ascii(strings, strings, lambda text: normalize("NFC", text))


def lower_nfc(strings: Any) -> Any:
    lower = pc.ascii_lower(strings)
    return _fix_non_ascii(strings, lower, lambda text: normalize("NFC", normalize("NFC", text).lower()))


def _fix_non_ascii(strings: Any, changed: Any, convert: Callable[[str], str]) -> Any:
    """Return `changed`, which is correct for ASCII, with all other strings replaced with `convert(string)`."""
    non_ascii = pc.invert(pc.string_is_ascii(strings))
    texts = strings.filter(non_ascii).to_pylist()
    if not texts:
        return changed
    return pc.replace_with_mask(changed, non_ascii, pa.array([convert(text) for text in texts], pa.string()))
