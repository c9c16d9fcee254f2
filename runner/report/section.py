"""Sections of the report, with figures and tables that are also written as files, and the names of files."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from runner.tables import Table


def slug(name: str) -> str:
    """Return a name that is a valid file name on any system. A changed name gets a short hash and stays unique."""
    safe = "".join(char if char.isascii() and (char.isalnum() or char in "-_.") else "-" for char in name)[:120]
    return safe if safe == name else f"{safe}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing: its unstyled `svg`, the `name` of its file without suffix, and its `title`, which may be empty."""

    name: str
    title: str
    svg: str
    titled: bool = False  # whether the drawing contains its title


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the page. `nav` is its short name in the contents."""

    id: str
    heading: str
    intro: str = ""
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    nav: str = ""
    text_place: int = 0  # of its tables in the text format, which lacks them if 0

    @property
    def shown(self) -> tuple[Table, ...]:
        return tuple(table for table in self.tables if table.shown and table.rows)

    @property
    def visible(self) -> bool:
        return bool(self.figures or self.shown)

    @property
    def saved(self) -> tuple[Table, ...]:
        return tuple(table for table in self.tables if table.saved)

    def files(self, formats: Sequence[str] = ("svg",)) -> tuple[str, ...]:
        return (
            *(f"{figure.name}.{format_}" for figure in self.figures for format_ in formats),
            *(f"{table.name}.csv" for table in self.saved),
            *(f"{table.name}.tex" for table in self.shown),
        )
