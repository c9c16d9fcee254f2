"""Read CoNLL-U Plus, whose first line names the columns, as CoNLL-U with the other columns in MISC."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.schema import Field
from runner.corpus.files.blocks import BOM, FileNotes
from runner.corpus.files.excerpt import line_excerpt
from runner.counted import counted
from runner.errors import InputError

_HEADER = re.compile(rb"#\s*global\.columns\s*=(.*)", re.DOTALL)
_STANDARD = tuple(field.name.encode() for field in Field)
_REQUIRED = (b"ID", b"FORM")
_ABSENT = (b"_", b"*", b"")


def is_plus(start: bytes) -> bool:
    """Return whether the first line of a file names other columns than those of CoNLL-U, or in another order."""
    header = _HEADER.match(_split_marks(start)[1].partition(b"\n")[0])
    return header is not None and tuple(header[1].split()) != _STANDARD


def as_conllu(stream: io.BufferedReader, name: str, notes: FileNotes) -> io.BufferedReader:
    """Return a stream with the same lines in CoNLL-U, or `stream` itself if it is not CoNLL-U Plus.

    `notes.plus` receives what differs. Reading raises InputError for a header without ID or FORM (FICT865) and for a
    row whose columns are not those of the header (FICT866). `name` is the name of the file in messages.
    """
    if not is_plus(stream.peek()):
        return stream
    return io.BufferedReader(_LineReader(_translated(stream, name, notes)))


def _translated(stream: io.BufferedReader, name: str, notes: FileNotes) -> Iterator[bytes]:
    """Yield the lines of a file in CoNLL-U. Each header, as in files that were joined, replaces the one before."""
    header: Sequence[bytes] = ()
    for number, line in enumerate(stream, 1):
        marks, content = _split_marks(line)
        text = content.rstrip(b"\r\n")
        end = content[len(text) :]
        if match := _HEADER.match(text):
            header = match[1].split()
            _check_header(header, name, number, text)
            notes.plus = _difference(header)
            text = b"# global.columns = " + b" ".join(_STANDARD)
        elif text.strip() and not text.startswith(b"#"):
            fields = text.split(b"\t")
            if len(fields) != len(header):
                source, span = line_excerpt(name, number, text.decode(errors="replace"))
                found = counted(len(fields), "column")
                raise InputError(diagnostic("FICT866", source, span, found=found, expected=len(header)))
            text = _row(dict(zip(header, fields, strict=True)))
        yield marks + text + end


def _check_header(header: Sequence[bytes], name: str, number: int, text: bytes) -> None:
    """Raise InputError (FICT865) if a header lacks a required column, or has a name twice or one that MISC excludes."""
    missing = [column for column in _REQUIRED if column not in header]
    repeated = [column for column, count in Counter(header).items() if count > 1]
    excluded = [column for column in header if b"=" in column or b"|" in column]
    if missing:
        reason = f"lacks {_joined(missing)}"
    elif repeated:
        reason = f"has {_joined(repeated)} more than once"
    elif excluded:
        reason = f"has {_joined(excluded)}, and a key of MISC has neither `=` nor `|`"
    else:
        return
    source, span = line_excerpt(name, number, text.decode(errors="replace"))
    raise InputError(diagnostic("FICT865", source, span, reason=reason))


def _difference(header: Sequence[bytes]) -> str:
    added = [column for column in header if column not in _STANDARD]
    missing = [column for column in _STANDARD if column not in header]
    parts = [f"{_joined(added)} in MISC"] if added else []
    parts += [f"without {_joined(missing)}"] if missing else []
    return "; ".join(parts) or "its columns have another order"


def _row(fields: dict[bytes, bytes]) -> bytes:
    columns = [fields.pop(column, b"_") for column in _STANDARD]
    entries = [b"%b=%b" % (key, value.replace(b"|", b"\\p")) for key, value in fields.items() if value not in _ABSENT]
    if entries:
        misc = [] if columns[Field.MISC] == b"_" else [columns[Field.MISC]]
        columns[Field.MISC] = b"|".join([*misc, *entries])
    return b"\t".join(columns)


def _split_marks(line: bytes) -> tuple[bytes, bytes]:
    """Return the byte order marks at the start of a line, and the rest."""
    rest = line
    while rest.startswith(BOM):
        rest = rest[len(BOM) :]
    return line[: len(line) - len(rest)], rest


def _joined(columns: Sequence[bytes]) -> str:
    return ", ".join(f"`{column.decode(errors='replace')}`" for column in columns)


class _LineReader(io.RawIOBase):
    """A binary file of lines that are made as they are read."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self._line = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._line = self._line or next(self._lines, b"")
        data, self._line = self._line[: len(buffer)], self._line[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)
