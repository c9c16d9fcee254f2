"""Read the bytes of CoNLL-U as arrays: strings by offsets, lines, blocks, and rows as dictionary columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import IO, Any
from unicodedata import normalize

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from runner.corpus.conllu_columns import Notes
from runner.corpus.corpus_files import BOM, SENTENCE_BYTES, check_sentence_size

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
        return np.array([test(value) for value in self.values], bool)[self.codes]

    def to_ints(self, convert: Callable[[str], int]) -> Ints:
        return np.array([convert(value) for value in self.values], np.int64)[self.codes]

    def take(self, rows: Any) -> DictColumn:
        return DictColumn(self.dictionary, self.codes[rows])

    def to_arrow(self) -> Any:
        indices = self.codes.astype(np.min_scalar_type(len(self.dictionary)))
        return pa.DictionaryArray.from_arrays(pa.array(indices), self.dictionary)

    def counts(self) -> Ints:
        return np.bincount(self.codes, minlength=len(self.dictionary)).astype(np.int64)


def mask_of(rows: Ints, length: int) -> Flags:
    flags = np.zeros(length, bool)
    flags[rows] = True
    return flags


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
    """Return the strings between the offsets, which are in order and do not contain NUL, as a dictionary column.

    A string of up to 8 bytes is compared as the integer of its bytes. A longer string, or one near the end of `data`,
    gets an integer above 0 whose lowest byte is 0.
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
    byte_rows = numbers.view(np.uint8).reshape(-1, 8)
    offsets = np.append(0, np.cumsum((byte_rows != 0).sum(axis=1))).astype(np.int32)
    return pa.StringArray.from_buffers(len(byte_rows), pa.py_buffer(offsets), pa.py_buffer(byte_rows[byte_rows != 0]))


def _encode_strings(strings: Any) -> DictColumn:
    encoded = strings.dictionary_encode()
    return DictColumn(encoded.dictionary, encoded.indices.to_numpy())


def expand_lists(sizes: Ints, codes: npt.NDArray[Any]) -> tuple[Ints, Ints]:
    """Return the row of every entry of the lists and its index in all lists; `codes` has the list of each row."""
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
    non_ascii = pc.invert(pc.string_is_ascii(strings))
    texts = strings.filter(non_ascii).to_pylist()
    if not texts:
        return changed
    return pc.replace_with_mask(changed, non_ascii, pa.array([convert(text) for text in texts], pa.string()))


_WHITE_SPACE_LINE = re.compile(rb"\n[ \t\x0b\x0c\r]+\n")
SIZE = 4 << 20  # bytes; a piece then has about half as many words as a row group


@dataclass(frozen=True, slots=True)
class Piece:
    """Whole blocks of a file from the offset `start`. Only the last may lack the empty line after its last block."""

    first_line: int
    data: bytes
    start: int = 0


def read_pieces(stream: IO[bytes], notes: Notes, size: int = SIZE) -> Iterator[Piece]:
    """Split a stream after empty lines. Memory holds one piece, or one block if that is larger."""
    remainder, line, searched = b"", 1, 0
    first_bytes = _read_fully(stream, size)
    notes.bom = first_bytes.startswith(BOM)
    data = first_bytes.removeprefix(BOM)
    offset = len(first_bytes) - len(data)
    while data:
        data = remainder + data
        end = max(data.rfind(b"\n\n") + 2, 3)  # end of the last empty line; 3 if there is none to split at
        end = max(data.rfind(b"\n\r\n", end - 3) + 3, end)
        if end == 3:  # the usual separators are missing; lines of white space separate blocks, too
            end = max((match.end() for match in _WHITE_SPACE_LINE.finditer(data, searched)), default=3)
        searched = len(data.rstrip()) if end == 3 else 0
        remainder = data if end == 3 else data[end:]
        if len(remainder) > SENTENCE_BYTES:
            check_sentence_size(line + data.count(b"\n", 0, 0 if end == 3 else end), len(remainder))
        if end > 3:
            yield Piece(line, data[:end], offset)
            offset += end
            line += int(np.count_nonzero(np.frombuffer(data, np.uint8, end) == ord("\n")))
        data = _read_fully(stream, size)
    if remainder:
        yield Piece(line, remainder, offset)


def _read_fully(stream: IO[bytes], size: int) -> bytes:
    parts = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


# byte order marks before the first line of a sentence, as in files that were joined
_FIRST_MARKS = re.compile(rb"(?:\A|\n[ \t\r\x0b\x0c]*(?=\n)\n)(?P<marks>(?:\xef\xbb\xbf)+)")


@dataclass(frozen=True, slots=True)
class LineIndex:
    """The offsets of the lines of some blocks.

    `starts` and `ends` are the offsets of all lines that are not blank, without line ends. `block` is the block of each
    line. `first` is the number of the first line of each block, and `begin` and `end` are the offsets of the block.
    `open` is whether no empty line follows the last block, and `newline` whether its last line has a line end.
    """

    data: bytes
    starts: Ints
    ends: Ints
    block: Ints
    first: Ints
    begin: Ints
    end: Ints
    open: bool
    newline: bool

    @property
    def byte_array(self) -> npt.NDArray[np.uint8]:
        return np.frombuffer(self.data, np.uint8)

    def block_bytes(self, block: int) -> bytes:
        return self.data[self.begin[block] : self.end[block]]

    def without(self, invalid: Flags) -> LineIndex:
        data = b"".join(self.block_bytes(block) + b"\n\n" for block in np.flatnonzero(~invalid).tolist())
        lines = index_lines(Piece(1, data), Notes())
        return LineIndex(
            data, lines.starts, lines.ends, lines.block, self.first[~invalid], lines.begin, lines.end, False, True
        )


def index_lines(piece: Piece, notes: Notes) -> LineIndex:
    """Find the lines and blocks of a piece, and add what was tolerated to `notes`.

    Tolerated are byte order marks before a block, white space in empty lines, and CRLF. Offsets refer to the `data` of
    the result, which always ends with a line end.
    """
    newline = piece.data.endswith(b"\n")
    data = piece.data if newline else piece.data + b"\n"
    byte_array = np.frombuffer(data, np.uint8)
    breaks = np.flatnonzero(byte_array == ord("\n"))
    starts, ends = np.append(0, breaks[:-1] + 1), breaks
    for mark in _FIRST_MARKS.finditer(data) if BOM in data else ():
        starts[np.searchsorted(starts, mark.start("marks"))] = mark.end()
        notes.inner_boms += (mark.end() - mark.start("marks")) // len(BOM)
    if b"\r" in data:
        ends = breaks - ((breaks > starts) & (byte_array[breaks - 1] == ord("\r")))
    blank = ends == starts
    for line in np.flatnonzero((byte_array[starts] <= ord(" ")) & ~blank):  # some control characters are white space
        if data[starts[line] : ends[line]].isspace():
            blank[line] = True
            notes.blank_lines += 1
    changes = np.diff(np.concatenate(([0], (~blank).view(np.int8), [0])))
    first_lines, end_lines = np.flatnonzero(changes == 1), np.flatnonzero(changes == -1)
    begin, end = starts[first_lines], breaks[end_lines - 1]
    carriage_returns = np.flatnonzero(byte_array == ord("\r")) if b"\r" in data else breaks[:0]
    notes.crlf |= bool(
        (np.searchsorted(begin, carriage_returns, "right") > np.searchsorted(end, carriage_returns)).any()
    )
    return LineIndex(
        data,
        starts[~blank],
        ends[~blank],
        np.repeat(np.arange(len(first_lines)), end_lines - first_lines),
        piece.first_line + first_lines,
        begin,
        end,
        bool(len(blank)) and not blank[-1],
        newline,
    )


@dataclass(frozen=True, slots=True)
class Rows:
    """The ten columns of all rows, with multiword tokens and empty nodes, their blocks, and a mask of comment lines."""

    block: Ints
    columns: tuple[DictColumn, ...]
    comments: Flags


def parse_rows(lines: LineIndex) -> Rows | Flags:
    byte_array, invalid = lines.byte_array, np.zeros(len(lines.first), bool)
    comments = byte_array[lines.starts] == ord("#")
    invalid[np.fromiter(_forbidden_blocks(lines), int)] = True
    is_late_comment = comments[1:] & ~comments[:-1] & (lines.block[1:] == lines.block[:-1])
    invalid[lines.block[1:][is_late_comment]] = True
    starts, ends, block = lines.starts[~comments], lines.ends[~comments], lines.block[~comments]
    invalid[np.bincount(block, minlength=len(invalid)) == 0] = True
    tab_offsets = _tab_offsets(np.flatnonzero(byte_array == ord("\t")), starts, ends)
    if tab_offsets is None:
        tabs = np.flatnonzero(byte_array == ord("\t"))
        invalid[block[np.searchsorted(tabs, ends) - np.searchsorted(tabs, starts) != 9]] = True
    if invalid.any() or tab_offsets is None:
        return invalid
    field_starts, field_ends = (starts, *(tab_offsets + 1)), (*tab_offsets, ends)
    for start, end in zip(field_starts, field_ends, strict=True):
        invalid[block[start == end]] = True
    if invalid.any():
        return invalid
    columns = tuple(dictionary_encode(lines.data, *offsets) for offsets in zip(field_starts, field_ends, strict=True))
    return Rows(block, columns, comments)


def _tab_offsets(tabs: Ints, starts: Ints, ends: Ints) -> Ints | None:
    if len(tabs) != 9 * len(starts) and len(starts):  # some tabs may be in comments
        line_of_tab = np.searchsorted(starts, tabs, "right") - 1
        tabs = tabs[(line_of_tab >= 0) & (tabs < ends[line_of_tab])]
    if len(tabs) != 9 * len(starts):
        return None
    offsets = np.ascontiguousarray(tabs.reshape(-1, 9).T)
    return offsets if (offsets[0] >= starts).all() and (offsets[-1] < ends).all() else None


def _forbidden_blocks(lines: LineIndex) -> Iterable[int]:
    if not _is_utf8(lines.data):
        for block in range(len(lines.first)):
            if not _is_utf8(lines.block_bytes(block)):
                yield block
    if b"\0" in lines.data or b"\r" in lines.data:
        for block in range(len(lines.first)):
            text = lines.block_bytes(block)
            if b"\0" in text or b"\r" in text.replace(b"\r\n", b"\n").removesuffix(b"\r"):
                yield block


def _is_utf8(data: bytes) -> bool:
    offsets = pa.py_buffer(np.array([0, len(data)], np.int32))
    try:
        pa.StringArray.from_buffers(1, offsets, pa.py_buffer(data)).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True
