"""Values, trees and columns of CoNLL-U and CoNLL-U Plus, in plain Python."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any
from unicodedata import normalize

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.schema import Field
from fictdsl.words import counted
from runner.corpus.corpus_files import BOM, FileNotes, line_excerpt
from runner.errors import InputError

_TAGS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
UPOS = frozenset(_TAGS.split(" "))

_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
_DEPS_HEAD = re.compile(r"(0|[1-9][0-9]*)(\.[1-9][0-9]*)?")


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
    """Return MISC as (key, value, number) triples in NFC.

    The value of an entry without `=` is empty. The number is None unless the value is a decimal number.
    """
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


def parse_deps(text: str) -> list[tuple[str, str]] | None:
    """Return DEPS as (head, label) pairs, with heads as in the file, or None if the value is malformed."""
    if text == "_":
        return []
    pairs = []
    for entry in text.split("|"):
        head, colon, label = entry.partition(":")
        if not (colon and label and _DEPS_HEAD.fullmatch(head)):
            return None
        pairs.append((head, label))
    return pairs


def tree_intervals(heads: Sequence[int]) -> tuple[list[int], list[int], list[int]] | None:
    """Return `pre`, `last` and `depth` of each word, in word order, or None if the heads are not a tree.

    `heads[i]` is the head of word i + 1, from 0 to len(heads). Word b is below word a if and only if `pre[a] < pre[b]
    <= last[a]`. `pre` starts at 1, and the root has depth 1.
    """
    word_count = len(heads)
    children: list[list[int]] = [[] for _ in range(word_count + 1)]
    for word in range(word_count, 0, -1):  # from the right, so that the stack pops them from the left
        children[heads[word - 1]].append(word)
    if len(children[0]) != 1:
        return None
    pre, depth = [0] * (word_count + 1), [0] * (word_count + 1)
    order: list[int] = []
    stack = [children[0][0]]
    while stack:
        word = stack.pop()
        order.append(word)
        pre[word] = len(order)
        depth[word] = depth[heads[word - 1]] + 1
        stack += children[word]
    if len(order) != word_count:
        return None
    last = pre[:]
    for word in reversed(order):
        head = heads[word - 1]
        if last[word] > last[head]:  # noqa: PLR1730 - a call of max would dominate the time
            last[head] = last[word]
    return pre[1:], last[1:], depth[1:]


def find_cycle(heads: Sequence[int]) -> list[int]:
    visited_from = [0] * (len(heads) + 1)  # start of the walk that visited the word, or 0
    for start in range(1, len(heads) + 1):
        word = start
        while word and not visited_from[word]:
            visited_from[word] = start
            word = heads[word - 1]
        if word and visited_from[word] == start:
            cycle = [word]
            while heads[cycle[-1] - 1] != word:
                cycle.append(heads[cycle[-1] - 1])
            return cycle
    return []


_HEADER = re.compile(rb"#\s*global\.columns\s*=(.*)", re.DOTALL)
_STANDARD = tuple(field.name.encode() for field in Field)
_REQUIRED = (b"ID", b"FORM")
_ABSENT = (b"_", b"*", b"")


def is_plus(start: bytes) -> bool:
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
