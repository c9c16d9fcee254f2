"""Build the relational plan of a filter: scans of single words, joins, and semi- and anti-joins.

Renumber the nodes of readings by their roles, so that equal parts of several readings become equal values.
Nodes of different readings have the same role if they come from the same position of the source text.

Find the parts of a filter that a raw layout does not support.
Its table has the columns ID to DEPREL of CoNLL-U, so it lacks comments, enhanced edges and entries of MISC.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import TypeVar

from fictdsl.plan.columns import condition_columns, provided_columns
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
from fictdsl.schema import LENGTHS, LOWERED, PLAIN, WORD_STRINGS, Layout
from fictdsl.semantics import ir

Part = TypeVar("Part", ir.Conjunction, ir.Condition)


def readings_by_role(filter_: ir.Filter) -> tuple[ir.Reading, ...]:
    """Return the readings with each node replaced by its role."""
    roles = filter_.roles
    return tuple(
        ir.Reading(
            _renumbered(reading.conjunction, roles),
            tuple(None if node is None else roles[node] for node in reading.bound),
        )
        for reading in filter_.readings
    )


def _renumbered(part: Part, roles: tuple[int, ...]) -> Part:
    match part:
        case ir.Conjunction(nodes=nodes, conditions=conditions):
            renumbered_conditions = tuple(_renumbered(condition, roles) for condition in conditions)
            return ir.Conjunction(tuple(roles[node] for node in nodes), renumbered_conditions)
        case ir.Without(readings=readings):
            return ir.Without(tuple(_renumbered(reading, roles) for reading in readings))
        case ir.Count(readings=readings, counted=counted):
            inner_readings = tuple(_renumbered(reading, roles) for reading in readings)
            return replace(part, readings=inner_readings, counted=tuple(roles[node] for node in counted))
        case ir.SumCompares(terms=terms):
            return replace(
                part, terms=tuple((factor, _renumbered_measure(measure, roles)) for factor, measure in terms)
            )
        case ir.InRows(nodes=nodes):
            return replace(part, nodes=tuple(roles[node] for node in nodes))
    return replace(
        part, **{field.name: roles[getattr(part, field.name)] for field in fields(part) if field.type == "Node"}
    )


def _renumbered_measure(measure: ir.Measure, roles: tuple[int, ...]) -> ir.Measure:
    if isinstance(measure, ir.SubtreeLength):
        return ir.SubtreeLength(roles[measure.node])
    return ir.Distance(*sorted((roles[measure.left], roles[measure.right])))


_COLUMNS = {
    "id",
    *WORD_STRINGS,
    *LOWERED.values(),
    *LENGTHS.values(),
}  # columns of the table, and columns computed from them


def missing_from_raw(filter_: ir.Filter) -> tuple[str, ...]:
    """Return the names, for messages, of the parts of a filter that a raw layout does not support, sorted."""
    return tuple(sorted(set(_unsupported(filter_))))


def _unsupported(filter_: ir.Filter) -> Iterator[str]:
    for element in ir.walk(filter_):
        match element:
            case ir.Misc(key=key):
                yield f"misc.{key}"
            case ir.Computed(name=name):
                yield name
            case ir.Meta(key=key):
                yield f"meta.{key}"
            case ir.SentenceColumn(name=name) | ir.NumberColumn(name="length" as name):
                yield f"sentence.{name}"
            case ir.Column(name=name) | ir.NumberColumn(name=name) if name not in _COLUMNS:
                yield name
            case ir.EnhancedEdge():
                yield "enhanced edges"
            case ir.Action(target="subtree") | ir.SubtreeLength():
                yield "the words of a subtree"
            case _:
                pass


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
