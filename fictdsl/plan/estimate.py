"""Estimate the number of rows of each step of a plan from the statistics of a store."""

from __future__ import annotations

from math import prod
from typing import assert_never

from fictdsl.plan.columns import condition_nodes, provided_columns
from fictdsl.plan.layout import Layout
from fictdsl.plan.nodes import (
    AntiJoin,
    EdgeScan,
    Grouped,
    Join,
    NodeColumn,
    Paths,
    Plan,
    Relation,
    RowScan,
    SemiJoin,
    SentenceScan,
    TokenScan,
)
from fictdsl.plan.order import combined_selectivity, selectivity, tightness
from fictdsl.semantics import ir

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
