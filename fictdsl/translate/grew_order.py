"""Translate distances between words to relations of order."""

from __future__ import annotations

from collections.abc import Iterator

_FAR = 10**6  # beyond any sentence


def ranges_of(op: str, number: int) -> list[tuple[int, int]]:
    """Return the ranges of whole numbers, both ends included, that compare so with a number."""
    match op:
        case "<":
            return [(-_FAR, number - 1)]
        case "<=":
            return [(-_FAR, number)]
        case ">":
            return [(number + 1, _FAR)]
        case ">=":
            return [(number, _FAR)]
        case "=":
            return [(number, number)]
    return [(-_FAR, number - 1), (number + 1, _FAR)]


def order_links(first: str, second: str, low: int, high: int) -> Iterator[str]:
    """Yield the relations of order for a range of id(second) − id(first)."""
    for left, right, near, far in ((first, second, max(low, 1), high), (second, first, max(-high, 1), -low)):
        if near <= far:
            bounds = "" if (near, far >= _FAR) == (1, True) else f"{{{near}..{'' if far >= _FAR else far}}}"
            yield f"{left} <<{bounds} {right}"
