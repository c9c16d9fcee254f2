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
_EXTRA_EDGES = 0.2  # per word, edges of the enhanced graph that are not in the tree
_PATH_ENDS = 4  # words above or below a word
# Words that a condition leaves for a given word, by its tightness.
_PARTNERS = (SENTENCE_LENGTH - 1, SENTENCE_LENGTH / 2, 3, 1)


def estimates(plan: Plan, layout: Layout) -> list[int]:
    """Return the estimated rows of each step, assuming that all tests and conditions are independent."""
    words = layout.words or 0
    provided: list[set[NodeColumn]] = []
    rows: list[float] = []
    for relation in plan.relations:
        rows.append(_rows(relation, rows, provided, words, layout))
        provided.append(provided_columns(relation, provided))
    return [round(number) for number in rows]


def _rows(relation: Relation, rows: list[float], provided: list[set[NodeColumn]], words: int, layout: Layout) -> float:
    match relation:
        case TokenScan(tests=tests):
            return words * combined_selectivity(tests, layout)
        case RowScan(conditions=conditions):
            return words * prod(selectivity(c.test, layout) if isinstance(c, ir.Tested) else 0.5 for c in conditions)
        case EdgeScan(labels=labels):
            return words * (1 + _EXTRA_EDGES if labels is None else selectivity(ir.Bears(labels), layout))
        case SentenceScan(tests=tests):
            return words / SENTENCE_LENGTH * combined_selectivity(tests, layout)
        case Paths(source=source):
            return rows[source] * _PATH_ENDS
        case Join():
            return _joined(relation, rows, provided, words)
        case SemiJoin(source=source, other=other):
            return min(rows[source], rows[other])
        case AntiJoin(source=source, other=other):
            return max(rows[source] - rows[other], rows[source] / 2)
        case Grouped(sources=sources):
            return sum(rows[ref] for ref, _ in sources) / 2
    assert_never(relation)


def _joined(join: Join, rows: list[float], provided: list[set[NodeColumn]], words: int) -> float:
    """Estimate a join: the rows of the first input, times the partners that each further input has for a row.

    The tightest condition determines the partners, and each further condition halves them.
    """
    first, *further_inputs = join.inputs
    estimate, joined = rows[first], {node for node, _ in provided[first]}
    for ref in further_inputs:
        nodes = {node for node, _ in provided[ref]}
        connecting = [c for c in join.conditions if condition_nodes(c) & nodes and condition_nodes(c) & joined]
        tightnesses = [tightness(condition) for condition in connecting if tightness(condition)]
        estimate *= (
            rows[ref] / max(1, words) * _PARTNERS[max(tightnesses, default=0)] * 0.5 ** max(0, len(tightnesses) - 1)
        )
        joined |= nodes
    return estimate
