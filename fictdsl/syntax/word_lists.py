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
from fictdsl.diagnostics.diagnostic import Diagnostic, Label, Severity
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.files import MAX_LIST_BYTES, FileReference, decode, forbidden_character_diagnostics, read_bytes

TAB = "\t"  # separates the columns of a row
_MAX_REPEATED = 10  # warnings per word list
_MAX_RAGGED = 10  # errors per word list


@dataclass(frozen=True, slots=True)
class ListOverride:
    """A list that replaces the declared lists of the same name.

    `file` is the path as written, or "" if the words do not come from a file. `sha256` (hex) is the digest of the
    file's bytes, or of the words, one per line. `lower` is True if lowercasing changed the entries.
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
    """Read the file that overrides the list `name`. Return None and diagnostics if it cannot be read or has errors.

    `file` is the path as written, used in messages and in the record.
    """
    data = read_bytes(path, MAX_LIST_BYTES, FileReference(Source(file, ""), None, file))
    if isinstance(data, Diagnostic):
        return None, [data]
    source, problems = decode(data, file)
    if source is None:
        return None, problems
    entries, entry_problems = read_entries(source)
    problems = [*problems, *entry_problems]
    if any(problem.severity is Severity.ERROR for problem in problems):
        return None, problems
    return ListOverride(name, entries, file, hashlib.sha256(data).hexdigest()), problems


def list_from_words(name: str, words: Iterable[str]) -> ListOverride:
    """Create an override from words: trimmed, in NFC, without repetitions."""
    trimmed = (unicodedata.normalize("NFC", word).strip() for word in words)
    entries = tuple(dict.fromkeys(word for word in trimmed if word))
    return ListOverride(
        name, entries, "", hashlib.sha256("".join(f"{word}\n" for word in entries).encode()).hexdigest()
    )


def lowercase_where_compared(overrides: ListOverrides, files: Iterable[nodes.File]) -> dict[str, ListOverride]:
    """Return the overrides, with the columns in lower case that the files compare in lower case only.

    Published lists contain capitalized names, which would never equal a lowercased value.
    """
    lowercase_only: dict[str, dict[int, bool]] = {}  # list → column → whether all tests of it are in lower case
    for membership in (membership for file in files for membership in _memberships(file)):
        if isinstance(membership.values, nodes.ListRef):
            columns = lowercase_only.setdefault(membership.values.name, {})
            for column, attribute in enumerate(_attributes_of(membership)):
                columns[column] = columns.get(column, True) and attribute.lower
    return {name: _lowercased(override, lowercase_only.get(name, {})) for name, override in overrides.items()}


def single_word_lists(files: Iterable[nodes.File]) -> set[str]:
    """Return the names of the lists that the files compare with one attribute, not with a tuple."""
    memberships = (membership for file in files for membership in _memberships(file))
    return {
        membership.values.name
        for membership in memberships
        if isinstance(membership, nodes.Member) and isinstance(membership.values, nodes.ListRef)
    }


def to_lower(text: str) -> str:
    """Convert a text to lower case as the language defines it: Python's `str.lower`, then NFC."""
    return unicodedata.normalize("NFC", text.lower())


def _attributes_of(membership: nodes.Member | nodes.TupleMember) -> list[nodes.Attribute]:
    if isinstance(membership, nodes.Member):
        return [membership.attribute]
    return [node_attribute.attribute for node_attribute in membership.attributes]


def _lowercased(override: ListOverride, lowercase_only: Mapping[int, bool]) -> ListOverride:
    if not any(lowercase_only.values()):
        return override
    rows = (enumerate(entry.split(TAB)) for entry in override.entries)
    entries = tuple(
        dict.fromkeys(
            TAB.join(to_lower(text) if lowercase_only.get(column) else text for column, text in row) for row in rows
        )
    )
    return override if entries == override.entries else replace(override, entries=entries, lower=True)


def _memberships(node: object) -> Iterator[nodes.Member | nodes.TupleMember]:
    """Yield every test `x in …` or `(x, y) in …` in a part of a syntax tree."""
    if isinstance(node, nodes.Member | nodes.TupleMember):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from _memberships(part)
    elif is_dataclass(node):
        for field in fields(node):
            yield from _memberships(getattr(node, field.name))


def read_entries(source: Source) -> tuple[tuple[str, ...], list[Diagnostic]]:
    """Return the distinct entries of a word list, in order. Report repeated entries and forbidden characters."""
    line_starts, problems = _read_lines(source)
    return tuple(line_starts), problems


def read_rows(source: Source) -> tuple[tuple[str, ...], list[Diagnostic]]:
    """Return the distinct rows of a list with columns, each as its trimmed values joined by tabs.

    Report the problems that `read_entries` reports, and rows whose number of columns differs from that of the first row
    (FICT150).
    """
    line_starts, problems = _read_lines(source)
    rows: dict[str, int] = {}
    for entry, start in line_starts.items():
        rows.setdefault(trimmed_row(entry), start)
    first_row = next(iter(rows), "")
    ragged_rows = [row for row in rows if row.count(TAB) != first_row.count(TAB)]
    for row in ragged_rows[:_MAX_RAGGED]:
        span = _entry_span(source.text, rows[row])
        counts = {"found": str(1 + row.count(TAB)), "expected": str(1 + first_row.count(TAB))}
        problems.append(diagnostic("FICT150", source, span, hint=None, labels=(), fix=None, **counts))
    return tuple(rows), problems


def trimmed_row(entry: str) -> str:
    """Return a row without spaces around its values."""
    return TAB.join(value.strip() for value in entry.split(TAB))


def _read_lines(source: Source) -> tuple[dict[str, int], list[Diagnostic]]:
    """Return the start of the line of each distinct entry, and the problems that `read_entries` reports."""
    line_starts: dict[str, int] = {}  # not spans, since computing each span would dominate the run time
    problems = forbidden_character_diagnostics(source)
    repetition_count = 0
    start = 0
    for line in source.text.split("\n"):
        entry = line.strip()
        if entry and not line.startswith("#"):
            entry = entry[1:] if entry.startswith("\\#") else entry
            if line_starts.setdefault(entry, start) != start:
                repetition_count += 1
                if repetition_count <= _MAX_REPEATED:
                    label = Label(_entry_span(source.text, line_starts[entry]), "first here")
                    span = _entry_span(source.text, start)
                    problems.append(diagnostic("FICT148", source, span, labels=(label,), entry=entry))
        start += len(line) + 1
    return line_starts, problems


def column_counts_of(entries: Iterable[str]) -> set[int]:
    """Return the numbers of columns that the rows of a list have."""
    return {1 + entry.count(TAB) for entry in entries}


def _entry_span(text: str, start: int) -> Span:
    """Return the span of the entry on the line that starts at `start`, without surrounding spaces."""
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else None]
    entry_start = start + len(line) - len(line.lstrip())
    return Span(entry_start, entry_start + len(line.strip()))
