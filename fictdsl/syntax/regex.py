"""The declared regex subset: its tree. Parsing lives in `regex_parse`; engines emit or run the tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Char:
    """One literal character."""

    char: str


@dataclass(frozen=True, slots=True)
class AnyChar:
    """`.`: any character but a newline."""


@dataclass(frozen=True, slots=True)
class Category:
    """`\\d` (name "d": ASCII 0–9) or `\\p{L|Lu|Ll|N|P}` (name "L", …: the Unicode general category)."""

    name: str


@dataclass(frozen=True, slots=True)
class CharRange:
    """`a-z` inside a class, both ends included."""

    low: str
    high: str


@dataclass(frozen=True, slots=True)
class CharClass:
    """`[a-z]`, `[^…]`."""

    members: tuple[Char | CharRange | Category, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class Repeat:
    """`x*`, `x+`, `x?`, `x{m}`, `x{m,}`, `x{m,n}`; `high` None is unbounded."""

    item: Regex
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Sequence:
    """Parts one after the other; none at all matches the empty string."""

    parts: tuple[Regex, ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """`a|b`; two branches or more."""

    branches: tuple[Regex, ...]


Regex: TypeAlias = Char | AnyChar | Category | CharClass | Repeat | Sequence | Alternation
