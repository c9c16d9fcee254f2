"""Optional sections of the report, whose figures and tables are also files."""

from __future__ import annotations

from dataclasses import dataclass

from runner.report.tables.table import Table
from runner.report.views.views import View


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing (`<svg>` without style), its file name without suffix, and its caption."""

    name: str
    title: str
    svg: str


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the page. `views` are displayed tables with captions, `tables` their CSV and JSON form."""

    id: str
    heading: str
    intro: str
    figures: tuple[Figure, ...] = ()
    views: tuple[tuple[str, View], ...] = ()
    tables: tuple[Table, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the files with the section's figures and tables."""
        return (*(f"{figure.name}.svg" for figure in self.figures), *(f"{table.name}.csv" for table in self.tables))
