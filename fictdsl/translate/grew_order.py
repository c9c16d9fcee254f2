"""Translate Grew's comparisons of word positions to order relations (`<<`)."""

from __future__ import annotations

from collections.abc import Iterator

_UNBOUNDED = 10**6  # greater than any distance in a sentence


def ranges_of(op: str, number: int) -> list[tuple[int, int]]:
    """Return the integers x with `x op number`, as inclusive ranges."""
    match op:
        case "<":
            return [(-_UNBOUNDED, number - 1)]
        case "<=":
            return [(-_UNBOUNDED, number)]
        case ">":
            return [(number + 1, _UNBOUNDED)]
        case ">=":
            return [(number, _UNBOUNDED)]
        case "=":
            return [(number, number)]
        case "<>":
            return [(-_UNBOUNDED, number - 1), (number + 1, _UNBOUNDED)]
    raise ValueError(f"unknown operator {op}")


def order_relations(first: str, second: str, low: int, high: int) -> Iterator[str]:
    """Yield alternative order relations: one of them holds if and only if `low <= id(second) - id(first) <= high`."""
    for left, right, shortest, longest in ((first, second, max(low, 1), high), (second, first, max(-high, 1), -low)):
        if shortest <= longest:
            upper = "" if longest >= _UNBOUNDED else str(longest)
            bounds = "" if (shortest, upper) == (1, "") else f"{{{shortest}..{upper}}}"
            yield f"{left} <<{bounds} {right}"
