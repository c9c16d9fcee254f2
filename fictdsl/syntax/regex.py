"""The syntax tree of regular expressions. `grammar.regex_parse` parses them; `sql.regex` emits them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Char:
    """One literal character."""

    char: str


@dataclass(frozen=True, slots=True)
class AnyChar:
    """`.`: any character except a newline."""


@dataclass(frozen=True, slots=True)
class Category:
    """`\\d` (`name` is "d": ASCII 0–9) or `\\p{…}` (`name` is the Unicode general category L, Lu, Ll, N or P)."""

    name: str


@dataclass(frozen=True, slots=True)
class CharRange:
    """`a-z` in a class, both ends included."""

    low: str
    high: str


@dataclass(frozen=True, slots=True)
class CharClass:
    """`[a-z]`, `[^…]`."""

    members: tuple[Char | CharRange | Category, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class Repeat:
    """`x*`, `x+`, `x?`, `x{m}`, `x{m,}`, `x{m,n}`. `high` is None if unbounded."""

    item: Regex
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Sequence:
    """The concatenation of its parts. Without parts it matches the empty string."""

    parts: tuple[Regex, ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """`a|b`, with at least two branches."""

    branches: tuple[Regex, ...]


Regex: TypeAlias = Char | AnyChar | Category | CharClass | Repeat | Sequence | Alternation
