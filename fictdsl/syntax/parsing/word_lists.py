"""Word lists: the entries of a file, and the lists that a caller puts in the place of declared ones."""

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
from fictdsl.syntax.text.paths import LIST_BYTES, Place, read_bytes

_MOST_REPEATED = 10  # warnings for one word list


@dataclass(frozen=True, slots=True)
class GivenList:
    """A list that replaces the declared lists of its name.

    `file` is the path as it was written, "" for words that are in no file; `sha256` (hex) is that of the file's bytes,
    or of the words, one a line. `lower` says that the entries were changed to lower case.
    """

    name: str
    entries: tuple[str, ...]
    file: str
    sha256: str
    lower: bool = False

    @property
    def record(self) -> dict[str, object]:
        """All but the words, as plain JSON."""
        return {"file": self.file, "sha256": self.sha256, "words": len(self.entries), "lower": self.lower}

    def __str__(self) -> str:
        """`sv_nouns: 729 words of lists/sv_nouns.txt in lower case, sha256 ecd7142e…`, the hash in full."""
        count = f"{len(self.entries):,} word{'s' * (len(self.entries) != 1)}"
        source = f" of {self.file}" if self.file else ""
        return f"{self.name}: {count}{source}{' in lower case' if self.lower else ''}, sha256 {self.sha256}"


Given: TypeAlias = Mapping[str, GivenList]
NONE: Given = MappingProxyType({})


def read_list(name: str, path: Path, file: str) -> tuple[GivenList | None, list[Diagnostic]]:
    """Read the file that is given for a list; None, with the reason, if it cannot be read. `file` is its name."""
    data = read_bytes(path, LIST_BYTES, Place(Source(file, ""), None, file))
    if isinstance(data, Diagnostic):
        return None, [data]
    source, problems = decode(data, file)
    if source is None:
        return None, problems
    entries, found = read_entries(source)
    return GivenList(name, entries, file, hashlib.sha256(data).hexdigest()), [*problems, *found]


def list_of(name: str, words: Iterable[str]) -> GivenList:
    """Make a list of words that are in no file: trimmed, in NFC, each once."""
    trimmed = (unicodedata.normalize("NFC", word).strip() for word in words)
    entries = tuple(dict.fromkeys(word for word in trimmed if word))
    return GivenList(name, entries, "", hashlib.sha256("".join(f"{word}\n" for word in entries).encode()).hexdigest())


def as_compared(given: Given, files: Iterable[nodes.File]) -> dict[str, GivenList]:
    """Change to lower case the lists that all tests of the files compare in lower case.

    Published lists have names with a capital and are compared in lower case, where a capital never matches.
    """
    lower: dict[str, bool] = {}
    for member in (member for file in files for member in _members(file)):
        if isinstance(member.values, nodes.ListRef):
            name = member.values.name
            lower[name] = lower.get(name, True) and member.attribute.lower
    return {name: _lowered(chosen) if lower.get(name) else chosen for name, chosen in given.items()}


def lowered(text: str) -> str:
    """Lower case as the language defines it: Python's `str.lower`, then NFC."""
    return unicodedata.normalize("NFC", text.lower())


def _lowered(given: GivenList) -> GivenList:
    entries = tuple(dict.fromkeys(map(lowered, given.entries)))
    return given if entries == given.entries else replace(given, entries=entries, lower=True)


def _members(node: object) -> Iterator[nodes.Member]:
    """Every test `x in …` below a node of a syntax tree."""
    if isinstance(node, nodes.Member):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from _members(part)
    elif is_dataclass(node):
        for part in fields(node):
            yield from _members(getattr(node, part.name))


def read_entries(source: Source) -> tuple[tuple[str, ...], list[Diagnostic]]:
    """The entries of a word list, each once, in order; repeated ones and forbidden characters are diagnostics."""
    first: dict[str, int] = {}  # where its line starts; a span for each would take most of the time
    problems = forbidden(source)
    repeated = 0
    start = 0
    for line in source.text.split("\n"):
        entry = line.strip()
        if entry and not line.startswith("#"):
            entry = entry[1:] if entry.startswith("\\#") else entry
            if first.setdefault(entry, start) != start:
                repeated += 1
                if repeated <= _MOST_REPEATED:
                    label = Label(_span(source.text, first[entry]), "first here")
                    span = _span(source.text, start)
                    problems.append(diagnostic("FICT148", source, span, labels=(label,), entry=entry))
        start += len(line) + 1
    return tuple(first), problems


def _span(text: str, start: int) -> Span:
    """Return the span of the entry on the line that starts there, without the spaces around it."""
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else None]
    begin = start + len(line) - len(line.lstrip())
    return Span(begin, begin + len(line.strip()))
