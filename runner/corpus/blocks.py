"""A file, plain or gzip, into blocks of lines between empty lines, with what was unusual about it noted."""

from __future__ import annotations

import gzip
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Block:
    """Lines between empty lines: the bytes without the last newline, and whether an empty line follows."""

    first_line: int
    data: bytes
    ended: bool
    newline: bool  # whether the last line had its newline


@dataclass(slots=True)
class FileNotes:
    """What a file had that the format does not ask for and that is accepted all the same."""

    bom: bool = False
    crlf: bool = False
    blank_lines: int = 0
    open_end: bool = False


@contextmanager
def open_input(path: Path, on_bytes: Callable[[int], None] | None = None) -> Iterator[IO[bytes]]:
    """Open a regular file for reading, unpacking gzip by its first bytes; every failure is FICT700.

    `on_bytes` gets the number of bytes of the file that were read since it was last called, now and then.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise InputError(diagnostic("FICT700", path=path, reason="it is not a regular file"))
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            counted = raw if on_bytes is None else _Counting(raw, on_bytes)
            yield gzip.GzipFile(fileobj=counted) if packed else counted  # type: ignore[arg-type, misc]
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        reason = f"the compressed data is damaged or cut short ({error})"
        raise InputError(diagnostic("FICT700", path=path, reason=reason)) from error
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(diagnostic("FICT700", path=path, reason=reason)) from error


class _Counting:
    """A binary file that tells how much of it was read."""

    def __init__(self, raw: IO[bytes], on_bytes: Callable[[int], None]) -> None:
        self._raw = raw
        self._on_bytes = on_bytes

    def read(self, size: int = -1) -> bytes:
        data = self._raw.read(size)
        if data:
            self._on_bytes(len(data))
        return data

    def __iter__(self) -> Iterator[bytes]:
        rest = b""
        while chunk := self.read(1 << 20):
            lines = (rest + chunk).split(b"\n")
            rest = lines.pop()
            for line in lines:
                yield line + b"\n"
        if rest:
            yield rest


def blocks(stream: IO[bytes], notes: FileNotes) -> Iterator[Block]:
    """Split a stream at lines of white space only; memory holds one block at a time."""
    lines: list[bytes] = []
    number = first = 1
    for line in stream:
        if number == 1 and line.startswith(BOM):
            notes.bom = True
            line = line[3:]  # noqa: PLW2901
        number += 1
        if not line or line.isspace():
            if line not in (b"\n", b"\r\n", b""):
                notes.blank_lines += 1
            if lines:
                yield Block(first, _join(lines), ended=True, newline=True)
                lines = []
            first = number
            continue
        lines.append(line)
    if lines:
        yield Block(first, _join(lines), ended=False, newline=lines[-1].endswith(b"\n"))


def _join(lines: list[bytes]) -> bytes:
    return b"".join(lines).removesuffix(b"\n")
