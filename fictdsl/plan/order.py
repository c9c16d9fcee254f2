"""In which order to join: how many words may pass a test, and which condition ties two nodes closely."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import assert_never

from fictdsl.plan.columns import condition_nodes
from fictdsl.plan.layout import PLAIN, Layout
from fictdsl.plan.nodes import Ends, JoinCondition
from fictdsl.semantics import ir

REDUCED = 0.3  # a scan that keeps less of the words than this is worth a table of its own
_ASKED = 12  # values of a list whose counts are looked up
_COMMON = {"punct", "case", "nsubj", "det", "root", "nmod", "obl", "conj", "obj", "advmod", "amod"}


def selectivity(test: ir.Test, layout: Layout = PLAIN) -> float:
    """The share of words that may pass, by the layout's counts or else a guess; it decides costs, never answers."""
    match test:
        case ir.OneOf(attribute=ir.Column() | ir.Feature() as attribute, values=values):
            counted = _counted(attribute, values, layout)
            return _guess(test) if counted is None else counted
        case ir.Phrase(values=values):
            rarest = tuple(max(value.split(" "), key=len) for value in values)
            counted = _counted(ir.Column("form"), rarest, layout)
            return _guess(test) if counted is None else counted
        case ir.Bears(labels=labels):
            counted = _counted(ir.Column("deprel"), (*labels.plain, *labels.exact), layout)
            return _guess(test) if counted is None else 1 - counted if labels.negated else counted
        case ir.Not(test=inner):
            return 1 - selectivity(inner, layout)
        case ir.All(tests=tests):
            return combined_selectivity(tests, layout)
        case ir.Any(tests=tests):
            return min(1.0, sum(selectivity(part, layout) for part in tests))
    return _guess(test)


def _counted(attribute: ir.Column | ir.Feature, values: Sequence[str], layout: Layout) -> float | None:
    """By the counts; of a long list by those of some of its values, so that to ask costs little."""
    if layout.counts is None:
        return None
    some = values[:: len(values) // _ASKED + 1]
    match attribute:
        case ir.Feature(name=name):
            column = f"feat_{name}"
        case ir.Column(name="form" | "lemma" as name):
            column, some = f"{name}_l", tuple(value.lower() for value in some)
        case ir.Column(name=column):
            pass
    found = layout.share(column, some)
    return None if found is None else min(1.0, found * len(values) / max(1, len(some)))


def _guess(test: ir.Test) -> float:
    match test:
        case ir.OneOf(attribute=ir.Column(name="upos"), values=values):
            return min(0.12 * len(values), 0.9)
        case ir.OneOf(attribute=ir.Column(), values=values):
            return min(0.001 * len(values), 0.2)
        case ir.OneOf():
            return 0.05
        case ir.Bears(labels=labels):
            found = sum(0.06 if label in _COMMON else 0.01 for label in (*labels.plain, *labels.exact))
            return 1 - min(found, 0.9) if labels.negated else min(found, 0.9)
        case ir.Matches() | ir.Phrase():
            return 0.03
        case ir.Present() | ir.Compares():
            return 0.3
        case ir.Not() | ir.All() | ir.Any():
            raise AssertionError(f"a guess at {test} is one at its parts")
    assert_never(test)


def combined_selectivity(tests: Iterable[ir.Test], layout: Layout = PLAIN) -> float:
    """The share of words that may pass all the tests, as if these were independent of each other."""
    return prod(selectivity(test, layout) for test in tests)


def tie(condition: JoinCondition) -> int:
    """How closely a condition ties its nodes: 0 hardly, 1 loosely, 2 few partners, 3 one partner."""
    match condition:
        case ir.Edge() | Ends():
            return 3
        case ir.Precedes(low=low, high=high):
            return 1 if high is None else 3 if low == high else 2
        case ir.Siblings() | ir.Dominates():
            return 2
        case ir.Between() | ir.Shares() | ir.NumbersCompare():
            return 1
        case ir.Distinct() | ir.Tested():
            return 0
    assert_never(condition)


def join_order(
    selectivities: dict[ir.Node, float], bound: set[ir.Node], conditions: Iterable[JoinCondition]
) -> list[ir.Node]:
    """Return the nodes of `selectivities` in the order in which to join them to the nodes already bound."""
    ties = [(condition_nodes(condition), tie(condition)) for condition in conditions]
    left, reached, order = dict(selectivities), set(bound), list[ir.Node]()
    while left:

        def rank(node: ir.Node) -> tuple[int, float, ir.Node]:
            strengths = [strength for nodes, strength in ties if node in nodes and nodes & reached]
            return (-max(strengths, default=0), left[node], node)

        best = min(left, key=rank)
        del left[best]
        reached.add(best)
        order.append(best)
    return order
