"""Carry no cell further than it is read."""

from __future__ import annotations

from dataclasses import replace

from fictdsl.plan.columns import condition_cells
from fictdsl.plan.layout import PLAIN, Layout
from fictdsl.plan.nodes import Anti, Cell, Grouped, Join, Plan, Relation, Semi, TokenScan


def prune_columns(plan: Plan, _layout: Layout = PLAIN) -> Plan:
    """Drop from scans and joins the cells that nothing after them reads."""
    read: list[set[Cell]] = [set() for _ in plan.relations]
    for output in plan.outputs:
        read[output.source] |= {(node, "id") for node in output.bound if node is not None}
    pruned: list[Relation] = list(plan.relations)
    for number in reversed(range(len(pruned))):
        relation = pruned[number]
        match relation:
            case TokenScan(node=node, columns=columns):
                kept = tuple(column for column in columns if (node, column) in read[number])
                pruned[number] = replace(relation, columns=kept)
            case Join(inputs=inputs, conditions=conditions, keeps=keeps):
                pruned[number] = replace(relation, keeps=tuple(cell for cell in keeps if cell in read[number]))
                wanted = read[number].union(*(condition_cells(condition) for condition in conditions))
                for ref in inputs:
                    read[ref] |= wanted
            case Semi(source=source, other=other, nodes=nodes) | Anti(source=source, other=other, nodes=nodes):
                ids = {(node, "id") for node in nodes}
                read[source] |= read[number] | ids
                read[other] |= ids
            case Grouped(sources=sources, nodes=nodes):
                for ref, counted in sources:
                    read[ref] |= {(node, "id") for node in (*nodes, counted)}
            case _:
                pass
    return replace(plan, relations=tuple(pruned))
