"""Sections of the report. Their figures and tables are also written as files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runner.report.render.figure import Figure
from runner.tables import Table


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the page: a heading, a paragraph, figures and tables. `nav` is its short name in the contents.

    Tables that are not shown are only written as files.
    """

    id: str
    heading: str
    intro: str = ""
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    nav: str = ""

    @property
    def shown(self) -> tuple[Table, ...]:
        """The tables on the page, all of which have rows."""
        return tuple(table for table in self.tables if table.shown and table.rows)

    @property
    def visible(self) -> bool:
        """Whether the page has the section. Its tables are written as files in any case."""
        return bool(self.figures or self.shown)

    @property
    def saved(self) -> tuple[Table, ...]:
        """The tables in CSV and JSON."""
        return tuple(table for table in self.tables if table.saved)

    def files(self, formats: Sequence[str] = ("svg",)) -> tuple[str, ...]:
        """Return the names of the files of the section's figures, in these formats, and of its tables."""
        return (
            *(f"{figure.name}.{format_}" for figure in self.figures for format_ in formats),
            *(f"{table.name}.csv" for table in self.saved),
            *(f"{table.name}.tex" for table in self.shown),
        )
