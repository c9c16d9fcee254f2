"""A file with everything it reads: used files, word lists, and where each was found."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from fictdsl.source import Source
from fictdsl.syntax.nodes import File, ListDef, ListFile, Value
from fictdsl.syntax.parsing.word_lists import GivenList


@dataclass(frozen=True)
class Module:
    """One parsed file. `uses` maps the path as written in `use "…"` to the module it names;
    `lists` maps the path as written in `file "…"` to its entries (trimmed, NFC, comments gone); `given` maps the
    names of lists to those that replace them, here and in the modules used."""

    source: Source
    file: File
    uses: dict[str, Module] = field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    path: Path | None = None
    given: dict[str, GivenList] = field(default_factory=dict)

    def entries(self, item: ListDef) -> tuple[str, ...] | None:
        """The entries of a list of this file: given, read from its file or written; None if the file was not read."""
        if item.name.text in self.given:
            return self.given[item.name.text].entries
        if isinstance(item.body, ListFile):
            return self.lists.get(item.body.path.text)
        return tuple(value.text for value in item.body.values if isinstance(value, Value))
