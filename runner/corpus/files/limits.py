"""Limits on the size of lines, sentences and decompressed files, checked before memory is allocated for them."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

LINE_BYTES = 16 << 20
SENTENCE_BYTES = 64 << 20
# Text compresses to a third of its size, and the most repetitive treebank to about a fiftieth. 1 GiB is always
# allowed, because memory holds only one piece of a file at a time.
UNPACKED_BYTES = 1 << 30
MAX_RATIO = 200


class TooLargeError(Exception):
    """A line, sentence or decompressed file is larger than its limit. `open_input` converts this to an InputError."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        """`reason` describes what is too large, and `line` is the 1-based line at which it begins, if known."""
        super().__init__(reason)
        self.reason = reason
        self.line = line


def check_sentence_size(line: int, size: int) -> None:
    """Raise TooLargeError if a sentence that begins at `line` has more than `SENTENCE_BYTES` bytes."""
    if size > SENTENCE_BYTES:
        raise TooLargeError(f"a sentence of more than {SENTENCE_BYTES >> 20} MiB begins here", line)


class BoundedReader(io.RawIOBase):
    """A stream that raises TooLargeError if a line is longer than `LINE_BYTES` or a file expands too much.

    `compressed_size` returns the number of compressed bytes read so far or, for a file in a zip archive, the number of
    all its compressed bytes. It is None if the file is not compressed.
    """

    def __init__(self, stream: Any, compressed_size: Callable[[], int] | None = None) -> None:
        """Read from `stream`. Only its method `read` is used."""
        self._stream = stream
        self._compressed_size = compressed_size
        self._line = 1
        self._line_size = 0  # bytes read of the current line
        self._size = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read at most `len(buffer)` bytes into `buffer`, and return their number."""
        data = self._stream.read(len(buffer))
        self._check_lines(data)
        self._size += len(data)
        if self._compressed_size is not None and self._size > max(UNPACKED_BYTES, MAX_RATIO * self._compressed_size()):
            raise TooLargeError(
                f"it unpacks to more than {UNPACKED_BYTES >> 30} GiB and more than {MAX_RATIO} times its size"
            )
        buffer[: len(data)] = data
        return len(data)

    def _check_lines(self, data: bytes) -> None:
        newline = data.find(b"\n")
        if self._line_size + (len(data) if newline < 0 else newline) > LINE_BYTES:
            raise TooLargeError(f"the line has more than {LINE_BYTES >> 20} MiB", self._line)
        self._line_size = self._line_size + len(data) if newline < 0 else len(data) - data.rfind(b"\n") - 1
        self._line += data.count(b"\n")
