"""Drop columns that no later step reads."""

from __future__ import annotations

from dataclasses import replace

from fictdsl.plan.columns import columns_read_later
from fictdsl.plan.layout import PLAIN, Layout
from fictdsl.plan.nodes import Join, NodeColumn, Plan, Relation, RowScan, TokenScan


def prune_columns(plan: Plan, _layout: Layout = PLAIN) -> Plan:
    """Drop from scans and joins the columns that neither later steps nor the outputs read."""
    pruned = (
        _pruned(relation, read_columns)
        for relation, read_columns in zip(plan.relations, columns_read_later(plan), strict=True)
    )
    return replace(plan, relations=tuple(pruned))


def _pruned(relation: Relation, read_columns: set[NodeColumn]) -> Relation:
    match relation:
        case TokenScan(node=node, columns=columns):
            return replace(relation, columns=tuple(column for column in columns if (node, column) in read_columns))
        case Join(keeps=keeps) | RowScan(keeps=keeps):
            return replace(relation, keeps=tuple(node_column for node_column in keeps if node_column in read_columns))
    return relation
