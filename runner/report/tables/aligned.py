"""Text tables with aligned columns."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return lines of text with aligned columns.

    The first row is the heading. A column, except the first, is right-aligned if one of its cells starts with a number.
    """
    if not rows:
        return []
    columns = list(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    left_aligned = [i == 0 or not any(map(_starts_with_number, column[1:])) for i, column in enumerate(columns)]
    return [
        "  ".join(
            f"{cell:{'<' if is_left else '>'}{width}}"
            for cell, width, is_left in zip(row, widths, left_aligned, strict=True)
        ).rstrip()
        for row in rows
    ]


def _starts_with_number(cell: str) -> bool:
    return cell.lstrip("+-−<[(")[:1].isdigit()
