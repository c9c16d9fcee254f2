"""Split a stream into pieces of whole blocks, and find the lines and columns of each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from runner.corpus.byte_strings import DictColumn, Flags, Ints, dictionary_encode
from runner.corpus.corpus_files import BOM, SENTENCE_BYTES, FileNotes, check_sentence_size

_WHITE_SPACE_LINE = re.compile(rb"\n[ \t\x0b\x0c\r]+\n")
SIZE = 4 << 20  # bytes; a piece then has about half as many words as a row group


@dataclass(frozen=True, slots=True)
class Piece:
    """Whole blocks of a file. Only the last piece of a file may lack the empty line after its last block.

    `start` is the offset of the bytes in the file.
    """

    first_line: int
    data: bytes
    start: int = 0


def read_pieces(stream: IO[bytes], notes: FileNotes, size: int = SIZE) -> Iterator[Piece]:
    """Split a stream after empty lines. Memory holds one piece, or one block if that is larger.

    A byte order mark is skipped, and recorded in `notes`. Raises TooLargeError if a block has more than
    `SENTENCE_BYTES`.
    """
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
    """Read `size` bytes, or fewer at the end of the stream. One call of `read` may return fewer from a decompressor."""
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
        lines = index_lines(Piece(1, data), FileNotes())
        return LineIndex(
            data, lines.starts, lines.ends, lines.block, self.first[~invalid], lines.begin, lines.end, False, True
        )


def index_lines(piece: Piece, notes: FileNotes) -> LineIndex:
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
    """The ten columns of all rows, including multiword tokens and empty nodes, and a mask of the comment lines.

    `block` is the block of each row.
    """

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
    """Yield the blocks that are not UTF-8, and those that contain NUL or a carriage return inside a line."""
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
