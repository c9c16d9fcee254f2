"""Corpus files: find them, label them, and read them within limits, plain or compressed."""

from __future__ import annotations

import gzip
import io
import lzma
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path, PurePath, PurePosixPath
from typing import IO, Any

from fictdsl.source import Source, Span
from runner.errors import InputError
from runner.readers import IrregularFileError, open_regular, real_path

LINE_BYTES = 16 << 20
SENTENCE_BYTES = 64 << 20
# Text compresses to a third of its size, and the most repetitive treebank to about a fiftieth. 1 GiB is always
# allowed, because memory holds only one piece of a file at a time.
UNPACKED_BYTES = 1 << 30
MAX_RATIO = 200


class TooLargeError(Exception):
    """A line, sentence or decompressed file is larger than its limit. `open_input` converts this to an InputError."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


def check_sentence_size(line: int, size: int) -> None:
    if size > SENTENCE_BYTES:
        raise TooLargeError(f"a sentence of more than {SENTENCE_BYTES >> 20} MiB begins here", line)


class BoundedReader(io.RawIOBase):
    """A stream that raises TooLargeError. `compressed_size` returns the compressed bytes read so far."""

    def __init__(self, stream: Any, compressed_size: Callable[[], int] | None = None) -> None:
        self._stream = stream
        self._compressed_size = compressed_size
        self._line = 1
        self._line_size = 0  # bytes read of the current line
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
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


CONLLU_SUFFIXES = (".conllu", ".conllu.gz", ".conllu.xz", ".conllu.zip")


def corpus_files(paths: Sequence[Path], suffixes: Sequence[str], kind: str) -> list[Path]:
    """Return `paths`, with folders replaced with the files below them that end in one of `suffixes`, sorted by path.

    Hidden files and folders are skipped. Raises InputError if a folder has no such file (FICT733), or a file occurs
    twice (FICT737).
    """
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        folder_files = sorted(files_below(path, tuple(suffixes)))
        if not folder_files:
            raise InputError.of("FICT733", path=path, kind=kind)
        files += folder_files
    seen: set[Path] = set()
    for path in files:
        if real_path(path) in seen:
            raise InputError.of("FICT737", path=path)
        seen.add(real_path(path))
    return files


def files_below(folder: Path, suffixes: tuple[str, ...]) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.name.endswith(suffixes) and not is_hidden(path.relative_to(folder)) and path.is_file():
            yield path


def is_hidden(path: PurePath) -> bool:
    return any(part.startswith(".") and part != ".." for part in path.parts)


def source_labels(paths: Sequence[Path]) -> list[str]:
    paths_as_components = [_components(path) for path in paths]
    lengths = [1] * len(paths)
    while True:
        labels = ["/".join(parts[-n:]) for parts, n in zip(paths_as_components, lengths, strict=True)]
        shared_labels = {label for label, count in Counter(labels).items() if count > 1}
        new_lengths = [
            min(n + 1, len(parts)) if label in shared_labels else n
            for label, parts, n in zip(labels, paths_as_components, lengths, strict=True)
        ]
        if new_lengths == lengths:
            return labels
        lengths = new_lengths


def _components(path: Path) -> tuple[str, ...]:
    absolute = PurePath(path.absolute())
    return tuple(
        part.encode(errors="surrogateescape").decode(errors="replace")
        for part in absolute.parts
        if part != absolute.anchor
    )


@dataclass(frozen=True)
class Excerpt(Source):
    """A part of a file that begins at the 1-based line `first_line`. Positions refer to the whole file."""

    first_line: int = 1

    def position(self, offset: int) -> tuple[int, int]:
        line, column = super().position(offset)
        return line + self.first_line - 1, column

    def line_span(self, number: int) -> Span:
        return super().line_span(number - self.first_line + 1)


def line_excerpt(name: str, number: int, text: str, start: int = 0, end: int | None = None) -> tuple[Excerpt, Span]:
    """Return one line of a file as a source, and the span from `start` to `end` (default: its end) in code points."""
    return Excerpt(name, text, None, number), Span(start, len(text) if end is None else end)


BOM = b"\xef\xbb\xbf"


STDIN = Path("-")
_COMPRESSED: dict[bytes, Callable[[Any], Any]] = {b"\x1f\x8b": gzip.open, b"\xfd7zXZ\0": lzma.open}
CONLLU_MEMBERS = (".conllu",)  # of the files in an archive that are read as CoNLL-U
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # the second if the archive is empty
_BUFFER = 1 << 20


def archive_members(path: Path, suffixes: tuple[str, ...]) -> list[str]:
    """List the files in a zip archive that end in one of `suffixes`, sorted; [] if `path` is no zip archive."""
    with explain_read_errors(path):
        if path == STDIN or not path.is_file() or not _starts_with(path, *_ZIP):
            return []
        with zipfile.ZipFile(path) as archive:
            names = sorted(name for name in archive.namelist() if _is_member(name, suffixes))
    if not names:
        raise InputError.of("FICT733", path=path, kind=f"*{' or *'.join(suffixes)} files")
    for name, next_name in pairwise(names):
        if name == next_name:
            raise InputError.of("FICT738", path=path, name=name)
    return names


def readable_size(path: Path, suffixes: tuple[str, ...]) -> int:
    """Return the number of bytes that `open_input` passes to `on_bytes`, or 0 for a path that is not a regular file."""
    with explain_read_errors(path):
        if path == STDIN or not path.is_file():
            return 0
        if not _starts_with(path, *_ZIP):
            return path.stat().st_size
        with zipfile.ZipFile(path) as archive:
            return sum(member.file_size for member in archive.infolist() if _is_member(member.filename, suffixes))


def is_uncompressed(path: Path) -> bool:
    with explain_read_errors(path):
        return path != STDIN and path.is_file() and not _starts_with(path, *_COMPRESSED, *_ZIP)


@contextmanager
def open_input(
    path: Path, on_bytes: Callable[[bytes], None] | None = None, member: str | None = None
) -> Iterator[io.BufferedReader]:
    """Open a regular file for reading and decompress gzip or xz, recognized by the first bytes; `-` is standard input.

    `member` names a file in a zip archive. `on_bytes` receives the bytes of the file as they are read. Raises
    InputError if the file cannot be read (FICT700), or for a TooLargeError, also of the `with` block (FICT739).
    """
    with explain_read_errors(path), ExitStack() as stack:
        compressed_size: Callable[[], int] | None = None
        if path == STDIN:
            if sys.stdin is None:
                raise InputError.of("FICT700", path=path, reason="standard input is closed")
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
            raise InputError.of("FICT700", path=path, reason=reason)
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
    try:
        yield
    except RuntimeError as error:
        if not isinstance(error, NotImplementedError) and "password" not in str(error):
            raise
        reason = f"archives of this kind are not supported ({error})"  # encrypted, or an unknown compression method
        raise InputError.of("FICT700", path=path, reason=reason) from error
    except (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, zipfile.BadZipFile) as error:
        reason = f"the compressed data is damaged or cut short ({error})"
        raise InputError.of("FICT700", path=path, reason=reason) from error
    except TooLargeError as error:
        location = path if error.line is None else f"{path}:{error.line}"
        raise InputError.of("FICT739", place=location, reason=error.reason) from error
    except IrregularFileError as error:
        raise InputError.of("FICT700", path=path, reason=str(error.strerror)) from error
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError.of("FICT700", path=path, reason=reason) from error


class _CountingReader:
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
