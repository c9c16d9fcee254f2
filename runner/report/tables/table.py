"""A table as columns and plain values, from which page, CSV and JSON are all made.

Accuracies and their deltas are fractions (0–1) here and in CSV and JSON; the page shows percent and points.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from runner.report.results.spreadsheet import csv_text

Value = str | int | float | bool | None
Kind = Literal["text", "count", "percent", "points", "number", "p", "yes", "list"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `key` names it in CSV and JSON, `title` on the page, `help` says what it is."""

    key: str
    title: str
    kind: Kind = "text"
    help: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a name (its file's), a title, and rows of plain values in the order of the columns."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...] = ()
    notes: tuple[str, ...] = field(default=())

    def records(self) -> list[dict[str, Value]]:
        """Rows as dictionaries, for JSON."""
        keys = [column.key for column in self.columns]
        return [dict(zip(keys, row, strict=True)) for row in self.rows]


def to_csv(table: Table) -> str:
    """RFC 4180 with `\\n`; missing values are empty, numbers in full precision, truth as true and false.

    Text that a spreadsheet would run as a formula has `'` before it.
    """
    header = [column.key for column in table.columns]
    return csv_text([header, *(map(_plain, row) for row in table.rows)])


def _plain(value: Value) -> Value:
    return str(value).lower() if isinstance(value, bool) else value
