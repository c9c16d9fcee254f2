"""A table of columns and plain values, from which page, CSV and JSON are made.

Accuracies and their deltas are fractions (0–1) here, in CSV and in JSON. The page shows percent and points.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from runner.report.results.spreadsheet import csv_text

Value = str | int | float | bool | None
Kind = Literal["text", "count", "percent", "points", "number", "p", "yes", "list"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column. `key` names it in CSV and JSON, `title` on the page; `help` explains it."""

    key: str
    title: str
    kind: Kind = "text"
    help: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a name (that of its file), a title, columns and rows of plain values."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...] = ()
    notes: tuple[str, ...] = field(default=())

    def records(self) -> list[dict[str, Value]]:
        """Return the rows as dictionaries, for JSON."""
        keys = [column.key for column in self.columns]
        return [dict(zip(keys, row, strict=True)) for row in self.rows]


def to_csv(table: Table) -> str:
    """Return the table as CSV (RFC 4180) with `\n` line ends.

    Missing values are empty, numbers have full precision, booleans are true and false. `'` precedes text that a
    spreadsheet would run as a formula.
    """
    header = [column.key for column in table.columns]
    return csv_text([header, *(map(_plain, row) for row in table.rows)])


def _plain(value: Value) -> Value:
    return str(value).lower() if isinstance(value, bool) else value
