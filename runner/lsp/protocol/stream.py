"""Bytes from an editor, cut into messages."""

from __future__ import annotations

import asyncio
import os
import re
import threading
from collections.abc import AsyncIterator

_LARGEST = 64 * 1024 * 1024  # bytes of one message; the largest filter file has a 64th of that
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*([0-9]{1,12})[ \t]*", re.IGNORECASE)
_FIELD = re.compile(rb"[\w-]+[ \t]*:")
_CHUNK = 65536  # bytes


class FramingError(Exception):
    """The header of a message cannot be understood, so nobody knows where the next one begins."""


async def bodies(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """The body of each message, until the input ends. Raises FramingError."""
    while (size := await _size(reader)) is not None:
        try:
            yield await reader.readexactly(size)
        except asyncio.IncompleteReadError:
            return


async def _size(reader: asyncio.StreamReader) -> int | None:
    """The length of the message whose header comes next; None at the end of the input."""
    size: int | None = None
    while True:
        try:
            line = await reader.readline()
        except ValueError:
            raise FramingError("a line of a header is too long") from None
        if not line.endswith(b"\n"):
            return None
        if not line.strip():
            break
        if not _FIELD.match(line):
            raise FramingError(f"expected a line such as `Content-Length: 42`, not {line[:60]!r}")
        if line.lower().startswith(b"content-length"):
            match = _LENGTH.fullmatch(line.rstrip(b"\r\n"))
            size = int(match[1]) if match else -1
    if size is None or not 0 <= size <= _LARGEST:
        raise FramingError(f"a header needs one `Content-Length` of at most {_LARGEST:,} bytes")
    return size


def read_in_background(file: int) -> asyncio.StreamReader:
    """Read a file descriptor in a thread, which ends with the process: nothing waits for input that never comes."""
    loop, reader = asyncio.get_running_loop(), asyncio.StreamReader()

    def feed() -> None:
        try:
            while chunk := os.read(file, _CHUNK):
                loop.call_soon_threadsafe(reader.feed_data, chunk)
            loop.call_soon_threadsafe(reader.feed_eof)
        except (OSError, RuntimeError):  # the loop is closed, or the input is
            return

    threading.Thread(target=feed, daemon=True).start()
    return reader
