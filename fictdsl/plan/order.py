"""Join ordering, by estimates of the rows of each step and the tightness of conditions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import assert_never

from fictdsl.plan.columns import condition_nodes, provided_columns
from fictdsl.plan.nodes import (
    AntiJoin,
    EdgeScan,
    Ends,
    Grouped,
    Join,
    JoinCondition,
    NodeColumn,
    Paths,
    Plan,
    Relation,
    RowScan,
    SemiJoin,
    SentenceScan,
    TokenScan,
)
from fictdsl.schema import LOWERED, PLAIN, Layout, feature_column
from fictdsl.semantics import ir

SELECTIVE_BELOW = 0.3  # a scan with a smaller selectivity is materialized
_MAX_SAMPLE = 12  # maximum number of values of a list whose counts are looked up
_COMMON_RELATIONS = {"punct", "case", "nsubj", "det", "root", "nmod", "obl", "conj", "obj", "advmod", "amod"}


def selectivity(test: ir.Test, layout: Layout = PLAIN) -> float:
    """Estimate the share of words that satisfy a test, from the layout's statistics or else from fixed guesses.

    Estimates affect the cost of a plan, never its result.
    """
    match test:
        case ir.OneOf(attribute=ir.Column() | ir.Feature() as attribute, values=values):
            share = _counted_share(attribute, values, layout)
            return _fixed_estimate(test) if share is None else share
        case ir.Phrase(values=values):
            longest_words = tuple(max(value.split(" "), key=len) for value in values)
            share = _counted_share(ir.Column("form"), longest_words, layout)
            return _fixed_estimate(test) if share is None else share
        case ir.Bears(labels=ir.Labels(patterns=()) as labels):
            share = _counted_share(ir.Column("deprel"), (*labels.plain, *labels.exact), layout)
            return _fixed_estimate(test) if share is None else 1 - share if labels.negated else share
        case ir.Not(test=negated_test):
            return 1 - selectivity(negated_test, layout)
        case ir.All(tests=tests):
            return combined_selectivity(tests, layout)
        case ir.Any(tests=tests):
            return min(1.0, sum(selectivity(part, layout) for part in tests))
    return _fixed_estimate(test)


def _counted_share(attribute: ir.Column | ir.Feature, values: Sequence[str], layout: Layout) -> float | None:
    """Estimate from counts the share of words with one of the values; None if a count is unknown.

    A long list is sampled to limit the lookups.
    """
    if layout.counts is None:
        return None
    sample = values[:: len(values) // _MAX_SAMPLE + 1]
    match attribute:
        case ir.Feature(name=name):
            column = feature_column(name)
        case ir.Column(name="form" | "lemma" as name):
            column, sample = LOWERED[name], tuple(value.lower() for value in sample)
        case ir.Column(name=column):
            pass
    share = layout.share(column, sample)
    return None if share is None else min(1.0, share * len(values) / max(1, len(sample)))


def _fixed_estimate(test: ir.Test) -> float:
    match test:
        case ir.OneOf(attribute=ir.Column(name="upos"), values=values):
            return min(0.12 * len(values), 0.9)
        case ir.OneOf(attribute=ir.Column(), values=values):
            return min(0.001 * len(values), 0.2)
        case ir.OneOf():
            return 0.05
        case ir.Bears(labels=labels):
            total = sum(0.06 if label in _COMMON_RELATIONS else 0.01 for label in (*labels.plain, *labels.exact))
            total += 0.03 * len(labels.patterns)
            return 1 - min(total, 0.9) if labels.negated else min(total, 0.9)
        case ir.Matches() | ir.Contains() | ir.Phrase():
            return 0.03
        case ir.Projective():
            return 0.9
        case ir.Present() | ir.Compares():
            return 0.3
        case ir.Not() | ir.All() | ir.Any():
            raise AssertionError(f"{test} is estimated from its parts")
    assert_never(test)


def combined_selectivity(tests: Iterable[ir.Test], layout: Layout = PLAIN) -> float:
    """Estimate the share of words that satisfy all tests, assuming that these are independent."""
    return prod(selectivity(test, layout) for test in tests)


def tightness(condition: JoinCondition) -> int:
    """Rank how few words a condition leaves for one node, given the other: 0 nearly all, 1 many, 2 few, 3 one."""
    match condition:
        case ir.Edge() | Ends():
            return 3
        case ir.Precedes(low=low, high=high):
            return 1 if high is None else 3 if low == high else 2
        case ir.Siblings() | ir.Dominates():
            return 2
        case ir.Between() | ir.Crossing() | ir.Shares() | ir.NumbersCompare() | ir.Ordered() | ir.InRows():
            return 1
        case ir.SumCompares():
            return 1
        case ir.Distinct() | ir.Tested():
            return 0
    assert_never(condition)


def join_order(
    selectivities: dict[ir.Node, float], bound_nodes: set[ir.Node], conditions: Iterable[JoinCondition]
) -> list[ir.Node]:
    """Return the nodes of `selectivities` in the order in which to join them to `bound_nodes`."""
    connections = [(condition_nodes(condition), tightness(condition)) for condition in conditions]
    remaining, joined_nodes, order = dict(selectivities), set(bound_nodes), list[ir.Node]()
    while remaining:

        def rank(node: ir.Node) -> tuple[int, float, ir.Node]:
            ranks = [link_tightness for nodes, link_tightness in connections if node in nodes and nodes & joined_nodes]
            return (-max(ranks, default=0), remaining[node], node)

        next_node = min(remaining, key=rank)
        del remaining[next_node]
        joined_nodes.add(next_node)
        order.append(next_node)
    return order


SENTENCE_LENGTH = 15  # words per sentence
_EXTRA_EDGES = 0.2  # edges of the enhanced graph that are not in the tree, per word
_PATH_ENDS = 4  # words above or below a word
# Words that a condition leaves for a given word, by the tightness of the condition.
_MATCHING_WORDS = (SENTENCE_LENGTH - 1, SENTENCE_LENGTH / 2, 3, 1)


def estimates(plan: Plan, layout: Layout) -> list[int]:
    """Return the estimated rows of each step, assuming that all tests and conditions are independent."""
    words = layout.words or 0
    provided: list[set[NodeColumn]] = []
    rows: list[float] = []
    for relation in plan.relations:
        rows.append(_estimated_rows(relation, rows, provided, words, layout))
        provided.append(provided_columns(relation, provided))
    return [round(estimate) for estimate in rows]


def _estimated_rows(
    relation: Relation, rows: list[float], provided: list[set[NodeColumn]], words: int, layout: Layout
) -> float:
    match relation:
        case TokenScan(tests=tests):
            return words * combined_selectivity(tests, layout)
        case RowScan(conditions=conditions):
            return words * prod(
                selectivity(condition.test, layout) if isinstance(condition, ir.Tested) else 0.5
                for condition in conditions
            )
        case EdgeScan(labels=labels):
            return words * (1 + _EXTRA_EDGES if labels is None else selectivity(ir.Bears(labels), layout))
        case SentenceScan(tests=tests):
            return words / SENTENCE_LENGTH * combined_selectivity(tests, layout)
        case Paths(source=source):
            return rows[source] * _PATH_ENDS
        case Join():
            return _estimated_join_rows(relation, rows, provided, words)
        case SemiJoin(source=source, other=other):
            return min(rows[source], rows[other])
        case AntiJoin(source=source, other=other):
            return max(rows[source] - rows[other], rows[source] / 2)
        case Grouped(sources=sources):
            return sum(rows[ref] for ref, _ in sources) / 2
    assert_never(relation)


def _estimated_join_rows(join: Join, rows: list[float], provided: list[set[NodeColumn]], words: int) -> float:
    """Estimate the rows of a join: the rows of the first input, times the matching rows of each further input.

    The tightest condition determines the number of matching rows, and each further condition halves it.
    """
    first_input, *further_inputs = join.inputs
    estimate, joined_nodes = rows[first_input], {node for node, _ in provided[first_input]}
    for ref in further_inputs:
        nodes = {node for node, _ in provided[ref]}
        connecting_conditions = [
            condition
            for condition in join.conditions
            if condition_nodes(condition) & nodes and condition_nodes(condition) & joined_nodes
        ]
        tightnesses = [tightness(condition) for condition in connecting_conditions if tightness(condition)]
        estimate *= (
            rows[ref]
            / max(1, words)
            * _MATCHING_WORDS[max(tightnesses, default=0)]
            * 0.5 ** max(0, len(tightnesses) - 1)
        )
        joined_nodes |= nodes
    return estimate
