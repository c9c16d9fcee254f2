"""The optimization passes, in the order they run. None of them changes the result of a plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from fictdsl.plan.build import combined_selectivity
from fictdsl.plan.layout_passes import expand_dominance_paths, read_neighbour_columns
from fictdsl.plan.nodes import (
    AntiJoin,
    Join,
    JoinCondition,
    NodeColumn,
    Plan,
    Relation,
    SemiJoin,
    TokenScan,
    condition_columns,
    inputs,
    provided_columns,
    prune_columns,
    reads,
    rewritten,
    test_columns,
)
from fictdsl.schema import PLAIN, Layout
from fictdsl.semantics import ir

_MIN_VALUES = 4  # a list with at least this many values is expensive to look up inside OR
_MIN_SHARE = 0.05  # if the other tests leave a smaller share of words, the scan is not split


def alternatives(scan: TokenScan, layout: Layout) -> tuple[TokenScan, ...]:
    """Return scans whose union, with duplicates, is `scan`: a list outside of OR costs half as much."""
    for test in scan.tests:
        if isinstance(test, ir.Any) and test.tests and all(map(_is_long, test.tests)):
            other_tests = tuple(other for other in scan.tests if other is not test)
            if combined_selectivity(other_tests, layout) > _MIN_SHARE:
                return tuple(replace(scan, tests=(alternative, *other_tests)) for alternative in test.tests)
    return (scan,)


def _is_long(test: ir.Test) -> bool:
    return isinstance(test, ir.OneOf) and isinstance(test.attribute, ir.Column) and len(test.values) >= _MIN_VALUES


Pair = tuple[ir.Node, ir.Node]


def drop_implied_distinctness(plan: Plan, _layout: Layout = PLAIN) -> Plan:
    """Drop a `Distinct` if one node dominates or precedes the other, or the nodes are known to differ."""
    facts_of_steps: list[_Facts] = []
    relations: list[Relation] = []
    for relation in plan.relations:
        match relation:
            case Join(inputs=inputs, conditions=conditions):
                of_inputs = [facts_of_steps[ref] for ref in inputs]
                facts = _Facts(
                    {pair for each in of_inputs for pair in each.above},
                    {pair for each in of_inputs for pair in each.before},
                    {pair for each in of_inputs for pair in each.distinct},
                )
                facts.add_conditions(conditions)
                remaining = tuple(
                    condition
                    for condition in conditions
                    if not (
                        isinstance(condition, ir.Distinct) and facts.imply_distinct(condition.left, condition.right)
                    )
                )
                facts.distinct |= {
                    (condition.left, condition.right) for condition in remaining if isinstance(condition, ir.Distinct)
                }
                facts_of_steps.append(facts)
                relations.append(replace(relation, conditions=remaining))
            case SemiJoin(source=source) | AntiJoin(source=source):
                facts_of_steps.append(facts_of_steps[source])
                relations.append(relation)
            case _:
                facts_of_steps.append(_Facts())
                relations.append(relation)
    return replace(plan, relations=tuple(relations))


@dataclass(slots=True)
class _Facts:
    """Pairs of nodes known to be in strict dominance, in strict precedence, or different for another reason."""

    above: set[Pair] = field(default_factory=set)
    before: set[Pair] = field(default_factory=set)
    distinct: set[Pair] = field(default_factory=set)

    def add_conditions(self, conditions: tuple[JoinCondition, ...]) -> None:
        for condition in conditions:
            match condition:
                case ir.Edge(head=above, dependent=below):
                    self.above.add((above, below))
                case ir.Dominates(above=above, below=below, low=low) if low > 0:
                    self.above.add((above, below))
                case ir.Precedes(left=left, right=right):
                    self.before.add((left, right))
                case ir.Between(middle=middle, left=left, right=right):
                    self.distinct |= {(middle, left), (middle, right), (left, right)}
                case _:
                    pass

    def imply_distinct(self, left: ir.Node, right: ir.Node) -> bool:
        return any(
            (a, b) in self.distinct or _reaches(self.above, a, b) or _reaches(self.before, a, b)
            for a, b in ((left, right), (right, left))
        )


def _reaches(edges: set[Pair], start: ir.Node, end: ir.Node) -> bool:
    reached, frontier = {start}, [start]
    while frontier:
        current = frontier.pop()
        for source, target in edges:
            if source == current and target not in reached:
                reached.add(target)
                frontier.append(target)
    return end in reached and start != end


_MAX_SHARE = 0.15  # maximum share of words in a reused scan; testing so few words is cheaper than scanning a column


def reuse_selective_scans(plan: Plan, layout: Layout = PLAIN) -> Plan:
    """Replace a scan that has all tests of a selective wider scan: apply its other tests to that scan's rows."""
    scans = [relation for relation in plan.relations if isinstance(relation, TokenScan) and relation.materialized]
    wider_scans = {scan: wider for scan in scans if (wider := _widest_scan(scan, scans, layout)) is not None}
    if not wider_scans:
        return plan
    extended_scans = {
        wider: _with_columns(wider, [scan for scan in wider_scans if wider_scans[scan] == wider])
        for wider in wider_scans.values()
    }

    def rewrite(relation: Relation, relations: list[Relation]) -> Relation:
        if not isinstance(relation, TokenScan) or relation not in wider_scans:
            return extended_scans.get(relation, relation) if isinstance(relation, TokenScan) else relation
        wider = wider_scans[relation]
        relations.append(extended_scans[wider])
        columns = tuple((relation.node, column) for column in relation.columns)
        return Join((len(relations) - 1,), _remaining_tests(relation, wider), columns)

    return rewritten(plan, rewrite)


def _widest_scan(scan: TokenScan, scans: list[TokenScan], layout: Layout) -> TokenScan | None:
    candidates = [other for other in scans if other.node == scan.node and set(other.tests) < set(scan.tests)]
    if not candidates:
        return None
    widest = min(candidates, key=lambda other: len(set(other.tests)))
    return widest if widest.tests and combined_selectivity(widest.tests, layout) <= _MAX_SHARE else None


def _with_columns(scan: TokenScan, narrower_scans: list[TokenScan]) -> TokenScan:
    needed_columns = set(scan.columns).union(*(other.columns for other in narrower_scans))
    for other in narrower_scans:
        needed_columns |= set[str]().union(
            *(test_columns(condition.test) for condition in _remaining_tests(other, scan))
        )
    return replace(scan, columns=tuple(sorted(needed_columns)))


def _remaining_tests(scan: TokenScan, wider: TokenScan) -> tuple[ir.Tested, ...]:
    return tuple(ir.Tested(scan.node, test) for test in scan.tests if test not in wider.tests)


class BrokenPlanError(AssertionError):
    """A plan violates an invariant: a bug in the builder or in a pass."""


def verify(plan: Plan) -> None:
    """Raise BrokenPlanError if a step reads a later step or a missing column, or an output lacks a name."""
    provided: list[set[NodeColumn]] = []
    for index, relation in enumerate(plan.relations):
        for ref in inputs(relation):
            if not 0 <= ref < index:
                raise BrokenPlanError(f"step {index} reads step {ref}, which is not before it")
        missing_columns = _missing_columns(relation, provided)
        if missing_columns:
            raise BrokenPlanError(f"step {index} reads {sorted(missing_columns)}, which no input provides")
        provided.append(provided_columns(relation, provided))
    for output in plan.outputs:
        if len(output.bound) != plan.name_count:
            raise BrokenPlanError(f"an output binds {len(output.bound)} names instead of {plan.name_count}")
        needed_columns = {(node, "id") for node in output.bound if node is not None}
        if not needed_columns <= provided[output.source]:
            raise BrokenPlanError(f"an output reads {sorted(needed_columns - provided[output.source])}")


def _missing_columns(relation: Relation, provided: list[set[NodeColumn]]) -> set[NodeColumn]:
    if isinstance(relation, Join):
        needed_columns = set(relation.keeps).union(*map(condition_columns, relation.conditions))
        return needed_columns - set[NodeColumn]().union(*(provided[ref] for ref in relation.inputs))
    return set[NodeColumn]().union(*(columns - provided[ref] for ref, columns in reads(relation)))


Pass: TypeAlias = Callable[[Plan, Layout], Plan]

PASSES: tuple[Pass, ...] = (
    drop_implied_distinctness,
    expand_dominance_paths,
    read_neighbour_columns,
    reuse_selective_scans,
    prune_columns,
)


def optimize(plan: Plan, layout: Layout = PLAIN) -> Plan:
    for apply_pass in PASSES:
        plan = apply_pass(plan, layout)
    return plan
