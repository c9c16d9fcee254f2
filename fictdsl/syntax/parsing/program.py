"""A loaded `.fict` file with the files and word lists that it uses."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from fictdsl.source import Source
from fictdsl.syntax.nodes import File, ListDef, ListFile, ListRows, Value
from fictdsl.syntax.parsing.word_lists import TAB, ListOverride, trimmed_row


@dataclass(frozen=True)
class Module:
    """A parsed file.

    `uses` maps the path written in `use "…"` to the module it names. `lists` maps the path written in `file "…"` to
    its entries (trimmed, NFC, without comments), and `tables` the path in `from "…"` to its rows. A row is a string of
    values joined by tabs. Files that could not be loaded are missing. `overrides` maps list names to the lists that
    replace them, in this module and in those that it uses.
    """

    source: Source
    file: File
    uses: dict[str, Module] = field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    path: Path | None = None
    overrides: dict[str, ListOverride] = field(default_factory=dict)

    def entries(self, item: ListDef) -> tuple[str, ...] | None:
        """Return the entries of a list that this file declares, or None if the list's file could not be read.

        The entries of a list with columns are rows: strings of values joined by tabs.
        """
        if item.name.text in self.overrides:
            entries = self.overrides[item.name.text].entries
            return tuple(dict.fromkeys(map(trimmed_row, entries))) if item.has_rows else entries
        if isinstance(item.body, ListFile):
            return (self.tables if item.body.table else self.lists).get(item.body.path.text)
        if isinstance(item.body, ListRows):
            rows = (tuple(value.text for value in row.values if isinstance(value, Value)) for row in item.body.rows)
            return tuple(dict.fromkeys(map(TAB.join, rows)))
        return tuple(value.text for value in item.body.values if isinstance(value, Value))
