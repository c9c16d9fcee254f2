"""A part of the report: figures and tables under one heading, each a file of its own too."""

from __future__ import annotations

from dataclasses import dataclass

from runner.report.tables.table import Table
from runner.report.views.views import View


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing (`<svg>` without style), the name of its file without suffix, and what stands above it."""

    name: str
    title: str
    svg: str


@dataclass(frozen=True, slots=True)
class Section:
    """What the page shows under `heading`; `views` are tables with captions, `tables` go into CSV and JSON."""

    id: str
    heading: str
    words: str
    figures: tuple[Figure, ...] = ()
    views: tuple[tuple[str, View], ...] = ()
    tables: tuple[Table, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the files that hold the same."""
        return (*(f"{one.name}.svg" for one in self.figures), *(f"{table.name}.csv" for table in self.tables))
