"""Build the relational plan of a filter: scans of single words, joins, and semi- and anti-joins for blocks."""

from __future__ import annotations

from collections import defaultdict

from fictdsl.plan.columns import condition_columns, provided_columns
from fictdsl.plan.layout import PLAIN, Layout
from fictdsl.plan.nodes import (
    AntiJoin,
    EdgeScan,
    Ends,
    Grouped,
    Join,
    JoinCondition,
    NodeColumn,
    Output,
    Plan,
    Ref,
    Relation,
    SemiJoin,
    SentenceScan,
    TokenScan,
)
from fictdsl.plan.order import SELECTIVE_BELOW, combined_selectivity, join_order
from fictdsl.plan.roles import readings_by_role
from fictdsl.semantics import ir


def build(filter_: ir.Filter, layout: Layout = PLAIN) -> Plan:
    """Return the unoptimized plan of a filter."""
    return _Builder(filter_, layout).plan()


class _Builder:
    def __init__(self, filter_: ir.Filter, layout: Layout) -> None:
        self._filter = filter_
        self._layout = layout
        self._relations: list[Relation] = []
        self._provided: list[set[NodeColumn]] = []
        self._refs: dict[Relation, Ref] = {}
        # Ids of enhanced edges (-2, -3, …), by depth of the block and condition; nodes have ids from 0 upwards.
        self._edges: dict[tuple[int, ir.EnhancedEdge], ir.Node] = {}
        self._depth = 0
        self._columns_read: dict[ir.Node, set[str]] = defaultdict(set)

    def plan(self) -> Plan:
        """Build the plan of all readings."""
        readings = readings_by_role(self._filter)
        for reading in readings:
            self._record_columns(reading.conjunction)
        outputs = []
        for reading in readings:
            source, _ = self._conjunction(reading.conjunction, None, ())
            outputs.append(Output(source, reading.bound))
        return Plan(tuple(self._relations), tuple(dict.fromkeys(outputs)), len(self._filter.names))

    def _add(self, relation: Relation) -> Ref:
        """Return the reference of a relation. Add the relation unless the plan contains an equal one."""
        ref = self._refs.setdefault(relation, len(self._relations))
        if ref == len(self._relations):
            self._relations.append(relation)
            self._provided.append(provided_columns(relation, self._provided))
        return ref

    def _record_columns(self, conjunction: ir.Conjunction) -> None:
        """Record, for each node, the columns that conditions of this block and of nested blocks read."""
        for condition in conjunction.conditions:
            match condition:
                case ir.Without(readings=readings) | ir.Count(readings=readings):
                    for reading in readings:
                        self._record_columns(reading)
                case ir.SentenceTested() | ir.EnhancedEdge():
                    pass
                case _:
                    for node, column in condition_columns(condition):
                        self._columns_read[node].add(column)

    def _conjunction(
        self, conjunction: ir.Conjunction, source: Ref | None, scope: tuple[ir.Node, ...]
    ) -> tuple[Ref, tuple[ir.Node, ...]]:
        """Add a conjunction's steps, joined to the rows of the enclosing block. Return the result and its scope."""
        ref = self._join(conjunction, source, scope)
        inner_scope = (*scope, *conjunction.nodes)
        self._depth += 1
        for condition in conjunction.conditions:
            match condition:
                case ir.Without(readings=readings):
                    for reading in readings:
                        inner_ref, _ = self._conjunction(reading, ref, inner_scope)
                        ref = self._add(AntiJoin(ref, inner_ref, inner_scope))
                case ir.Count():
                    ref = self._count(condition, ref, inner_scope)
        self._depth -= 1
        return ref, inner_scope

    def _count(self, count: ir.Count, source: Ref, scope: tuple[ir.Node, ...]) -> Ref:
        low, high = count.low, count.high
        if low == 0 and high is None:
            return source
        counted = tuple(
            (self._conjunction(reading, source, scope)[0], node)
            for reading, node in zip(count.readings, count.counted, strict=True)
        )
        if low == 0 and high is not None:  # a count of 0 has no group, so exclude larger groups instead
            return self._add(AntiJoin(source, self._add(Grouped(counted, scope, high + 1, None)), scope))
        return self._add(SemiJoin(source, self._add(Grouped(counted, scope, low, high)), scope))

    def _join(self, conjunction: ir.Conjunction, source: Ref | None, scope: tuple[ir.Node, ...]) -> Ref:
        tests: dict[ir.Node, list[ir.Test]] = {node: [] for node in conjunction.nodes}
        conditions: list[JoinCondition] = []
        sentence_tests: list[ir.Test] = []
        scans: dict[ir.Node, Ref] = {}
        selectivities: dict[ir.Node, float] = {}
        for condition in conjunction.conditions:
            match condition:
                case ir.Without() | ir.Count():
                    pass
                case ir.SentenceTested(test=test):
                    sentence_tests.append(test)
                case ir.Tested(node=node, test=test) if node in tests:
                    tests[node].append(test)
                case ir.EnhancedEdge(head=head, dependent=dependent, labels=labels):
                    edge = self._edges.setdefault((self._depth, condition), -2 - len(self._edges))
                    scans[edge] = self._add(EdgeScan(edge, labels))
                    selectivities[edge] = 0.2 if labels is None else 0.1
                    conditions.append(Ends(edge, head, dependent))
                case _:
                    conditions.append(condition)
        for node, node_tests in tests.items():
            selectivities[node] = combined_selectivity(node_tests, self._layout)
            columns = tuple(sorted({"id"} | self._columns_read[node]))
            scans[node] = self._add(TokenScan(node, tuple(node_tests), columns, selectivities[node] < SELECTIVE_BELOW))
        inputs = [] if source is None else [source]
        if sentence_tests or not (inputs or scans):
            inputs.append(self._add(SentenceScan(tuple(sentence_tests))))
        inputs += [scans[node] for node in join_order(selectivities, set(scope), conditions)]
        if len(inputs) == 1 and not conditions:
            return inputs[0]
        kept_columns = set().union(*(self._provided[ref] for ref in inputs))
        return self._add(Join(tuple(inputs), tuple(conditions), tuple(sorted(kept_columns))))
