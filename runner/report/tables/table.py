"""Tables of the report, shown on the page and in the terminal, and saved as CSV and JSON.

Values, CSV and JSON have accuracies and their changes as fractions. The page shows percent and points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from runner.report.results.spreadsheet import csv_text

Value: TypeAlias = str | int | float | bool | None
Kind = Literal["text", "count", "percent", "points", "number", "signed", "p", "yes", "list"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column. `key` names it in CSV and JSON, `title` on the page; `help` explains it.

    `interval` names two columns whose values the page shows below the value of this column, as `[low, high]`. The page
    has the columns that are `shown`, CSV and JSON those that are `saved`. `digits` is the number of decimals.
    """

    key: str
    title: str
    kind: Kind = "text"
    help: str = ""
    interval: tuple[str, str] | None = None
    shown: bool = True
    saved: bool = True
    digits: int | None = None
    look: str = ""  # CSS class of its cells

    @property
    def number(self) -> bool:
        """Whether the column is right-aligned and sorts from large to small."""
        return self.kind not in ("text", "yes", "list")


@dataclass(frozen=True, slots=True)
class Cell:
    """A value and its display on the page: a text, a second line, a tooltip and a CSS class.

    `pieces` are the segments of a text, and whether each is marked.
    """

    value: Value
    text: str | None = None
    small: str = ""
    tip: str = ""
    look: str = ""
    pieces: tuple[tuple[str, bool], ...] = ()


Row: TypeAlias = tuple[Value | Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with the name of its file, a title and a note for the page, columns and rows.

    `spans` are headings over shown columns (title, number of columns). `items` has, for each row, the index of the
    paradigm whose pairs the page can open, or None. A `folded` table is collapsed at first.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...] = ()
    note: str = ""
    spans: tuple[tuple[str, int], ...] = ()
    items: tuple[int | None, ...] = ()
    shown: bool = True
    saved: bool = True
    folded: bool = False

    def records(self) -> list[dict[str, Value]]:
        """Return the saved columns of the rows as dictionaries, for JSON."""
        return [
            {column.key: plain(cell) for column, cell in zip(self.columns, row, strict=True) if column.saved}
            for row in self.rows
        ]

    def where(self, name: str, keep: Callable[[dict[str, Value]], bool]) -> Table:
        """Return a table for the page with the rows whose records satisfy `keep`."""
        kept_rows = tuple(row for row, record in zip(self.rows, self.records(), strict=True) if keep(record))
        return replace(self, name=name, title="", rows=kept_rows, shown=True, saved=False)


def plain(cell: Value | Cell) -> Value:
    """Return the value of a cell."""
    return cell.value if isinstance(cell, Cell) else cell


def to_csv(table: Table) -> str:
    """Return the saved columns as CSV (RFC 4180) with `\\n` line ends.

    Missing values are empty, numbers have full precision, booleans are true and false. `'` precedes text that a
    spreadsheet would evaluate as a formula.
    """
    header = [column.key for column in table.columns if column.saved]
    return csv_text([header, *([_csv_value(value) for value in record.values()] for record in table.records())])


def _csv_value(value: Value) -> Value:
    return str(value).lower() if isinstance(value, bool) else value
