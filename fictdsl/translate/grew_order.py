"""Translate Grew's comparisons of word positions to order relations (`<<`)."""

from __future__ import annotations

from collections.abc import Iterator

_FAR = 10**6  # beyond any sentence


def ranges_of(op: str, number: int) -> list[tuple[int, int]]:
    """Return the integers x with `x op number`, as inclusive ranges. An `op` that is not listed is "not equal"."""
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
    """Yield the order relations that hold if `low <= id(second) - id(first) <= high`."""
    for left, right, near, far in ((first, second, max(low, 1), high), (second, first, max(-high, 1), -low)):
        if near <= far:
            bounds = "" if (near, far >= _FAR) == (1, True) else f"{{{near}..{'' if far >= _FAR else far}}}"
            yield f"{left} <<{bounds} {right}"
