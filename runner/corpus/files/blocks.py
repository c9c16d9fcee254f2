"""Read plain or compressed files as blocks of lines separated by empty lines."""

from __future__ import annotations

import gzip
import io
import lzma
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import IO, Any

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.files.labels import is_hidden
from runner.corpus.files.limits import BoundedReader, TooLargeError, check_sentence_size
from runner.errors import InputError
from runner.readers import IrregularFileError, open_regular

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive lines that are not empty: their bytes without the last newline, and whether an empty line follows."""

    first_line: int
    data: bytes
    ended: bool
    newline: bool  # whether the last line ends with a newline


@dataclass(slots=True)
class FileNotes:
    """Accepted deviations of a file from the format."""

    bom: bool = False
    inner_boms: int = 0  # byte order marks before the first line of a later sentence, or after another
    crlf: bool = False
    plus: str = ""  # what differs from CoNLL-U in a file of CoNLL-U Plus
    blank_lines: int = 0  # lines of white space only, treated as empty
    open_end: bool = False  # whether no empty line follows the last sentence, which was accepted


STDIN = Path("-")
_COMPRESSED: dict[bytes, Callable[[Any], Any]] = {b"\x1f\x8b": gzip.open, b"\xfd7zXZ\0": lzma.open}
CONLLU_MEMBERS = (".conllu",)  # of the files in an archive that are read as CoNLL-U
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # the second if the archive is empty
_BUFFER = 1 << 20


def archive_members(path: Path, suffixes: tuple[str, ...]) -> list[str]:
    """List the files in a zip archive whose names end in one of `suffixes`, sorted; [] if `path` is not a zip archive.

    Hidden files and folders are skipped. Raises InputError if there is no such file (FICT733), or if two members have
    the same name (FICT738), because only the last one can be read.
    """
    with explain_read_errors(path):
        if path == STDIN or not path.is_file() or not _starts_with(path, *_ZIP):
            return []
        with zipfile.ZipFile(path) as archive:
            names = sorted(name for name in archive.namelist() if _is_member(name, suffixes))
    if not names:
        raise InputError(diagnostic("FICT733", path=path, kind=f"*{' or *'.join(suffixes)} files"))
    for name, next_name in pairwise(names):
        if name == next_name:
            raise InputError(diagnostic("FICT738", path=path, name=name))
    return names


def readable_size(path: Path, suffixes: tuple[str, ...]) -> int:
    """Return the number of bytes that `open_input` passes to `on_bytes` for a file, or for its `archive_members`.

    Return 0 for standard input and for a path that is not a regular file.
    """
    with explain_read_errors(path):
        if path == STDIN or not path.is_file():
            return 0
        if not _starts_with(path, *_ZIP):
            return path.stat().st_size
        with zipfile.ZipFile(path) as archive:
            return sum(member.file_size for member in archive.infolist() if _is_member(member.filename, suffixes))


def is_uncompressed(path: Path) -> bool:
    """Return whether `path` is a regular uncompressed file, which can be read from any offset."""
    with explain_read_errors(path):
        return path != STDIN and path.is_file() and not _starts_with(path, *_COMPRESSED, *_ZIP)


@contextmanager
def open_input(
    path: Path, on_bytes: Callable[[bytes], None] | None = None, member: str | None = None
) -> Iterator[io.BufferedReader]:
    """Open a regular file for reading and decompress gzip or xz, recognized by the first bytes; `-` is standard input.

    `member` names a file in a zip archive. `on_bytes` receives the bytes of the file as they are read.

    Raises InputError FICT700 if the file cannot be read, and FICT739 if a line is too long, an archive expands too much
    or the body of the `with` statement raises TooLargeError.
    """
    with explain_read_errors(path), ExitStack() as stack:
        compressed_size: Callable[[], int] | None = None
        if path == STDIN:
            if sys.stdin is None:
                raise InputError(diagnostic("FICT700", path=path, reason="standard input is closed"))
            raw: Any = sys.stdin.buffer
        elif member is None:
            raw = stack.enter_context(open_regular(path))
        else:
            archive = stack.enter_context(zipfile.ZipFile(stack.enter_context(open_regular(path))))
            raw = stack.enter_context(archive.open(member))
            compressed_size = partial(int, archive.getinfo(member).compress_size)
        start = raw.peek(8)
        if member is None and start.startswith(_ZIP):
            reason = "it is a zip archive; only `fictc import` reads these"
            raise InputError(diagnostic("FICT700", path=path, reason=reason))
        counted = _CountingReader(raw, on_bytes)
        decompress = next((function for magic, function in _COMPRESSED.items() if start.startswith(magic)), None)
        if decompress is not None and compressed_size is None:
            compressed_size = counted.size
        stream = counted if decompress is None else decompress(counted)
        yield io.BufferedReader(BoundedReader(stream, compressed_size), _BUFFER)


def _starts_with(path: Path, *magic: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(max(map(len, magic))).startswith(magic)


def _is_member(name: str, suffixes: tuple[str, ...]) -> bool:
    return name.endswith(suffixes) and not is_hidden(PurePosixPath(name))


@contextmanager
def explain_read_errors(path: Path) -> Iterator[None]:
    """Convert errors of reading a file, and TooLargeError, to InputError."""
    try:
        yield
    except RuntimeError as error:
        if not isinstance(error, NotImplementedError) and "password" not in str(error):
            raise
        reason = f"archives of this kind are not supported ({error})"  # encrypted, or an unknown compression method
        raise InputError(diagnostic("FICT700", path=path, reason=reason)) from error
    except (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, zipfile.BadZipFile) as error:
        reason = f"the compressed data is damaged or cut short ({error})"
        raise InputError(diagnostic("FICT700", path=path, reason=reason)) from error
    except TooLargeError as error:
        location = path if error.line is None else f"{path}:{error.line}"
        raise InputError(diagnostic("FICT739", place=location, reason=error.reason)) from error
    except IrregularFileError as error:
        raise InputError(diagnostic("FICT700", path=path, reason=str(error.strerror))) from error
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(diagnostic("FICT700", path=path, reason=reason)) from error


class _CountingReader:
    """A binary file that counts the bytes read and passes them to a callback."""

    def __init__(self, raw: IO[bytes], on_bytes: Callable[[bytes], None] | None) -> None:
        self._raw = raw
        self._on_bytes = on_bytes
        self._size = 0

    def read(self, size: int = -1) -> bytes:
        data = self._raw.read(size)
        self._size += len(data)
        if data and self._on_bytes is not None:
            self._on_bytes(data)
        return data

    def size(self) -> int:
        return self._size


def read_blocks(stream: IO[bytes], notes: FileNotes) -> Iterator[Block]:
    """Split a stream at blank lines. Memory holds one block at a time.

    Raises TooLargeError if a block has more than `SENTENCE_BYTES`.
    """
    lines: list[bytes] = []
    size = 0
    next_line = first_line = 1
    for line in stream:
        if next_line == 1 and line.startswith(BOM):
            notes.bom = True
            line = line[3:]  # noqa: PLW2901
        while not lines and line.startswith(BOM):
            notes.inner_boms += 1
            line = line[3:]  # noqa: PLW2901
        next_line += 1
        if not line or line.isspace():
            if line not in (b"\n", b"\r\n", b"\r", b""):  # a truncated file may end in `\r`
                notes.blank_lines += 1
            if lines:
                yield Block(first_line, _join(lines), ended=True, newline=True)
                lines, size = [], 0
            first_line = next_line
            continue
        lines.append(line)
        size += len(line)
        check_sentence_size(first_line, size)
    if lines:
        yield Block(first_line, _join(lines), ended=False, newline=lines[-1].endswith(b"\n"))


def _join(lines: list[bytes]) -> bytes:
    return b"".join(lines).removesuffix(b"\n")
