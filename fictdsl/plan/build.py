"""Build the relational plan of a filter, with joins in the order of estimated rows.

The steps are scans of single words, joins, and semi- and anti-joins. The nodes of readings are renumbered by their
roles, so that equal parts of several readings become equal values. Nodes of different readings have the same role if
they come from the same position of the source text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from math import prod
from typing import TypeVar, assert_never

from fictdsl.plan.nodes import (
    AntiJoin,
    EdgeScan,
    Ends,
    Grouped,
    Join,
    JoinCondition,
    NodeColumn,
    Output,
    Paths,
    Plan,
    Ref,
    Relation,
    RowScan,
    SemiJoin,
    SentenceScan,
    TokenScan,
    condition_columns,
    condition_nodes,
    provided_columns,
)
from fictdsl.schema import COMPUTED_NUMBERS, LOWERED, PLAIN, SENTENCE, WORD_STRINGS, Layout, feature_column
from fictdsl.semantics import ir

SELECTIVE_BELOW = 0.3  # a scan with a smaller selectivity is materialized
_MAX_SAMPLE = 12  # maximum number of values of a list whose counts are looked up
_COMMON_RELATIONS = {"punct", "case", "nsubj", "det", "root", "nmod", "obl", "conj", "obj", "advmod", "amod"}


def selectivity(test: ir.Test, layout: Layout = PLAIN) -> float:
    """Estimate the share of words that satisfy a test, from the layout's statistics or else from fixed guesses."""
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
    """Estimate the share from counts, of a sample of a long list. None if a count is unknown."""
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
    """Estimate rows: the tightest condition gives the matching rows of an input, each further one halves them."""
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


Part = TypeVar("Part", ir.Conjunction, ir.Condition)


def readings_by_role(filter_: ir.Filter) -> tuple[ir.Reading, ...]:
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


# columns of the table, and columns computed from them
_COLUMNS = {"id", *WORD_STRINGS, *LOWERED.values(), *COMPUTED_NUMBERS}
_SENTENCE_COLUMNS = {entry.column for entry in SENTENCE.values()}


def missing_from_raw(filter_: ir.Filter) -> tuple[str, ...]:
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
            case ir.SentenceColumn(name=name) | ir.NumberColumn(name=name) if name in _SENTENCE_COLUMNS:
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
    return _Builder(filter_, layout).plan()


class _Builder:
    """Plans one filter, once. A relation refers only to earlier ones; equal relations are one, so readings share scans.

    `plan` first records the columns that each node needs anywhere, so that all scans of a node with equal tests are
    equal. `_provided` has the columns of each relation, by index.
    """

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
        ref = self._refs.setdefault(relation, len(self._relations))
        if ref == len(self._relations):
            self._relations.append(relation)
            self._provided.append(provided_columns(relation, self._provided))
        return ref

    def _record_columns(self, conjunction: ir.Conjunction) -> None:
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
