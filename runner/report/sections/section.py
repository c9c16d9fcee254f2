"""Sections of the report, whose figures and tables are also files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runner.report.render.figure import Figure
from runner.report.tables.table import Table


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the page: a heading, a paragraph, figures and tables. `nav` is its short name in the contents.

    Tables that are not shown are files only.
    """

    id: str
    heading: str
    intro: str = ""
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    nav: str = ""

    @property
    def shown(self) -> tuple[Table, ...]:
        """Tables on the page: those with rows."""
        return tuple(table for table in self.tables if table.shown and table.rows)

    @property
    def visible(self) -> bool:
        """Whether the page has the section. Its tables are files in any case."""
        return bool(self.figures or self.shown)

    @property
    def saved(self) -> tuple[Table, ...]:
        """Tables in CSV and JSON."""
        return tuple(table for table in self.tables if table.saved)

    def files(self, forms: Sequence[str] = ("svg",)) -> tuple[str, ...]:
        """Return the names of the files with the section's figures, in these forms, and tables."""
        return (
            *(f"{figure.name}.{form}" for figure in self.figures for form in forms),
            *(f"{table.name}.csv" for table in self.saved),
            *(f"{table.name}.tex" for table in self.shown),
        )
