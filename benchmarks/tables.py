"""Markdown tables of numbers and texts."""

from __future__ import annotations

from collections.abc import Sequence

Cell = str | float | int | None


def table(headings: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Return a Markdown table. Columns with numbers are right-aligned, and None is empty."""
    is_numeric = [any(isinstance(row[column], int | float) for row in rows) for column in range(len(headings))]
    rule = "|".join("--:" if numeric else "---" for numeric in is_numeric)
    lines = [f"| {' | '.join(headings)} |", f"|{rule}|"]
    lines += [f"| {' | '.join(map(cell, row))} |" for row in rows]
    return "\n".join(lines) + "\n"


def cell(value: Cell) -> str:
    """Format a value: integers in full, larger floats with fewer decimals."""
    match value:
        case None:
            return ""
        case str():
            return value
        case int():
            return f"{value:,}"
        case float() if abs(value) >= 100:
            return f"{value:,.0f}"
        case float() if abs(value) >= 10:
            return f"{value:.1f}"
        case float() if abs(value) >= 0.1:
            return f"{value:.2f}"
        case float():
            return f"{value:.4f}" if value else "0"


def times(number: float) -> str:
    """Format a ratio: `12.0×`."""
    return f"{cell(float(number))}×"
