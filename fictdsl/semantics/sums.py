"""Comparisons of sums of measures, in normal form: every measure once, with its factor, compared with one number."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TypeAlias

from fictdsl.syntax import nodes

Measured: TypeAlias = tuple[str, ...]  # a name, for the length of its subtree, or two sorted names, for their distance

UNBOUNDED = 10**9
_TURNED = str.maketrans("<>", "><")
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class NormalSum:
    """The sum of the measures, each times its factor (not 0), compares so with `number`."""

    factors: dict[Measured, int]
    op: str
    number: int

    def truth(self, may_coincide: Collection[frozenset[str]] = ()) -> bool | None:
        """Return True or False if the comparison is true or false whatever the words are, else None.

        A subtree has at least one word, and different words have a distance of at least 1. The pairs `may_coincide`
        may be the same word.
        """
        bound = sum(
            factor * (0 if frozenset(measured) in may_coincide else 1) for measured, factor in self.factors.items()
        )
        rises, falls = (any(sign * factor > 0 for factor in self.factors.values()) for sign in (1, -1))
        low, high = (float("-inf") if falls else bound), (float("inf") if rises else bound)
        if self.op in ("=", "!="):
            if not low <= self.number <= high:
                return self.op == "!="
            return self.op == "=" if low == high else None
        outcomes = {_COMPARE[self.op](end, self.number) for end in (low, high)}
        return outcomes.pop() if len(outcomes) == 1 else None

    def distances(self) -> tuple[str, str, int, int] | None:
        """Return two names and the range of their distance, if the comparison gives one with these bounds."""
        match list(self.factors.items()):
            case [((left, right), (1 | -1) as factor)] if self.op != "!=":
                number = factor * self.number
                op = self.op if factor > 0 else self.op.translate(_TURNED)
                low = {">": number + 1, ">=": number, "=": number}.get(op, 0)
                high = {"<": number - 1, "<=": number, "=": number}.get(op, UNBOUNDED)
                return left, right, max(0, low), high
        return None


def normal_sum(clause: nodes.SumComparison) -> NormalSum:
    """Return the normal form of a comparison. `length(span(A, B))` is `distance(A, B) + 1`."""
    factors: Counter[Measured] = Counter()
    number = 0
    for side, sign in ((clause.left, 1), (clause.right, -1)):
        for summand in side:
            factor = -sign if summand.negated else sign
            match summand.number:
                case nodes.Measure(kind=kind, nodes=names):
                    factors[tuple(sorted(name.text for name in names))] += factor
                    number -= factor if kind == "span" else 0
                case constant:
                    number -= factor * constant
    return NormalSum({measured: factor for measured, factor in factors.items() if factor}, clause.op, number)
