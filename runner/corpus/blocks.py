"""A file, plain or gzip, into blocks of lines between empty lines, with what was unusual about it noted."""

from __future__ import annotations

import gzip
import lzma
import stat
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

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


STDIN = Path("-")
_PACKED: dict[bytes, Callable[[Any], Any]] = {b"\x1f\x8b": gzip.open, b"\xfd7zXZ\0": lzma.open}
_ZIP = b"PK\x03\x04"


def members(path: Path, suffixes: tuple[str, ...]) -> list[str]:
    """List the files in a zip archive whose names end in one of `suffixes`, sorted; none for any other file.

    Raises InputError (FICT738) if two of them have one name: only the last could be read.
    """
    with _explained(path):
        if path == STDIN or not path.is_file() or not _starts(path, _ZIP):
            return []
        with zipfile.ZipFile(path) as archive:
            names = sorted(name for name in archive.namelist() if name.endswith(suffixes))
    for name, following in pairwise(names):
        if name == following:
            raise InputError(diagnostic("FICT738", path=path, name=name))
    return names


def plain(path: Path) -> bool:
    """Whether a file is read as it lies, and can be read from any place on."""
    with _explained(path):
        return path != STDIN and path.is_file() and not any(_starts(path, magic) for magic in (*_PACKED, _ZIP))


@contextmanager
def open_input(
    path: Path, on_bytes: Callable[[bytes], None] | None = None, member: str | None = None
) -> Iterator[IO[bytes]]:
    """Open a regular file for reading, unpacking gzip and xz by their first bytes; every failure is FICT700.

    `-` is standard input. `on_bytes` gets the bytes of the file as they are read. `member` names a file in an archive.
    """
    with _explained(path), ExitStack() as stack:
        if path == STDIN:
            raw: Any = sys.stdin.buffer
        elif not stat.S_ISREG(path.stat().st_mode):
            raise InputError(diagnostic("FICT700", path=path, reason="it is not a regular file"))
        elif member is None:
            raw = stack.enter_context(path.open("rb"))
        else:
            raw = stack.enter_context(stack.enter_context(zipfile.ZipFile(path)).open(member))
        start = raw.peek(8)
        if member is None and start.startswith(_ZIP):
            reason = "it is an archive; `fictc import` reads the .conllu files in one"
            raise InputError(diagnostic("FICT700", path=path, reason=reason))
        counted: Any = raw if on_bytes is None else _Counting(raw, on_bytes)
        unpack = next((unpack for magic, unpack in _PACKED.items() if start.startswith(magic)), None)
        yield counted if unpack is None else unpack(counted)


def _starts(path: Path, magic: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(magic)) == magic


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Failures to read a file as messages."""
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, zipfile.BadZipFile, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "password" not in str(error):
            raise
        reason = f"the compressed data is damaged or cut short ({error})"
        raise InputError(diagnostic("FICT700", path=path, reason=reason)) from error
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(diagnostic("FICT700", path=path, reason=reason)) from error


class _Counting:
    """A binary file that shows what of it was read."""

    def __init__(self, raw: IO[bytes], on_bytes: Callable[[bytes], None]) -> None:
        self._raw = raw
        self._on_bytes = on_bytes

    def read(self, size: int = -1) -> bytes:
        data = self._raw.read(size)
        if data:
            self._on_bytes(data)
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
