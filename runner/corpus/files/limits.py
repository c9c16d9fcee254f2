"""Limits on what is read from a corpus file, which hold before the memory for it is taken."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

LINE_BYTES = 16 << 20
SENTENCE_BYTES = 64 << 20
# Text is packed to a third and the most repetitive treebank to about a fiftieth. A gigabyte of anything does no harm,
# since memory holds a piece of it at a time.
UNPACKED_BYTES = 1 << 30
RATIO = 200


class TooLargeError(Exception):
    """More than a limit allows, at a line of a file if that is known. `open_input` names the file."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        """Say what is too large, and where it begins."""
        super().__init__(reason)
        self.reason = reason
        self.line = line


def check_sentence(line: int, size: int) -> None:
    """Raise TooLargeError if lines without an empty one among them, the first of them `line`, have too many bytes."""
    if size > SENTENCE_BYTES:
        raise TooLargeError(f"a sentence of more than {SENTENCE_BYTES >> 20} MiB begins here", line)


class Bounded(io.RawIOBase):
    """A stream that raises TooLargeError at a line of more than `LINE_BYTES`, and for an archive that grows too much.

    `packed` says how many bytes were read of a compressed file so far; None for one that is not compressed.
    """

    def __init__(self, stream: Any, packed: Callable[[], int] | None = None) -> None:
        """Read from `stream`, which needs nothing but `read`."""
        self._stream = stream
        self._packed = packed
        self._line = 1
        self._open = 0  # bytes of the line that is not ended
        self._size = 0

    def readable(self) -> bool:
        """Whether it can be read: always."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read as many bytes as there is room for, or fewer."""
        data = self._stream.read(len(buffer))
        self._check_lines(data)
        self._size += len(data)
        if self._packed is not None and self._size > max(UNPACKED_BYTES, RATIO * self._packed()):
            raise TooLargeError(
                f"it unpacks to more than {UNPACKED_BYTES >> 30} GiB and more than {RATIO} times its size"
            )
        buffer[: len(data)] = data
        return len(data)

    def _check_lines(self, data: bytes) -> None:
        first = data.find(b"\n")
        if self._open + (len(data) if first < 0 else first) > LINE_BYTES:
            raise TooLargeError(f"the line has more than {LINE_BYTES >> 20} MiB", self._line)
        self._open = self._open + len(data) if first < 0 else len(data) - data.rfind(b"\n") - 1
        self._line += data.count(b"\n")
