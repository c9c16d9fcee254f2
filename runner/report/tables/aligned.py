"""Rows of words and numbers to lines with aligned columns."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines, the first row being the heading; a column stands right if a cell of it begins as a number."""
    if not rows:
        return []
    columns = list(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    left = [i == 0 or not any(map(_number, column[1:])) for i, column in enumerate(columns)]
    return [
        "  ".join(
            f"{cell:{'<' if first else '>'}{width}}" for cell, width, first in zip(row, widths, left, strict=True)
        ).rstrip()
        for row in rows
    ]


def _number(cell: str) -> bool:
    return cell.lstrip("+-−<[(")[:1].isdigit()
