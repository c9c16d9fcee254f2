"""Read LSP messages from the byte stream of an editor."""

from __future__ import annotations

import asyncio
import os
import re
import threading
from collections.abc import AsyncIterator

_MAX_MESSAGE_BYTES = 64 * 1024 * 1024  # 64 times the size of the largest filter file
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*([0-9]{1,12})[ \t]*", re.IGNORECASE)
_FIELD = re.compile(rb"[\w-]+[ \t]*:")
_CHUNK_BYTES = 65536


class FramingError(Exception):
    """The header of a message is invalid, so the start of the next message is unknown."""


async def bodies(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Yield the body of each message until the input ends. Raises FramingError if a header is invalid."""
    while (size := await _message_size(reader)) is not None:
        try:
            yield await reader.readexactly(size)
        except asyncio.IncompleteReadError:
            return


async def _message_size(reader: asyncio.StreamReader) -> int | None:
    """Return the length of the next body in bytes, or None at the end of the input. Raises FramingError."""
    size: int | None = None
    while True:
        try:
            line = await reader.readline()
        except ValueError:
            raise FramingError("a header line is too long") from None
        if not line.endswith(b"\n"):
            return None
        if not line.strip():
            break
        if not _FIELD.match(line):
            raise FramingError(f"expected a header such as `Content-Length: 42`, found {line[:60]!r}")
        if line.lower().startswith(b"content-length"):
            match = _LENGTH.fullmatch(line.rstrip(b"\r\n"))
            size = int(match[1]) if match else -1
    if size is None or not 0 <= size <= _MAX_MESSAGE_BYTES:
        raise FramingError(f"expected one `Content-Length` of at most {_MAX_MESSAGE_BYTES:,} bytes")
    return size


def read_in_background(descriptor: int) -> asyncio.StreamReader:
    """Read a file descriptor in a daemon thread, so that the process can exit while input is pending."""
    loop, reader = asyncio.get_running_loop(), asyncio.StreamReader()

    def feed() -> None:
        try:
            while chunk := os.read(descriptor, _CHUNK_BYTES):
                loop.call_soon_threadsafe(reader.feed_data, chunk)
            loop.call_soon_threadsafe(reader.feed_eof)
        except (OSError, RuntimeError):  # the input or the loop is closed
            return

    threading.Thread(target=feed, daemon=True).start()
    return reader
