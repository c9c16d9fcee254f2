"""Split a stream into pieces of whole blocks that can be parsed independently."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

import numpy as np

from runner.corpus.files.blocks import BOM, FileNotes
from runner.corpus.files.limits import SENTENCE_BYTES, check_sentence_size

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
