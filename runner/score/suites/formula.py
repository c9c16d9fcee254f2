"""SyntaxGym's formulas over the surprisals of regions, such as `(6;%match%) < (6;%mismatch%)`, to true or false."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Region: TypeAlias = tuple[int | None, str]  # number, or None for the whole sentence (`*`); condition
Value: TypeAlias = float | bool | None  # None: a region has no surprisal
_TOKEN = re.compile(r"\s*(?:\(\s*(\d+|\*)\s*;\s*%([\w-]+)%\s*\)|(\d+(?:\.\d+)?)|([-+<>=&|()\[\]]))")
_CLOSING = {"(": ")", "[": "]"}
_LEVELS = ("&|", "<>=", "+-")  # from what binds least
RELATIVE, ABSOLUTE = 1e-5, 1e-3  # how near equal surprisals are, as in SyntaxGym


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula as it is written; `regions` are those that it names."""

    text: str
    regions: tuple[Region, ...]
    value: Callable[[Mapping[Region, float | None]], Value]


def parse_formula(text: str) -> Formula:
    """Read a formula: `+ -`, then `< > =`, then `& |`, each from left to right; parentheses or brackets around parts.

    ValueError says where it is no formula.
    """
    parser = _Parser(text)
    value = parser.level(0)
    if parser.rest:
        raise ValueError(f"`{parser.rest[0]}` is not expected there")
    return Formula(text, tuple(parser.regions), value)


# A formula is parsed and evaluated by recursion.
_MOST_PARTS = 300
_DEEPEST = 50

_Evaluate: TypeAlias = Callable[[Mapping[Region, float | None]], Value]


class _Parser:
    def __init__(self, text: str) -> None:
        self.rest: list[str | Region] = []
        self.regions: list[Region] = []
        self._open = 0  # parentheses
        place = 0
        text = text.rstrip()
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None:
                raise ValueError(f"`{text[place:].strip()[:20]}` is not part of a formula")
            number, condition, literal, mark = match.groups()
            if condition is None:
                self.rest.append(literal or mark)
            else:
                self.rest.append((None if number == "*" else int(number), condition))
            place = match.end()
        if len(self.rest) > _MOST_PARTS:
            raise ValueError(f"it has more than {_MOST_PARTS} parts")

    def level(self, depth: int) -> _Evaluate:
        """An expression whose operators bind as `depth` says, or closer."""
        if depth == len(_LEVELS):
            return self.atom()
        left = self.level(depth + 1)
        while self.rest and isinstance(self.rest[0], str) and self.rest[0] in _LEVELS[depth]:
            sign = str(self.rest.pop(0))
            left = _binary(sign, left, self.level(depth + 1))
        return left

    def atom(self) -> _Evaluate:
        """A region, a number, or an expression in parentheses."""
        if not self.rest:
            raise ValueError("it ends too early")
        token = self.rest.pop(0)
        if not isinstance(token, str):
            self.regions.append(token)
            return lambda surprisals: surprisals[token]
        if token in _CLOSING:
            self._open += 1
            if self._open > _DEEPEST:
                raise ValueError(f"its parentheses nest more than {_DEEPEST} deep")
            inner = self.level(0)
            self._open -= 1
            if not self.rest or self.rest.pop(0) != _CLOSING[token]:
                raise ValueError(f"`{token}` is not closed")
            return inner
        try:
            value = float(token)
        except ValueError:
            raise ValueError(f"`{token}` is not expected there") from None
        return lambda _: value


def _binary(sign: str, left: _Evaluate, right: _Evaluate) -> _Evaluate:
    def value(surprisals: Mapping[Region, float | None]) -> Value:
        a, b = left(surprisals), right(surprisals)
        return None if a is None or b is None else _OPERATIONS[sign](a, b)

    return value


_OPERATIONS: Mapping[str, Callable[[float, float], Value]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "=": lambda a, b: math.isclose(a, b, rel_tol=RELATIVE, abs_tol=ABSOLUTE),
    "&": lambda a, b: bool(a and b),
    "|": lambda a, b: bool(a or b),
}
