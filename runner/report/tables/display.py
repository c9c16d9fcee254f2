"""Format tables for the page and the terminal, with sort values and tooltips."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from runner.report.render import formatting
from runner.report.tables.table import Cell, Column, Row, Table, Value, plain


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A displayed cell: text, a smaller second line, a sort value, a tooltip, CSS classes and pieces (as in `Cell`)."""

    text: str
    small: str = ""
    sort: float | str = ""
    tip: str = ""
    look: str = ""
    pieces: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Grid:
    """The shown columns of a table and their cells."""

    heads: tuple[Column, ...]
    rows: tuple[tuple[ShownCell, ...], ...]


def grid(table: Table) -> Grid:
    """Return the columns of a table that the page shows, and their cells."""
    heads = tuple(column for column in table.columns if column.shown)
    return Grid(heads, tuple(tuple(_shown_row(table, row)) for row in table.rows))


def lines(table: Table) -> list[tuple[str, ...]]:
    """Return the titles of the shown columns, then the rows as text, for a terminal."""
    shown_grid = grid(table)
    return [
        tuple(head.title for head in shown_grid.heads),
        *(tuple(f"{cell.text} {cell.small}".strip() for cell in row) for row in shown_grid.rows),
    ]


def format_value(value: Value, column: Column) -> str:
    """Format a value by the kind of its column."""
    if value is None:
        return formatting.MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
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


def _shown_row(table: Table, row: Row) -> list[ShownCell]:
    values_by_key = {column.key: plain(cell) for column, cell in zip(table.columns, row, strict=True)}
    pairs = zip(table.columns, row, strict=True)
    return [_shown_cell(cell, column, values_by_key) for column, cell in pairs if column.shown]


def _shown_cell(cell: Value | Cell, column: Column, row: Mapping[str, Value]) -> ShownCell:
    annotated = cell if isinstance(cell, Cell) else Cell(cell)
    value = annotated.value
    text = format_value(value, column) if annotated.text is None else annotated.text
    small = annotated.small or _interval(value, column, row)
    classes = [column.look, annotated.look, "strong" if _is_small_p(value, column) else ""]
    return ShownCell(text, small, _sort_value(value), annotated.tip, " ".join(filter(None, classes)), annotated.pieces)


def _interval(value: Value, column: Column, row: Mapping[str, Value]) -> str:
    if column.interval is None or value is None:
        return ""
    low, high = (row[key] for key in column.interval)
    return "no interval" if low is None else f"[{format_value(low, column)}, {format_value(high, column)}]"


def _is_small_p(value: Value, column: Column) -> bool:
    return column.kind == "p" and isinstance(value, float) and value <= 0.05


def _sort_value(value: Value) -> float | str:
    if value is None:
        return ""
    return value if isinstance(value, str) else float(value)
