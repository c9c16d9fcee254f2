"""Tables: columns that know their value in a row, as aligned text, CSV, JSON, LaTeX, and cells for HTML.

Values, CSV and JSON have accuracies and their changes as fractions. Text, LaTeX and HTML show percent and points.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

from runner import formatting

Value: TypeAlias = str | int | float | bool | None
Kind = Literal["text", "count", "percent", "points", "number", "signed", "p", "yes", "list"]

_FORMULA = re.compile(r"'*(\s*[=+\-@]|[\t\r])")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf|nan")
_LATEX = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "Δ": r"$\Delta$",
    "α": r"$\alpha$",
    "<": "$<$",
    ">": "$>$",
    "▾": r"$\downarrow$",
    "▴": r"$\uparrow$",
    "–": "--",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A value and its display. `pieces` are the segments of a text, and whether each is marked."""

    value: Value
    text: str | None = None
    small: str = ""
    tip: str = ""
    css_class: str = ""
    pieces: tuple[tuple[str, bool], ...] = ()

    @property
    def sort(self) -> float | str:
        """The key by which the page sorts the cell."""
        return "" if self.value is None else self.value if isinstance(self.value, str) else float(self.value)


Row: TypeAlias = tuple[Value | Cell, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column. `key` names it in CSV and JSON, `title` elsewhere; `help` explains it.

    `value` returns the cell of an item. A path such as `difference.low` reads attributes or entries, and is None if one
    of them is None; by default, the cell is the attribute or the entry called `key`.
    `interval` names two columns whose values are shown after the value of this column, as `[low, high]`. Text, LaTeX
    and HTML have the columns that are `shown`, CSV and JSON those that are `saved`.
    """

    key: str
    title: str = ""
    kind: Kind = "text"
    value: str | Callable[[Any], Value | Cell] = ""
    help: str = ""
    interval: tuple[str, str] | None = None
    shown: bool = True
    saved: bool = True
    digits: int | None = None  # decimals
    css_class: str = ""  # of its cells
    spec: str = ""  # a format specification instead of the format of the kind

    @property
    def number(self) -> bool:
        """Whether the column is right-aligned and sorts from large to small."""
        return self.kind not in ("text", "yes", "list")

    def cell(self, item: Any) -> Value | Cell:
        if callable(self.value):
            return self.value(item)
        if not self.value:
            cell: Value | Cell = item[self.key] if isinstance(item, Mapping) else getattr(item, self.key)
            return cell
        part = item
        for name in self.value.split("."):
            part = part.get(name) if isinstance(part, Mapping) else getattr(part, name)
            if part is None:
                return None
        found: Value | Cell = part
        return found


def saved(*keys: str, **values: str | Callable[[Any], Value]) -> tuple[Column, ...]:
    """Return columns of CSV and JSON only: the attributes called `keys`, and then `values` by key."""
    columns = {key: key for key in keys} | values
    return tuple(Column(key, value=value, shown=False) for key, value in columns.items())


@dataclass(frozen=True)
class Table:
    """A table with the name of its file, a title, columns, and the items of which each makes a row.

    `spans` are headings over shown columns (title, number of columns). `opens` has, for each row, the index of the
    paradigm whose pairs the page can open, or None. A `folded` table is collapsed at first.
    """

    name: str
    title: str
    columns: Sequence[Column]
    items: Sequence[Any] = ()
    note: str = ""
    spans: tuple[tuple[str, int], ...] = ()
    opens: tuple[int | None, ...] = ()
    shown: bool = True
    saved: bool = True
    folded: bool = False

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        return tuple(tuple(column.cell(item) for column in self.columns) for item in self.items)

    def records(self) -> list[dict[str, Value]]:
        return [
            {column.key: plain(cell) for column, cell in zip(self.columns, row, strict=True) if column.saved}
            for row in self.rows
        ]

    def where(self, name: str, keep: Callable[[dict[str, Value]], bool]) -> Table:
        kept_items = tuple(item for item, record in zip(self.items, self.records(), strict=True) if keep(record))
        return replace(self, name=name, title="", items=kept_items, shown=True, saved=False)

    def showing(self, is_shown: Callable[[Column, bool], bool]) -> Table:
        """Return the table with the columns shown for which `is_shown` holds, given whether a column has a value."""
        has_values = [any(plain(row[i]) is not None for row in self.rows) for i in range(len(self.columns))]
        pairs = zip(self.columns, has_values, strict=True)
        columns = tuple(replace(column, shown=is_shown(column, has_value)) for column, has_value in pairs)
        table = replace(self, columns=columns)
        table.__dict__["rows"] = self.rows  # the values are the same
        return table


def plain(cell: Value | Cell) -> Value:
    return cell.value if isinstance(cell, Cell) else cell


def format_value(value: Value, column: Column) -> str:
    if value is None:
        return formatting.MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if column.spec:
        return format(value, column.spec)
    match column.kind:
        case "percent":
            return formatting.percent(value, 1 if column.digits is None else column.digits)
        case "points":
            return formatting.points(value)
        case "signed":
            return formatting.signed(value, 2 if column.digits is None else column.digits)
        case "number":
            return formatting.number(value, 2 if column.digits is None else column.digits)
        case "p":
            return formatting.p_value(value)
        case "count":
            return formatting.count(round(value))
        case _:
            return str(value)


@dataclass(frozen=True, slots=True)
class Grid:
    heads: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


def grid(table: Table) -> Grid:
    heads = tuple(column for column in table.columns if column.shown)
    return Grid(heads, tuple(tuple(_shown_row(table, row)) for row in table.rows))


def _shown_row(table: Table, row: Row) -> Iterator[Cell]:
    values_by_key = {column.key: plain(cell) for column, cell in zip(table.columns, row, strict=True)}
    for column, found in zip(table.columns, row, strict=True):
        if column.shown:
            cell = found if isinstance(found, Cell) else Cell(found)
            is_small_p = column.kind == "p" and isinstance(cell.value, float) and cell.value <= 0.05
            yield replace(
                cell,
                text=format_value(cell.value, column) if cell.text is None else cell.text,
                small=cell.small or _interval(cell.value, column, values_by_key),
                css_class=" ".join(filter(None, (column.css_class, cell.css_class, "strong" if is_small_p else ""))),
            )


def _interval(value: Value, column: Column, row: Mapping[str, Value]) -> str:
    if column.interval is None or value is None:
        return ""
    low, high = (row[key] for key in column.interval)
    return "no interval" if low is None else f"[{format_value(low, column)}, {format_value(high, column)}]"


def lines(table: Table) -> list[tuple[str, ...]]:
    view = grid(table)
    rows = (tuple(f"{cell.text} {cell.small}".strip() for cell in row) for row in view.rows)
    return [tuple(head.title for head in view.heads), *rows]


def to_text(table: Table) -> list[str]:
    return aligned(lines(table))


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] | None = None) -> list[str]:
    """Return lines of text with aligned columns. The first row is the heading.

    Columns in `right` are right-aligned; by default, all but the first with a cell that starts with a number.
    """
    if not rows:
        return []
    from fictdsl.terminal_text import display_width

    def padded(text: str, width: int, is_right: bool) -> str:
        padding = " " * (width - display_width(text))
        return padding + text if is_right else text + padding

    columns = list(zip(*rows, strict=True))
    widths = [max(map(display_width, column)) for column in columns]
    if right is None:
        right = [i for i, column in enumerate(columns) if i > 0 and any(map(_starts_with_number, column[1:]))]
    is_right = [i in right for i in range(len(columns))]
    return ["  ".join(map(padded, row, widths, is_right)).rstrip() for row in rows]


def _starts_with_number(cell: str) -> bool:
    return cell.lstrip("+-−<[(")[:1].isdigit()


def to_csv(table: Table) -> str:
    """Return the saved columns as CSV; booleans are true and false."""
    header = [column.key for column in table.columns if column.saved]
    values = (
        [str(value).lower() if isinstance(value, bool) else value for value in record.values()]
        for record in table.records()
    )
    return csv_text([header, *values])


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return the rows as CSV (RFC 4180) with LF line ends, whose cells spreadsheets do not evaluate as formulas.

    Text is quoted by `quote`. None is an empty cell, and floats have full precision.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([quote(value) if isinstance(value, str) else value for value in row] for row in rows)
    return out.getvalue()


def quote(text: str) -> str:
    """Return the text, prefixed with `'` if a spreadsheet would evaluate it as a formula, or if it has the prefix."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def unquote(text: str) -> str:
    return text[1:] if text.startswith("'") and quote(text[1:]) == text else text


def to_latex(table: Table) -> str:
    """Return the shown columns as a `tabular` with the rules of booktabs. An interval follows its value in the cell."""
    shown_columns = [column for column in table.columns if column.shown]
    spans = " & ".join(rf"\multicolumn{{{width}}}{{c}}{{{escaped(title)}}}" for title, width in table.spans)
    titles, *rows = (" & ".join(map(escaped, row)) + r" \\" for row in lines(table))
    latex_lines = [
        rf"% {table.name}: \usepackage{{booktabs}}",
        rf"\begin{{tabular}}{{{''.join('r' if column.number else 'l' for column in shown_columns)}}}",
        r"\toprule",
        *([spans + r" \\"] if table.spans else []),
        titles,
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(latex_lines) + "\n"


def escaped(text: str) -> str:
    """Escape text for LaTeX, on one line. Braces keep a preceding `\\\\` from reading a leading `[` or `*`."""
    one_line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    latex = "".join(_LATEX.get(char, char) for char in one_line)
    return f"{{{latex}}}" if latex.startswith(("[", "*")) else latex
