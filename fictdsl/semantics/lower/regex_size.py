"""Estimate the size of a compiled regex from above, to reject large ones before a database engine does."""

from __future__ import annotations

from typing import assert_never

from fictdsl.syntax.regex import (
    Alternation,
    AnyChar,
    Category,
    Char,
    CharClass,
    CharRange,
    Regex,
    Repeat,
    Sequence,
)

MAX_SIZE = 200_000  # instructions; RE2 as configured by DuckDB fails at about 350,000
# Instructions that match one character of a category in UTF-8, rounded up.
_CATEGORY_SIZES = {"d": 1, "L": 800, "Lu": 500, "Ll": 500, "N": 400, "P": 400}


def size(regex: Regex) -> int:
    """Return an upper estimate of the number of instructions of the compiled regex."""
    match regex:
        case Char():
            return 4
        case AnyChar():
            return 12
        case Category(name=name):
            return _CATEGORY_SIZES[name]
        case CharClass(members=members):
            return 12 + sum(_member_size(member) for member in members)
        case Repeat(item=item, low=low, high=high):
            return 2 + (size(item) + 1) * max(low, 1 if high is None else high)
        case Sequence(parts=parts) | Alternation(branches=parts):
            return 1 + sum(size(part) + 1 for part in parts)
    assert_never(regex)


def _member_size(member: Char | CharRange | Category) -> int:
    match member:
        case Category(name=name):
            return _CATEGORY_SIZES[name]
        case Char():
            return 8
        case CharRange():
            return 24
    assert_never(member)
