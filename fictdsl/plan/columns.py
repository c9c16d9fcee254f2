"""The columns that tests, conditions and relations read or provide."""

from __future__ import annotations

from typing import assert_never

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
    Ref,
    Relation,
    RowScan,
    SemiJoin,
    SentenceScan,
    TokenScan,
)
from fictdsl.schema import feature_column
from fictdsl.semantics import ir


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
    """Return the columns of `tokens` that a test of a word reads."""
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
    """Return the columns of nodes that a condition reads."""
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
    """Return the nodes and enhanced edges that a condition refers to."""
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


def inputs(relation: Relation) -> tuple[Ref, ...]:
    """Return the earlier relations that a relation reads."""
    match relation:
        case TokenScan() | RowScan() | EdgeScan() | SentenceScan():
            return ()
        case Join(inputs=refs):
            return refs
        case Paths(source=source):
            return (source,)
        case SemiJoin(source=source, other=other) | AntiJoin(source=source, other=other):
            return (source, other)
        case Grouped(sources=sources):
            return tuple(ref for ref, _ in sources)
    assert_never(relation)


def columns_read_later(plan: Plan) -> list[set[NodeColumn]]:
    """Return, for each step, the columns of nodes that later steps or the outputs read.

    They may include columns that the step does not provide.
    """
    read_columns: list[set[NodeColumn]] = [set() for _ in plan.relations]
    for output in plan.outputs:
        read_columns[output.source] |= {(node, "id") for node in output.bound if node is not None}
    for index in reversed(range(len(plan.relations))):
        match plan.relations[index]:
            case Join(inputs=refs, conditions=conditions):
                needed_columns = read_columns[index].union(*(condition_columns(condition) for condition in conditions))
                for ref in refs:
                    read_columns[ref] |= needed_columns
            case Paths(source=source, node=node):
                read_columns[source].add((node, "id"))
            case SemiJoin(source=source, other=other, nodes=nodes) | AntiJoin(source=source, other=other, nodes=nodes):
                ids = {(node, "id") for node in nodes}
                read_columns[source] |= read_columns[index] | ids
                read_columns[other] |= ids
            case Grouped(sources=sources, nodes=nodes):
                for ref, counted in sources:
                    read_columns[ref] |= {(node, "id") for node in (*nodes, counted)}
            case _:
                pass
    return read_columns
