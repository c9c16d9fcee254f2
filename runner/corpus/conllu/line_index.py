"""The bytes of many blocks into lines, and the lines into comments and the ten columns of rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from runner.corpus.files.blocks import FileNotes
from runner.corpus.files.byte_strings import Coded, Flags, Ints, coded
from runner.corpus.files.pieces import Piece


@dataclass(frozen=True, slots=True)
class Lines:
    """Where the lines of some blocks are.

    `starts` and `ends` are those of all lines that are not blank, without their line ends, `block` the block of each;
    `first`, `begin` and `end` are the line number of each block in its file and the place of its bytes. `open` says
    that no empty line follows the last one, `newline` that its last line is ended.
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
    def numbers(self) -> npt.NDArray[np.uint8]:
        """The data as numbers."""
        return np.frombuffer(self.data, np.uint8)

    def text(self, block: int) -> bytes:
        """The bytes of a block."""
        return self.data[self.begin[block] : self.end[block]]

    def without(self, bad: Flags) -> Lines:
        """The blocks that are not bad, with the line numbers they have."""
        data = b"".join(self.text(block) + b"\n\n" for block in np.flatnonzero(~bad).tolist())
        lines = split(Piece(1, data), FileNotes())
        return Lines(data, lines.starts, lines.ends, lines.block, self.first[~bad], lines.begin, lines.end, False, True)


def split(piece: Piece, notes: FileNotes) -> Lines:
    """Find the lines and blocks of a piece; lines of white space are counted in `notes`, and CRLF noted."""
    newline = piece.data.endswith(b"\n")
    data = piece.data if newline else piece.data + b"\n"
    numbers = np.frombuffer(data, np.uint8)
    breaks = np.flatnonzero(numbers == ord("\n"))
    starts, ends = np.append(0, breaks[:-1] + 1), breaks
    if b"\r" in data:
        ends = breaks - ((breaks > starts) & (numbers[breaks - 1] == ord("\r")))
    blank = ends == starts
    for line in np.flatnonzero((numbers[starts] <= ord(" ")) & ~blank):  # control characters too, of which some are
        if data[starts[line] : ends[line]].isspace():
            blank[line] = True
            notes.blank_lines += 1
    change = np.diff(np.concatenate(([0], (~blank).view(np.int8), [0])))
    first, after = np.flatnonzero(change == 1), np.flatnonzero(change == -1)
    begin, end = starts[first], breaks[after - 1]
    returns = np.flatnonzero(numbers == ord("\r")) if b"\r" in data else breaks[:0]
    notes.crlf |= bool((np.searchsorted(begin, returns, "right") > np.searchsorted(end, returns)).any())
    return Lines(
        data,
        starts[~blank],
        ends[~blank],
        np.repeat(np.arange(len(first)), after - first),
        piece.first_line + first,
        begin,
        end,
        bool(len(blank)) and not blank[-1],
        newline,
    )


@dataclass(frozen=True, slots=True)
class Rows:
    """The ten columns of all rows, words or not, and the block of each row; and which lines are comments."""

    block: Ints
    columns: tuple[Coded, ...]
    comments: Flags


def rows(lines: Lines) -> Rows | Flags:
    """The columns of well-formed blocks; or which blocks are none, as bytes and as lines."""
    numbers, bad = lines.numbers, np.zeros(len(lines.first), bool)
    comments = numbers[lines.starts] == ord("#")
    bad[np.fromiter(_forbidden(lines), int)] = True
    late = comments[1:] & ~comments[:-1] & (lines.block[1:] == lines.block[:-1])
    bad[lines.block[1:][late]] = True
    starts, ends, block = lines.starts[~comments], lines.ends[~comments], lines.block[~comments]
    bad[np.bincount(block, minlength=len(bad)) == 0] = True
    cuts = _cuts(np.flatnonzero(numbers == ord("\t")), starts, ends)
    if cuts is None:
        tabs = np.flatnonzero(numbers == ord("\t"))
        bad[block[np.searchsorted(tabs, ends) - np.searchsorted(tabs, starts) != 9]] = True
    if bad.any() or cuts is None:
        return bad
    begins, stops = (starts, *(cuts + 1)), (*cuts, ends)
    for begin, stop in zip(begins, stops, strict=True):
        bad[block[begin == stop]] = True
    if bad.any():
        return bad
    columns = tuple(coded(lines.data, *place) for place in zip(begins, stops, strict=True))
    return Rows(block, columns, comments)


def _cuts(tabs: Ints, starts: Ints, ends: Ints) -> Ints | None:
    """The places of the nine tabs of each row, the first of all rows before the second; None if some have not nine."""
    if len(tabs) != 9 * len(starts):  # some may lie in comments
        inside = np.searchsorted(starts, tabs, "right") - 1
        tabs = tabs[(inside >= 0) & (tabs < ends[inside])]
    if len(tabs) != 9 * len(starts):
        return None
    cuts = np.ascontiguousarray(tabs.reshape(-1, 9).T)
    return cuts if (cuts[0] >= starts).all() and (cuts[-1] < ends).all() else None


def _forbidden(lines: Lines) -> Iterable[int]:
    """The blocks that are not UTF-8, and those that hold NUL or a carriage return within a line."""
    if not _utf8(lines.data):
        for block in range(len(lines.first)):
            if not _utf8(lines.text(block)):
                yield block
    if b"\0" in lines.data or b"\r" in lines.data:
        for block in range(len(lines.first)):
            text = lines.text(block)
            if b"\0" in text or b"\r" in text.replace(b"\r\n", b"\n").removesuffix(b"\r"):
                yield block


def _utf8(data: bytes) -> bool:
    whole = pa.py_buffer(np.array([0, len(data)], np.int32))
    try:
        pa.StringArray.from_buffers(1, whole, pa.py_buffer(data)).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True
