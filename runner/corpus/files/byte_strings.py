"""Places in a buffer of bytes into Arrow strings, and lists of each distinct value into rows: columns without loops."""

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
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)
_SPACE = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f"  # what `str.strip` takes off an ASCII text


@dataclass(frozen=True)
class Coded:
    """A column as its distinct values, an Arrow array, and the number of the value of each row."""

    dictionary: Any
    codes: npt.NDArray[np.int32]

    @cached_property
    def values(self) -> list[str]:
        """The distinct values."""
        return list(self.dictionary.to_pylist())

    def where(self, test: Callable[[str], bool]) -> Flags:
        """The rows whose value passes a test."""
        return lookup([test(value) for value in self.values], bool)[self.codes]

    def numbers(self, change: Callable[[str], int]) -> Ints:
        """A number for each row."""
        return lookup([change(value) for value in self.values], np.int64)[self.codes]

    def at(self, rows: Any) -> Coded:
        """Some of the rows."""
        return Coded(self.dictionary, self.codes[rows])

    def mapped(self, change: Callable[[str], str | None]) -> Any:
        """The rows with each distinct value changed, as an Arrow dictionary."""
        changed = [change(value) for value in self.values]
        return pa.DictionaryArray.from_arrays(self.codes, pa.array(changed, pa.string()))

    def packed(self) -> Any:
        """The rows as an Arrow dictionary, with numbers as small as they can be."""
        numbers = self.codes.astype(np.min_scalar_type(len(self.dictionary)))
        return pa.DictionaryArray.from_arrays(pa.array(numbers), self.dictionary)

    def counts(self) -> Ints:
        """How often each value occurs."""
        return np.bincount(self.codes, minlength=len(self.dictionary)).astype(np.int64)


def lookup(values: Sequence[Any], kind: Any) -> npt.NDArray[Any]:
    """A table that is asked with codes, also if there are none."""
    return np.array(values, dtype=kind)


def spans(data: Any, starts: Ints, ends: Ints) -> Any:
    """The strings between the offsets, which are in order and do not overlap."""
    if not len(starts):
        return pa.array([], pa.string())
    offsets = np.empty(2 * len(starts), np.int32)
    offsets[0::2], offsets[1::2] = starts, ends
    pieces = pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(data))
    return pieces.take(pa.array(np.arange(0, len(offsets) - 1, 2, dtype=np.int32)))


def located(strings: Any) -> tuple[Ints, Any]:
    """Where each of some Arrow strings begins, and where the last one ends, in the buffer of their bytes."""
    _, offsets, data = strings.buffers()
    return np.frombuffer(offsets, np.int32, len(strings) + 1, 4 * strings.offset).astype(np.int64), data or b""


def coded(data: Any, starts: Ints, ends: Ints) -> Coded:
    """The strings between the offsets as distinct values and codes.

    All are told apart as numbers: those of up to 8 bytes, none of them NUL, as the numbers that they are, the others
    as numbers above 0 whose first byte is NUL.
    """
    size = ends - starts
    loaded = np.ndarray((max(len(data) - 7, 0),), np.uint64, data, 0, (1,))
    is_long = size > 8
    late = int(np.searchsorted(starts, len(loaded)))  # the last few bytes have no 8 to read
    is_long[late:] = True
    long = np.flatnonzero(is_long)
    if len(long) == len(starts):
        return _encoded(spans(data, starts, ends))
    if not len(long):
        numbers = loaded[starts]
        numbers &= _MASKS[size]
    else:
        numbers = loaded[starts if late == len(starts) else np.minimum(starts, len(loaded) - 1)]
        numbers &= _MASKS.take(size, mode="clip")
        rest = _encoded(spans(data, starts[long], ends[long]))
        numbers[long] = (rest.codes + 1).astype(np.uint64) << np.uint64(8)
    found = pa.array(numbers).dictionary_encode()
    distinct, codes = found.dictionary.to_numpy(), found.indices.to_numpy()
    if not len(long):
        return Coded(_spelt(distinct), codes)
    is_long = (distinct & np.uint64(255) == 0) & (distinct > 0)
    short = len(rest.dictionary) + np.cumsum(~is_long) - 1
    places = np.where(is_long, (distinct >> np.uint64(8)).astype(np.int64) - 1, short)
    return Coded(pa.concat_arrays([rest.dictionary, _spelt(distinct[~is_long])]), places.astype(np.int32)[codes])


def _spelt(numbers: Any) -> Any:
    """Numbers of 8 bytes as the strings that they are, without the NUL behind them."""
    texts = numbers.view(np.uint8).reshape(-1, 8)
    offsets = np.append(0, np.cumsum((texts != 0).sum(axis=1))).astype(np.int32)
    return pa.StringArray.from_buffers(len(texts), pa.py_buffer(offsets), pa.py_buffer(texts[texts != 0]))


def _encoded(strings: Any) -> Coded:
    encoded = strings.dictionary_encode()
    return Coded(encoded.dictionary, encoded.indices.to_numpy())


def spread(sizes: Ints, codes: npt.NDArray[Any]) -> tuple[Ints, Ints]:
    """Each row's list, by its code, of lists of these sizes: the row of every entry, and its place in all of them."""
    firsts = np.cumsum(sizes) - sizes
    rows = np.flatnonzero(sizes[codes])
    if len(sizes) and sizes.max() > 1:
        counts = sizes[codes[rows]]
        before = np.repeat(np.cumsum(counts) - counts, counts)
        rows = np.repeat(rows, counts)
        return rows, firsts[codes[rows]] + np.arange(len(rows)) - before
    return rows, firsts[codes[rows]]


def stripped(strings: Any) -> Any:
    """Strings in NFC without white space around, as Python's `strip` and `normalize` make them."""
    return _corrected(strings, pc.ascii_trim(strings, characters=_SPACE), lambda text: normalize("NFC", text).strip())


def composed(strings: Any) -> Any:
    """Strings in NFC."""
    return _corrected(strings, strings, lambda text: normalize("NFC", text))


def lowered(strings: Any) -> Any:
    """Strings in lower case, in NFC."""
    lower = pc.ascii_lower(strings)
    return _corrected(strings, lower, lambda text: normalize("NFC", normalize("NFC", text).lower()))


def _corrected(strings: Any, changed: Any, exact: Callable[[str], str]) -> Any:
    """`changed`, which is right for ASCII, with the other strings changed one by one."""
    others = pc.invert(pc.string_is_ascii(strings))
    texts = strings.filter(others).to_pylist()
    if not texts:
        return changed
    return pc.replace_with_mask(changed, others, pa.array([exact(text) for text in texts], pa.string()))
