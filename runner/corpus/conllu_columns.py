"""Values of CoNLL-U, what is noted about a file, and CoNLL-U Plus as CoNLL-U."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from unicodedata import normalize

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import nearest
from fictdsl.glossary import UPOS
from fictdsl.schema import DECIMAL, Field
from fictdsl.words import counted
from runner.corpus.corpus_files import BOM, line_excerpt
from runner.errors import InputError

_NUMBER = re.compile(DECIMAL)


@lru_cache(maxsize=1 << 16)
def parse_feats(text: str) -> tuple[tuple[str, str], ...] | None:
    """Return FEATS as (name, value) pairs in NFC, in the order of the file, or None if the value is malformed."""
    if text == "_":
        return ()
    pairs = []
    for entry in text.split("|"):
        name, equals, value = entry.partition("=")
        if not (name and equals and value):
            return None
        pairs.append((normalize("NFC", name), normalize("NFC", value)))
    if len({name for name, _ in pairs}) != len(pairs):
        return None
    return tuple(pairs)


@lru_cache(maxsize=1 << 16)
def parse_misc(text: str) -> tuple[tuple[str, str, float | None], ...]:
    """Return MISC as (key, value, number) triples in NFC. The value of an entry without `=` is empty."""
    if text == "_":
        return ()
    return tuple(parse_entry(entry) for entry in text.split("|") if entry)


def parse_entry(entry: str) -> tuple[str, str, float | None]:
    """Split `key = value` or `key` into key, value and number, in NFC and without surrounding white space."""
    key, _, value = entry.partition("=")
    value = normalize("NFC", value.strip())
    return normalize("NFC", key.strip()), value, parse_number(value)


def parse_comment(comment: str) -> tuple[str, str, float | None]:
    """Split a comment as `parse_entry` does. White space within the key is one space: `newdoc  id`."""
    key, value, number = parse_entry(comment)
    return " ".join(key.split()), value, number


def parse_number(value: str) -> float | None:
    return float(value) if _NUMBER.fullmatch(value) else None


_MAX_TAGS = 20  # unknown UPOS tags that are listed; the others are counted


@dataclass(slots=True)
class Notes:
    plus: str = ""  # what differs from CoNLL-U in a file of CoNLL-U Plus
    bom: bool = False
    crlf: bool = False
    blank_lines: int = 0  # lines of white space only, treated as empty
    open_end: bool = False  # whether no empty line follows the last sentence, which was accepted
    upos: Counter[str] = field(default_factory=Counter)  # the words with each unknown tag
    root_labels: int = 0  # sentences in which head 0 and the label `root` do not coincide
    root_label_line: int = 0  # the line where the first of them begins, 0 if there is none
    inner_boms: int = 0  # byte order marks before the first line of a later sentence, or after another
    empty_texts: int = 0  # comments `text` without a value
    other_texts: int = 0  # sentences whose `text` has other words
    withheld: int = 0  # sentences without a form

    def add(self, later: Notes) -> None:
        for name in self.__slots__:
            value, later_value = getattr(self, name), getattr(later, name)
            is_counted = name != "root_label_line" and not isinstance(value, bool | str)
            setattr(self, name, value + later_value if is_counted else value or later_value)

    def diagnostics(self, file: str) -> Iterator[Diagnostic]:
        if self.plus:
            yield diagnostic("FICT864", file=file, difference=self.plus)
        if self.bom:
            yield diagnostic("FICT726", file=file)
        if self.crlf:
            yield diagnostic("FICT727", file=file)
        if self.blank_lines:
            yield diagnostic("FICT729", file=file, lines=counted(self.blank_lines, "line"))
        if self.open_end:
            yield diagnostic("FICT728", file=file)
        yield from self._unknown_tags(file)
        if self.root_labels:
            found = counted(self.root_labels, "sentence")
            yield diagnostic("FICT717", file=file, found=found, line=self.root_label_line)
        if self.inner_boms:
            yield diagnostic("FICT860", file=file, count=counted(self.inner_boms, "byte order mark"))
        if self.empty_texts:
            yield diagnostic("FICT861", file=file, count=counted(self.empty_texts, "comment"))
        if self.other_texts:
            yield diagnostic("FICT862", file=file, count=counted(self.other_texts, "sentence"))
        if self.withheld:
            yield diagnostic("FICT863", file=file, count=counted(self.withheld, "sentence"))

    def _unknown_tags(self, file: str) -> Iterator[Diagnostic]:
        frequent_tags = dict(self.upos.most_common(_MAX_TAGS))
        for tag, count in sorted(frequent_tags.items()):
            suggestion = nearest(tag, UPOS)
            hint = f"the nearest tag is `{suggestion}`" if suggestion else f"UPOS is one of {' '.join(UPOS)}"
            yield diagnostic("FICT722", hint=hint, found=f"tag `{tag}`", times=counted(count, "word"), file=file)
        if len(self.upos) > _MAX_TAGS:
            times = counted(self.upos.total() - sum(frequent_tags.values()), "word")
            omitted = f"tags: {len(self.upos) - _MAX_TAGS:,} more"
            hint = "the fourth column of CoNLL-U is UPOS"
            yield diagnostic("FICT722", hint=hint, found=omitted, times=times, file=file)


_HEADER = re.compile(rb"#\s*global\.columns\s*=(.*)", re.DOTALL)
_STANDARD = tuple(field.name.encode() for field in Field)
_REQUIRED = (b"ID", b"FORM")
_ABSENT = (b"_", b"*", b"")


def is_plus(start: bytes) -> bool:
    header = _HEADER.match(_split_marks(start)[1].partition(b"\n")[0])
    return header is not None and tuple(header[1].split()) != _STANDARD


def as_conllu(stream: io.BufferedReader, name: str, notes: Notes) -> io.BufferedReader:
    """Return the lines in CoNLL-U (FICT865, FICT866), or `stream` itself if it is not CoNLL-U Plus."""
    if not is_plus(stream.peek()):
        return stream
    return io.BufferedReader(_LineReader(_translated(stream, name, notes)))


def _translated(stream: io.BufferedReader, name: str, notes: Notes) -> Iterator[bytes]:
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
                raise InputError.of("FICT866", source, span, found=found, expected=len(header))
            text = _row(dict(zip(header, fields, strict=True)))
        yield marks + text + end


def _check_header(header: Sequence[bytes], name: str, number: int, text: bytes) -> None:
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
    raise InputError.of("FICT865", source, span, reason=reason)


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
    rest = line
    while rest.startswith(BOM):
        rest = rest[len(BOM) :]
    return line[: len(line) - len(rest)], rest


def _joined(columns: Sequence[bytes]) -> str:
    return ", ".join(f"`{column.decode(errors='replace')}`" for column in columns)


class _LineReader(io.RawIOBase):
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
