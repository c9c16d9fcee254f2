"""A plan and a layout to how many rows each step may have, from the counts of a store."""

from __future__ import annotations

from math import prod
from typing import assert_never

from fictdsl.plan.columns import cells, condition_nodes
from fictdsl.plan.layout import Layout
from fictdsl.plan.nodes import (
    Anti,
    Cell,
    EdgeScan,
    Grouped,
    Join,
    Paths,
    Plan,
    Relation,
    RowScan,
    Semi,
    SentenceScan,
    TokenScan,
)
from fictdsl.plan.order import combined_selectivity, selectivity, tie
from fictdsl.semantics import ir

LENGTH = 15  # words of a sentence
_EDGES = 0.2  # of an enhanced graph that are not like those of the tree, for each word
_ABOVE = 4  # words above or below a word
_PARTNERS = (LENGTH - 1, LENGTH / 2, 3, 1)  # words that a condition leaves for a word, by how closely it ties them


def estimates(plan: Plan, layout: Layout) -> list[int]:
    """For each step its rows, as if all its tests and conditions were independent of each other."""
    words = layout.words or 0
    offered: list[set[Cell]] = []
    rows: list[float] = []
    for relation in plan.relations:
        rows.append(_rows(relation, rows, offered, words, layout))
        offered.append(cells(relation, offered))
    return [round(number) for number in rows]


def _rows(relation: Relation, rows: list[float], offered: list[set[Cell]], words: int, layout: Layout) -> float:
    match relation:
        case TokenScan(tests=tests):
            return words * combined_selectivity(tests, layout)
        case RowScan(conditions=conditions):
            return words * prod(selectivity(c.test, layout) if isinstance(c, ir.Tested) else 0.5 for c in conditions)
        case EdgeScan(labels=labels):
            return words * (1 + _EDGES if labels is None else selectivity(ir.Bears(labels), layout))
        case SentenceScan(tests=tests):
            return words / LENGTH * combined_selectivity(tests, layout)
        case Paths(source=source):
            return rows[source] * _ABOVE
        case Join():
            return _joined(relation, rows, offered, words)
        case Semi(source=source, other=other):
            return min(rows[source], rows[other])
        case Anti(source=source, other=other):
            return max(rows[source] - rows[other], rows[source] / 2)
        case Grouped(sources=sources):
            return sum(rows[ref] for ref, _ in sources) / 2
    assert_never(relation)


def _joined(join: Join, rows: list[float], offered: list[set[Cell]], words: int) -> float:
    """Rows of the first input, times what each further one has for a word that the closest condition leaves."""
    first, *rest = join.inputs
    found, placed = rows[first], {node for node, _ in offered[first]}
    for ref in rest:
        nodes = {node for node, _ in offered[ref]}
        both = [c for c in join.conditions if condition_nodes(c) & nodes and condition_nodes(c) & placed]
        ties = [tie(condition) for condition in both if tie(condition)]
        found *= rows[ref] / max(1, words) * _PARTNERS[max(ties, default=0)] * 0.5 ** max(0, len(ties) - 1)
        placed |= nodes
    return found
