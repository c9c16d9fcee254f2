"""Formulas that predict which region of a sentence has the higher surprisal: parse and evaluate them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

# region number, or None for the whole sentence (`*`), and the name of a condition
Region: TypeAlias = tuple[int | None, str]
Value: TypeAlias = float | bool | None  # None if a region has no surprisal
_TOKEN = re.compile(r"\s*(?:\(\s*(\d+|\*)\s*;\s*%([\w-]+)%\s*\)|(\d+(?:\.\d+)?)|([-+<>=&|()\[\]]))")
_CLOSING = {"(": ")", "[": "]"}
_PRECEDENCE_LEVELS = ("&|", "<>=", "+-")  # operators by increasing precedence
RELATIVE_TOLERANCE, ABSOLUTE_TOLERANCE = 1e-5, 1e-3  # within which `=` holds, as in the published evaluation


@dataclass(frozen=True, slots=True)
class Formula:
    text: str
    regions: tuple[Region, ...]
    evaluate: Callable[[Mapping[Region, float | None]], Value]


def parse_formula(text: str) -> Formula:
    """Parse a formula: `+ -` bind tightest, then `< > =`, then `& |`, all left-associative. Raises ValueError."""
    parser = _Parser(text)
    evaluate = parser.parse_expression(0)
    if parser.remaining:
        raise ValueError(f"`{parser.remaining[0]}` is not expected there")
    return Formula(text, tuple(parser.regions), evaluate)


# Parsing and evaluation recurse, so the size and depth of a formula are limited.
_MAX_TOKENS = 300
_MAX_DEPTH = 50

_Evaluate: TypeAlias = Callable[[Mapping[Region, float | None]], Value]


class _Parser:
    def __init__(self, text: str) -> None:
        self.remaining: list[str | Region] = []
        self.regions: list[Region] = []
        self._depth = 0  # open parentheses
        position = 0
        text = text.rstrip()
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise ValueError(f"`{text[position:].strip()[:20]}` is not part of a formula")
            number, condition, literal, operator = match.groups()
            if condition is None:
                self.remaining.append(literal or operator)
            else:
                self.remaining.append((None if number == "*" else int(number), condition))
            position = match.end()
        if len(self.remaining) > _MAX_TOKENS:
            raise ValueError(f"it has more than {_MAX_TOKENS} tokens")

    def parse_expression(self, precedence: int) -> _Evaluate:
        if precedence == len(_PRECEDENCE_LEVELS):
            return self.parse_atom()
        left = self.parse_expression(precedence + 1)
        while (
            self.remaining
            and isinstance(self.remaining[0], str)
            and self.remaining[0] in _PRECEDENCE_LEVELS[precedence]
        ):
            operator = str(self.remaining.pop(0))
            left = _binary_operation(operator, left, self.parse_expression(precedence + 1))
        return left

    def parse_atom(self) -> _Evaluate:
        if not self.remaining:
            raise ValueError("it ends too early")
        token = self.remaining.pop(0)
        if not isinstance(token, str):
            self.regions.append(token)
            return lambda surprisals: surprisals[token]
        if token in _CLOSING:
            self._depth += 1
            if self._depth > _MAX_DEPTH:
                raise ValueError(f"its parentheses are nested more than {_MAX_DEPTH} deep")
            grouped = self.parse_expression(0)
            self._depth -= 1
            if not self.remaining or self.remaining.pop(0) != _CLOSING[token]:
                raise ValueError(f"`{token}` is not closed")
            return grouped
        try:
            value = float(token)
        except ValueError:
            raise ValueError(f"`{token}` is not expected there") from None
        return lambda _: value


def _binary_operation(operator: str, left: _Evaluate, right: _Evaluate) -> _Evaluate:
    def evaluate(surprisals: Mapping[Region, float | None]) -> Value:
        a, b = left(surprisals), right(surprisals)
        return None if a is None or b is None else _OPERATIONS[operator](a, b)

    return evaluate


_OPERATIONS: Mapping[str, Callable[[float, float], Value]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "=": lambda a, b: math.isclose(a, b, rel_tol=RELATIVE_TOLERANCE, abs_tol=ABSOLUTE_TOLERANCE),
    "&": lambda a, b: bool(a and b),
    "|": lambda a, b: bool(a or b),
}
