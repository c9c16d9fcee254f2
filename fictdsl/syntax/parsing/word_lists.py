"""Read word lists, and lists that override declared ones."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Label
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.text.characters import decode, forbidden
from fictdsl.syntax.text.paths import MAX_LIST_BYTES, FileReference, read_bytes

TAB = "\t"  # separates the columns of a row
_MAX_REPEATED = 10  # warnings per word list


@dataclass(frozen=True, slots=True)
class ListOverride:
    """A list that replaces the declared lists of the same name.

    `file` is the path as written, or "" if the words do not come from a file. `sha256` (hex) is the digest of the
    file's bytes, or of the words, one per line. `lower` is True if the entries were lowercased.
    """

    name: str
    entries: tuple[str, ...]
    file: str
    sha256: str
    lower: bool = False

    @property
    def record(self) -> dict[str, object]:
        """The override without its words, as JSON values."""
        return {"file": self.file, "sha256": self.sha256, "words": len(self.entries), "lower": self.lower}

    def __str__(self) -> str:
        """Describe the list: `sv_nouns: 729 words of lists/sv_nouns.txt in lower case, sha256 ecd7142e…`."""
        count = f"{len(self.entries):,} word{'s' * (len(self.entries) != 1)}"
        source = f" of {self.file}" if self.file else ""
        return f"{self.name}: {count}{source}{' in lower case' if self.lower else ''}, sha256 {self.sha256}"


ListOverrides: TypeAlias = Mapping[str, ListOverride]
NO_OVERRIDES: ListOverrides = MappingProxyType({})


def read_list(name: str, path: Path, file: str) -> tuple[ListOverride | None, list[Diagnostic]]:
    """Read the file that overrides the list `name`. Return None and diagnostics if it cannot be read.

    `file` is the path as written, used in messages and in the record.
    """
    data = read_bytes(path, MAX_LIST_BYTES, FileReference(Source(file, ""), None, file))
    if isinstance(data, Diagnostic):
        return None, [data]
    source, problems = decode(data, file)
    if source is None:
        return None, problems
    entries, entry_problems = read_entries(source)
    return ListOverride(name, entries, file, hashlib.sha256(data).hexdigest()), [*problems, *entry_problems]


def list_from_words(name: str, words: Iterable[str]) -> ListOverride:
    """Create an override from words: trimmed, in NFC, without repetitions."""
    trimmed = (unicodedata.normalize("NFC", word).strip() for word in words)
    entries = tuple(dict.fromkeys(word for word in trimmed if word))
    return ListOverride(
        name, entries, "", hashlib.sha256("".join(f"{word}\n" for word in entries).encode()).hexdigest()
    )


def lowercase_where_compared(overrides: ListOverrides, files: Iterable[nodes.File]) -> dict[str, ListOverride]:
    """Lowercase the overrides that the files compare in lower case only.

    Published lists contain capitalized names, which would never match in lower case.
    """
    lowercase_only: dict[str, bool] = {}
    for membership in (membership for file in files for membership in _memberships(file)):
        if isinstance(membership.values, nodes.ListRef):
            name = membership.values.name
            lowercase_only[name] = lowercase_only.get(name, True) and membership.attribute.lower
    return {
        name: _lowercased(override) if lowercase_only.get(name) else override for name, override in overrides.items()
    }


def to_lower(text: str) -> str:
    """Convert a text to lower case as the language defines it: Python's `str.lower`, then NFC."""
    return unicodedata.normalize("NFC", text.lower())


def _lowercased(override: ListOverride) -> ListOverride:
    entries = tuple(dict.fromkeys(map(to_lower, override.entries)))
    return override if entries == override.entries else replace(override, entries=entries, lower=True)


def _memberships(node: object) -> Iterator[nodes.Member]:
    """Yield every test `x in …` in a part of a syntax tree."""
    if isinstance(node, nodes.Member):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from _memberships(part)
    elif is_dataclass(node):
        for part in fields(node):
            yield from _memberships(getattr(node, part.name))


def read_entries(source: Source) -> tuple[tuple[str, ...], list[Diagnostic]]:
    """Return the distinct entries of a word list, in order. Report repeated entries and forbidden characters."""
    first_starts: dict[
        str, int
    ] = {}  # entry to start of its line; computing a span for each would dominate the run time
    problems = forbidden(source)
    repetition_count = 0
    start = 0
    for line in source.text.split("\n"):
        entry = line.strip()
        if entry and not line.startswith("#"):
            entry = entry[1:] if entry.startswith("\\#") else entry
            if first_starts.setdefault(entry, start) != start:
                repetition_count += 1
                if repetition_count <= _MAX_REPEATED:
                    label = Label(_entry_span(source.text, first_starts[entry]), "first here")
                    span = _entry_span(source.text, start)
                    problems.append(diagnostic("FICT148", source, span, labels=(label,), entry=entry))
        start += len(line) + 1
    return tuple(first_starts), problems


def read_rows(source: Source) -> tuple[tuple[str, ...], list[Diagnostic]]:
    """Return the distinct rows of a list with columns, each as its trimmed values joined by tabs.

    Report the problems that `read_entries` reports, and rows whose number of columns differs from that of the first row
    (FICT150).
    """
    entries, problems = read_entries(source)
    rows = tuple(dict.fromkeys(TAB.join(value.strip() for value in entry.split(TAB)) for entry in entries))
    for row in rows:
        if row.count(TAB) != rows[0].count(TAB):
            start = source.text.find(row)
            counts = {"found": str(1 + row.count(TAB)), "expected": str(1 + rows[0].count(TAB))}
            span = Span(max(start, 0), max(start, 0) + len(row))
            problems.append(diagnostic("FICT150", source, span, hint=None, labels=(), fix=None, **counts))
    return rows, problems


def columns_of(entries: Iterable[str]) -> int | None:
    """Return the number of columns of a list with these entries, or None if it has no entry."""
    return next((1 + entry.count(TAB) for entry in entries), None)


def _entry_span(text: str, start: int) -> Span:
    """Return the span of the entry on the line that starts at `start`, without surrounding spaces."""
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else None]
    entry_start = start + len(line) - len(line.lstrip())
    return Span(entry_start, entry_start + len(line.strip()))
