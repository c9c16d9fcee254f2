"""Traversal of syntax trees, in the order of the text, and the normal form of comparisons of sums."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias, TypeVar, assert_never, cast

from fictdsl.syntax import nodes
from fictdsl.syntax.nodes import ORDER_OPERATORS, SUBSTRING_OPERATORS

Level: TypeAlias = Literal["word", "sentence"]  # what a test applies to
LEVELS: tuple[Level, ...] = ("word", "sentence")
SimpleTest: TypeAlias = nodes.Compare | nodes.Member | nodes.Has | nodes.Flag
Definition: TypeAlias = nodes.PatternDef | nodes.FilterDef | nodes.RewriteDef

Part = TypeVar("Part")


def find(part: object, *kinds: type[Part], through_blocks: bool = True) -> Iterator[Part]:
    """Yield the parts of a syntax tree that are of some kinds, in the order of the text, but no parts of these."""
    waiting = [part]
    while waiting:
        part = waiting.pop()
        if type(part) in kinds:
            yield cast("Part", part)
        elif type(part) is tuple:
            waiting += reversed(part)
        elif through_blocks or type(part) is not nodes.Block:
            waiting += [getattr(part, name) for name in _inner_fields(type(part))]  # type: ignore[arg-type]


_PLAIN = ("str", "str | None", "bool", "int", "int | None", "Regex")


@cache
def _inner_fields(kind: type) -> tuple[str, ...]:
    names: tuple[str, ...] = getattr(kind, "__match_args__", ())
    return tuple(name for name in reversed(names) if kind.__annotations__[name] not in _PLAIN)


def blocks_of(clause: nodes.Clause) -> tuple[nodes.Block, ...]:
    match clause:
        case nodes.Without(block=block) | nodes.Maybe(block=block) | nodes.Count(block=block):
            return (block,)
        case nodes.Either(branches=branches):
            return branches
    return ()


def blocks(block: nodes.Block) -> Iterator[nodes.Block]:
    yield block
    for clause in block.clauses:
        for inner_block in blocks_of(clause):
            yield from blocks(inner_block)


def clauses(block: nodes.Block) -> Iterator[nodes.Clause]:
    for clause in block.clauses:
        yield clause
        for inner_block in blocks_of(clause):
            yield from clauses(inner_block)


def terms(clause: nodes.Clause) -> tuple[nodes.NodeTerm, ...]:
    match clause:
        case nodes.Chain(first=first, links=links):
            return (first, *(link.target for link in links))
        case nodes.Between(middle=middle, left=left, right=right):
            return (middle, left, right)
        case nodes.Crossing(left=left, right=right):
            return (left, right)
        case nodes.Count(node=node):
            return (node,)
        case _:
            return ()


def own_names(clause: nodes.Clause) -> Iterator[nodes.Name]:
    return iter(()) if blocks_of(clause) else all_names(clause)


def all_names(part: object) -> Iterator[nodes.Name]:
    names_and_calls: Iterator[nodes.Name | nodes.Call] = find(part, nodes.Name, nodes.Call)
    for found in names_and_calls:
        if isinstance(found, nodes.Call):
            yield from (argument for argument in found.arguments if argument is not None)
        else:
            yield found


def tests(clause: nodes.Clause) -> Iterator[tuple[nodes.Test, Level]]:
    if isinstance(clause, nodes.SentenceTest):
        yield clause.test, "sentence"
    for term in terms(clause):
        if term.test is not None:
            yield term.test, "word"


def simple_tests(test: nodes.Test) -> Iterator[SimpleTest]:
    return find(test, nodes.Compare, nodes.Member, nodes.Has, nodes.Flag)


def list_references(clause: nodes.Clause) -> Iterator[nodes.ListRef]:
    return find(clause, nodes.ListRef, through_blocks=False)


def parameters(part: object) -> Iterator[nodes.Param]:
    return find(part, nodes.Param)


def links(clause: nodes.Clause) -> Iterator[tuple[nodes.NodeTerm, nodes.Link]]:
    if isinstance(clause, nodes.Chain):
        left = clause.first
        for link in clause.links:
            yield left, link
            left = link.target


def measures(clause: nodes.SumComparison) -> Iterator[nodes.Measure]:
    return find(clause, nodes.Measure)


def labels(clause: nodes.Clause) -> Iterator[nodes.Labels]:
    return find(clause, nodes.Labels, through_blocks=False)


def named_labels(label_list: nodes.Labels) -> Iterator[tuple[nodes.Atom, nodes.LabelTest]]:
    for label_test in label_list.labels:
        if not isinstance(label_test.label, nodes.RegexValue):
            yield label_test.label, label_test


def values(test: SimpleTest) -> tuple[nodes.Atom, ...]:
    """Return the literals and parameters of a test, not regexes, parts (`contains "ing"`) or entries of named lists."""
    match test:
        case nodes.Compare(op=op) if op in SUBSTRING_OPERATORS:
            return ()
        case nodes.Compare(values=alternatives):
            return tuple(value for value in alternatives if not isinstance(value, nodes.RegexValue))
        case nodes.Member(values=nodes.ListLiteral(values=entries)):
            return entries
        case nodes.Member() | nodes.Has() | nodes.Flag():
            return ()
    assert_never(test)


def equal_values(test: SimpleTest) -> tuple[nodes.Atom, ...]:
    """Return the values that a simple test looks for: those of `values`, but not the number in `length < 5`."""
    return () if isinstance(test, nodes.Compare) and test.op in ORDER_OPERATORS else values(test)


def definitions(file: nodes.File) -> Iterator[Definition]:
    for item in file.items:
        if isinstance(item, nodes.PatternDef | nodes.FilterDef | nodes.RewriteDef):
            yield item


def family_of(definition: Definition) -> nodes.Family | None:
    return None if isinstance(definition, nodes.PatternDef) else definition.family


def block_of(definition: Definition) -> nodes.Block:
    return definition.block if isinstance(definition, nodes.PatternDef) else definition.match


# --- actions --------------------------------------------------------------------------------------


def targets_of(action: nodes.Action | nodes.Rewriting) -> Iterator[nodes.Target]:
    return find(action, nodes.Target)


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
        """Return two names and the range of their distance, if the comparison gives one."""
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
