"""The relational plan: a list of steps, and the columns that tests, conditions and steps read or provide.

Each step is a relation built from earlier ones. A row belongs to one sentence (`sid`, always present). Its other
columns are columns of the words bound to nodes. Steps refer to earlier steps by index, so that a relation can be used
more than once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from fictdsl.schema import PLAIN, Layout, Neighbour, copy_name, feature_column
from fictdsl.semantics import ir

Ref: TypeAlias = int
NodeColumn: TypeAlias = tuple[ir.Node, str]  # a column of `tokens`, for the word bound to a node


@dataclass(frozen=True, slots=True)
class TokenScan:
    """The words that satisfy all `tests`, bound to `node`. They are `materialized` if they are few."""

    node: ir.Node
    tests: tuple[ir.Test, ...]
    columns: tuple[str, ...]
    materialized: bool


@dataclass(frozen=True, slots=True)
class EdgeScan:
    """The edges of the enhanced graph that satisfy `labels`, with the columns (edge, "head") and (edge, "dep")."""

    edge: ir.Node
    labels: ir.Labels | None


@dataclass(frozen=True, slots=True)
class Paths:
    """Pairs of words that are `low` to `high` tree steps apart.

    A pair consists of a word of `node` in `source`, and a word above it (`up`) or below it. The columns are
    (edge, "head") and (edge, "dep"), as for an enhanced edge. Used in raw layouts, which lack interval columns.
    """

    edge: ir.Node
    source: Ref
    node: ir.Node
    up: bool
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class SentenceScan:
    tests: tuple[ir.Test, ...]


@dataclass(frozen=True, slots=True)
class Ends:
    edge: ir.Node
    head: ir.Node
    dependent: ir.Node


JoinCondition: TypeAlias = (
    ir.Tested
    | ir.Edge
    | ir.Dominates
    | ir.Precedes
    | ir.Between
    | ir.Siblings
    | ir.Crossing
    | ir.Shares
    | ir.NumbersCompare
    | ir.Ordered
    | ir.SumCompares
    | ir.InRows
    | ir.Distinct
    | Ends
)


@dataclass(frozen=True, slots=True)
class RowScan:
    """The words, bound to `node`, for which all conditions on them and on their `neighbours` hold.

    Everything is read from one row of `tokens`, which contains copies of columns of its neighbours. Only the columns
    in `keeps` are available to later steps. A neighbour without a column in `keeps` is only tested.
    """

    node: ir.Node
    neighbours: tuple[tuple[ir.Node, Neighbour], ...]
    conditions: tuple[JoinCondition, ...]
    keeps: tuple[NodeColumn, ...]
    materialized: bool


@dataclass(frozen=True, slots=True)
class Join:
    """The join of all inputs on the sentence, where all conditions hold, with the columns in `keeps`."""

    inputs: tuple[Ref, ...]
    conditions: tuple[JoinCondition, ...]
    keeps: tuple[NodeColumn, ...]


@dataclass(frozen=True, slots=True)
class SemiJoin:
    """The rows of `source` for which `other` has a row with the same words for `nodes`."""

    source: Ref
    other: Ref
    nodes: tuple[ir.Node, ...]


@dataclass(frozen=True, slots=True)
class AntiJoin:
    """The rows of `source` for which `other` has no row with the same words for `nodes`."""

    source: Ref
    other: Ref
    nodes: tuple[ir.Node, ...]


@dataclass(frozen=True, slots=True)
class Grouped:
    """The words for `nodes` that occur with `low` to `high` different words for the counted nodes of the sources."""

    sources: tuple[tuple[Ref, ir.Node], ...]
    nodes: tuple[ir.Node, ...]
    low: int
    high: int | None


Relation: TypeAlias = TokenScan | RowScan | EdgeScan | Paths | SentenceScan | Join | SemiJoin | AntiJoin | Grouped


@dataclass(frozen=True, slots=True)
class Output:
    source: Ref
    bound: tuple[ir.Node | None, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    relations: tuple[Relation, ...]
    outputs: tuple[Output, ...]
    name_count: int  # number of the filter's names; each is a column of the result


def attribute_columns(attribute: ir.Strings | ir.Numbers) -> set[str]:
    """Return the columns of `tokens` to read for an attribute: `feat_X` for a feature, `id` to join another table."""
    match attribute:
        case ir.Column(name=name) | ir.NumberColumn(name=name):
            return {name}
        case ir.Feature(name=name):
            return {feature_column(name)}
        case ir.Misc() | ir.Computed():
            return {"id"}
        case ir.Meta() | ir.SentenceColumn():
            return set()
    assert_never(attribute)


def test_columns(test: ir.Test) -> set[str]:
    match test:
        case ir.OneOf() | ir.Matches() | ir.Contains() | ir.Present() | ir.Compares():
            return attribute_columns(test.attribute)
        case ir.Bears():
            return {"deprel"}
        case ir.Phrase():
            return {"id"}
        case ir.Projective():
            return set()
        case ir.Not(test=negated_test):
            return test_columns(negated_test)
        case ir.All(tests=tests) | ir.Any(tests=tests):
            return set().union(*(test_columns(part) for part in tests))
    assert_never(test)


def condition_columns(condition: JoinCondition) -> set[NodeColumn]:
    match condition:
        case ir.Tested(node=node, test=test):
            return {(node, column) for column in test_columns(test)}
        case ir.Edge(head=head, dependent=dependent):
            return {(head, "id"), (dependent, "head")}
        case ir.Dominates(above=above, below=below):
            depths = set() if condition.high is None and condition.low < 2 else {(above, "depth"), (below, "depth")}
            return {(above, "pre"), (above, "last"), (below, "pre")} | depths
        case ir.Precedes(left=left, right=right) | ir.Distinct(left=left, right=right):
            return {(left, "id"), (right, "id")}
        case ir.Between(middle=middle, left=left, right=right):
            return {(middle, "id"), (left, "id"), (right, "id")}
        case ir.Siblings(left=left, right=right):
            return {(left, "head"), (right, "head")}
        case ir.Crossing(left=left, right=right):
            return {(node, column) for node in (left, right) for column in ("id", "head")}
        case ir.Shares() | ir.Ordered():
            left_columns = {(condition.left, name) for name in attribute_columns(condition.left_attribute)}
            return left_columns | {(condition.right, name) for name in attribute_columns(condition.right_attribute)}
        case ir.NumbersCompare(left=left, left_column=left_column, right=right, right_column=right_column):
            return {(left, left_column.name), (right, right_column.name)}
        case ir.SumCompares(terms=terms):
            return set().union(*(_measure_columns(measure) for _, measure in terms))
        case ir.InRows(nodes=nodes, attributes=attributes):
            pairs = zip(nodes, attributes, strict=True)
            return {(node, column) for node, attribute in pairs for column in attribute_columns(attribute)}
        case Ends(edge=edge, head=head, dependent=dependent):
            return {(edge, "head"), (edge, "dep"), (head, "id"), (dependent, "id")}
    assert_never(condition)


def _measure_columns(measure: ir.Measure) -> set[NodeColumn]:
    match measure:
        case ir.SubtreeLength(node=node):
            return {(node, "pre"), (node, "last")}
        case ir.Distance(left=left, right=right):
            return {(left, "id"), (right, "id")}
    assert_never(measure)


def condition_nodes(condition: JoinCondition) -> set[ir.Node]:
    if isinstance(condition, ir.Tested):
        return {condition.node}
    return {node for node, _ in condition_columns(condition)}


def provided_columns(relation: Relation, provided: list[set[NodeColumn]]) -> set[NodeColumn]:
    """Return the columns of nodes that a relation provides. `provided` holds those of each earlier relation."""
    match relation:
        case TokenScan(node=node, columns=columns):
            return {(node, column) for column in columns}
        case EdgeScan(edge=edge) | Paths(edge=edge):
            return {(edge, "head"), (edge, "dep")}
        case SentenceScan():
            return set()
        case Join(keeps=keeps) | RowScan(keeps=keeps):
            return set(keeps)
        case SemiJoin(source=source) | AntiJoin(source=source):
            return provided[source]
        case Grouped(nodes=nodes):
            return {(node, "id") for node in nodes}
    assert_never(relation)


def reads(relation: Relation) -> list[tuple[Ref, set[NodeColumn]]]:
    """Return the earlier relations that a relation other than a join reads, with the columns that it reads of each."""
    match relation:
        case Paths(source=source, node=node):
            return [(source, {(node, "id")})]
        case SemiJoin(source=source, other=other, nodes=nodes) | AntiJoin(source=source, other=other, nodes=nodes):
            ids = {(node, "id") for node in nodes}
            return [(source, ids), (other, ids)]
        case Grouped(sources=sources, nodes=nodes):
            return [(ref, {(node, "id") for node in (*nodes, counted)}) for ref, counted in sources]
    return []


def inputs(relation: Relation) -> tuple[Ref, ...]:
    return relation.inputs if isinstance(relation, Join) else tuple(ref for ref, _ in reads(relation))


def columns_read_later(plan: Plan) -> list[set[NodeColumn]]:
    """Return, for each step, the columns of nodes that later steps or the outputs read, also of nodes that it lacks."""
    read_columns: list[set[NodeColumn]] = [set() for _ in plan.relations]
    for output in plan.outputs:
        read_columns[output.source] |= {(node, "id") for node in output.bound if node is not None}
    for index in reversed(range(len(plan.relations))):
        match plan.relations[index]:
            case Join(inputs=refs, conditions=conditions):
                needed_columns = read_columns[index].union(*map(condition_columns, conditions))
                for ref in refs:
                    read_columns[ref] |= needed_columns
            case relation:
                for ref, columns in reads(relation):
                    read_columns[ref] |= columns
                if isinstance(relation, SemiJoin | AntiJoin):
                    read_columns[relation.source] |= read_columns[index]
    return read_columns


OFFSETS: dict[Neighbour, int] = {"n": 1, "n2": 2, "n3": 3}
_NEIGHBOUR_BY_OFFSET: dict[int, Neighbour] = {offset: neighbour for neighbour, offset in OFFSETS.items()}


def neighbour_words(anchor: ir.Node, conditions: Iterable[JoinCondition]) -> list[tuple[ir.Node, Neighbour]]:
    """Return the nodes that conditions determine to be neighbours of the anchor. A node may occur more than once."""
    heads: dict[ir.Node, list[ir.Node]] = defaultdict(list)
    steps: dict[ir.Node, list[tuple[ir.Node, int]]] = defaultdict(list)
    for condition in conditions:
        match condition:
            case ir.Edge(head=head, dependent=dependent):
                heads[dependent].append(head)
            case ir.Precedes(left=left, right=right, low=low, high=high) if low == high:
                steps[left].append((right, low))
                steps[right].append((left, -low))
    neighbours: list[tuple[ir.Node, Neighbour]] = []
    for head in heads[anchor]:
        neighbours.append((head, "h"))
        neighbours += [(head_of_head, "hh") for head_of_head in heads[head]]
    offsets, frontier = {anchor: 0}, [anchor]
    while frontier:
        current = frontier.pop()
        for other, step in steps[current]:
            if other not in offsets:
                offsets[other] = offsets[current] + step
                frontier.append(other)
    return neighbours + [
        (node, _NEIGHBOUR_BY_OFFSET[offset]) for node, offset in offsets.items() if offset in _NEIGHBOUR_BY_OFFSET
    ]


def are_readable(columns: Iterable[str], neighbour: Neighbour, copies: frozenset[str]) -> bool:
    needed_copies = {copy_name(neighbour, column) for column in columns if column != "id"}
    return (needed_copies | ({"h_head"} if neighbour == "hh" else set())) <= copies


def is_implied(condition: JoinCondition, anchor: ir.Node, neighbours: dict[ir.Node, Neighbour]) -> bool:
    match condition:
        case ir.Edge(head=head, dependent=dependent):
            head_name = "h" if dependent == anchor else "hh" if neighbours.get(dependent) == "h" else None
            return head_name is not None and neighbours.get(head) == head_name
        case ir.Precedes(left=left, right=right, low=low, high=high) if low == high:
            offsets = {anchor: 0} | {node: OFFSETS[name] for node, name in neighbours.items() if name in OFFSETS}
            return left in offsets and right in offsets and offsets[right] - offsets[left] == low
    return False


def presence_checks(scan: RowScan) -> list[Neighbour]:
    """Return the farthest neighbours whose existence a scan must check, since no test fails if they are missing."""
    tested = {
        neighbour
        for node, neighbour in scan.neighbours
        for condition in scan.conditions
        if isinstance(condition, ir.Tested) and condition.node == node and _fails_on_null(condition.test)
    }
    untested = [neighbour for _, neighbour in scan.neighbours if neighbour not in tested]
    checks: list[Neighbour] = []
    ancestors: tuple[Neighbour, ...] = ("hh", "h")
    next_words: tuple[Neighbour, ...] = ("n3", "n2", "n")
    for direction in (ancestors, next_words):
        farthest = next((neighbour for neighbour in direction if neighbour in tested or neighbour in untested), None)
        if farthest in untested:
            checks.append(farthest)
    return checks


def _fails_on_null(test: ir.Test) -> bool:
    """Return whether a test is false if there is no word, so that all columns are NULL."""
    match test:
        case ir.OneOf() | ir.Matches() | ir.Contains() | ir.Present() | ir.Phrase():
            return True
        case ir.Bears(labels=labels):
            return not labels.negated
        case ir.Compares() | ir.Projective() | ir.Not():  # a neighbour's position is computed, so it is never NULL
            return False
        case ir.All(tests=tests):
            return any(_fails_on_null(part) for part in tests)
        case ir.Any(tests=tests):
            return all(_fails_on_null(part) for part in tests)
    assert_never(test)


def rewritten(plan: Plan, rewrite: Callable[[Relation, list[Relation]], Relation]) -> Plan:
    relations: list[Relation] = []
    new_refs: list[Ref] = []
    for relation in plan.relations:
        relations.append(rewrite(renumbered(relation, new_refs), relations))
        new_refs.append(len(relations) - 1)
    outputs = tuple(Output(new_refs[output.source], output.bound) for output in plan.outputs)
    return compact(replace(plan, relations=tuple(relations), outputs=outputs))


def compact(plan: Plan) -> Plan:
    """Remove steps that no output needs and duplicates of earlier steps, and renumber the rest."""
    needed_refs = {output.source for output in plan.outputs}
    for index in reversed(range(len(plan.relations))):
        if index in needed_refs:
            needed_refs |= set(inputs(plan.relations[index]))
    refs: dict[Relation, Ref] = {}
    new_refs: dict[Ref, Ref] = {}
    for index in sorted(needed_refs):
        relation = renumbered(plan.relations[index], new_refs)
        new_refs[index] = refs.setdefault(relation, len(refs))
    outputs = tuple(dict.fromkeys(Output(new_refs[output.source], output.bound) for output in plan.outputs))
    return replace(plan, relations=tuple(refs), outputs=outputs)


def renumbered(relation: Relation, new_refs: Sequence[Ref] | dict[Ref, Ref]) -> Relation:
    match relation:
        case Join(inputs=refs):
            return replace(relation, inputs=tuple(new_refs[ref] for ref in refs))
        case Paths(source=source):
            return replace(relation, source=new_refs[source])
        case SemiJoin(source=source, other=other) | AntiJoin(source=source, other=other):
            return replace(relation, source=new_refs[source], other=new_refs[other])
        case Grouped(sources=sources):
            return replace(relation, sources=tuple((new_refs[ref], node) for ref, node in sources))
    return relation


def prune_columns(plan: Plan, _layout: Layout = PLAIN) -> Plan:
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
