"""A stream into pieces of whole blocks, small enough to work on at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

import numpy as np

from runner.corpus.files.blocks import BOM, FileNotes
from runner.corpus.files.limits import SENTENCE_BYTES, check_sentence

SIZE = 4 << 20  # about half as many words as a row group has


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes that begin and end between blocks; only the last piece of a file may lack the empty line at its end.

    `start` is where they lie in the file.
    """

    first_line: int
    data: bytes
    start: int = 0


def pieces(stream: IO[bytes], notes: FileNotes, size: int = SIZE) -> Iterator[Piece]:
    """Cut a stream behind empty lines; memory holds one piece, or one block where that is longer.

    Raises TooLargeError for a block of more than `SENTENCE_BYTES`.
    """
    rest, line = b"", 1
    start = _full(stream, size)
    notes.bom = start.startswith(BOM)
    data = start.removeprefix(BOM)
    place = len(start) - len(data)
    while data:
        data = rest + data
        end = max(data.rfind(b"\n\n") + 2, 3)
        end = max(data.rfind(b"\n\r\n", end - 3) + 3, end)
        rest = data if end == 3 else data[end:]
        if len(rest) > SENTENCE_BYTES:
            check_sentence(line + data.count(b"\n", 0, 0 if end == 3 else end), len(rest))
        if end > 3:
            yield Piece(line, data[:end], place)
            place += end
            line += int(np.count_nonzero(np.frombuffer(data, np.uint8, end) == ord("\n")))
        data = _full(stream, size)
    if rest:
        yield Piece(line, rest, place)


def _full(stream: IO[bytes], size: int) -> bytes:
    """As many bytes as asked for, unless the stream ends: unpackers give fewer at a time."""
    parts = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
