"""Read columns of a word's head, its head's head or the next words from its own row, in place of joins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fictdsl.plan.columns import condition_columns, condition_nodes, test_columns
from fictdsl.plan.compact import compact, renumbered
from fictdsl.plan.layout import PLAIN, Layout
from fictdsl.plan.neighbours import OFFSETS, are_readable, is_implied, neighbour_words
from fictdsl.plan.nodes import Join, JoinCondition, NodeColumn, Output, Plan, Ref, Relation, RowScan, TokenScan
from fictdsl.plan.order import SELECTIVE_BELOW, combined_selectivity, selectivity
from fictdsl.plan.passes.prune_columns import prune_columns
from fictdsl.schema import Neighbour
from fictdsl.semantics import ir


def read_neighbour_columns(plan: Plan, layout: Layout = PLAIN) -> Plan:
    """Merge scans of a join into one scan if their words are neighbours and the copied columns suffice.

    Where the copies suffice only for a selective test of a neighbour, the scan applies that test too, so that fewer
    rows are joined.
    """
    relations: list[Relation] = []
    new_refs: list[Ref] = []
    plan = prune_columns(plan)  # unread columns need no copies
    for relation in plan.relations:
        new_relation = renumbered(relation, new_refs)
        relations.append(
            _JoinRewriter(new_relation, relations, layout).rewrite() if isinstance(new_relation, Join) else new_relation
        )
        new_refs.append(len(relations) - 1)
    outputs = tuple(Output(new_refs[output.source], output.bound) for output in plan.outputs)
    return prune_columns(compact(replace(plan, relations=tuple(relations), outputs=outputs)))


@dataclass(frozen=True, slots=True)
class _MergedScan:
    """A scan of a word and its neighbours.

    `replaced` are the neighbours whose scans this scan replaces. `tested` has the tests that it applies, by neighbour.
    """

    scan: TokenScan
    replaced: dict[ir.Node, Neighbour]
    tested: dict[ir.Node, tuple[Neighbour, tuple[ir.Test, ...]]]

    @property
    def nodes(self) -> set[ir.Node]:
        return {self.scan.node, *self.replaced}

    @property
    def tests(self) -> list[ir.Test]:
        return [*self.scan.tests, *(test for _, tests in self.tested.values() for test in tests)]

    def relation(self, conditions: list[JoinCondition], needed_columns: set[NodeColumn]) -> RowScan:
        """Return the scan, with the conditions that the neighbours do not imply and with the needed columns."""
        node = self.scan.node
        tests = [ir.Tested(node, test) for test in self.scan.tests]
        tests += [ir.Tested(other, test) for other, (_, other_tests) in self.tested.items() for test in other_tests]
        remaining = [condition for condition in conditions if not is_implied(condition, node, self.replaced)]
        neighbours = {other: neighbour for other, (neighbour, _) in self.tested.items()} | self.replaced
        keeps = tuple(sorted(node_column for node_column in needed_columns if node_column[0] in self.nodes))
        materialized = combined_selectivity(self.tests) < SELECTIVE_BELOW
        return RowScan(node, tuple(neighbours.items()), (*tests, *remaining), keeps, materialized)


class _JoinRewriter:
    """Rewrites one join and appends the new scans to `relations`."""

    def __init__(self, join: Join, relations: list[Relation], layout: Layout) -> None:
        self._join = join
        self._relations = relations
        self._copies = layout.copies
        # Whether a next word exists is read from the sentence length, which raw tables lack.
        self._unavailable = set(OFFSETS) if layout.raw else set()
        self._scans = {scan.node: scan for ref in join.inputs if isinstance(scan := relations[ref], TokenScan)}
        self._needed = set(self._join.keeps).union(*(condition_columns(condition) for condition in join.conditions))

    def rewrite(self) -> Relation:
        """Return the join over fewer scans, or the only scan that remains."""
        merged_scans = {scan.scan.node: scan for scan in self._merged_scans() if scan.tested or scan.replaced}
        if not merged_scans:
            return self._join
        remaining = [
            condition
            for condition in self._join.conditions
            if not any(condition_nodes(condition) <= scan.nodes for scan in merged_scans.values())
        ]
        needed_columns = set(self._join.keeps).union(*(condition_columns(condition) for condition in remaining))
        replaced = {node for scan in merged_scans.values() for node in scan.replaced}
        inputs: list[Ref] = []
        for ref in self._join.inputs:
            relation = self._relations[ref]
            node = relation.node if isinstance(relation, TokenScan) else None
            if node in merged_scans:
                own_conditions = [
                    condition
                    for condition in self._join.conditions
                    if condition_nodes(condition) <= merged_scans[node].nodes
                ]
                self._relations.append(merged_scans[node].relation(own_conditions, needed_columns))
                inputs.append(len(self._relations) - 1)
            elif node not in replaced:
                inputs.append(ref)
        first_input = self._relations[inputs[0]]
        return (
            first_input
            if len(inputs) == 1 and not remaining
            else Join(tuple(inputs), tuple(remaining), self._join.keeps)
        )

    def _merged_scans(self) -> Iterator[_MergedScan]:
        """Yield scans that cover every scanned node once, greedily choosing the one that replaces the most others."""
        uncovered = set(self._scans)
        while uncovered:
            merged_scan = min((self._merged_scan(node, uncovered) for node in uncovered), key=_preference)
            uncovered -= merged_scan.nodes
            yield merged_scan

    def _merged_scan(self, anchor: ir.Node, uncovered: set[ir.Node]) -> _MergedScan:
        replaced: dict[ir.Node, Neighbour] = {}
        tested: dict[ir.Node, tuple[Neighbour, tuple[ir.Test, ...]]] = {}
        for node, neighbour in neighbour_words(anchor, self._join.conditions):
            if node not in self._scans or node in replaced or node == anchor or neighbour in self._unavailable:
                continue
            tests = self._scans[node].tests
            columns = {column for other, column in self._needed if other == node}.union(*map(test_columns, tests))
            if node in uncovered and are_readable(columns, neighbour, self._copies):
                replaced[node] = neighbour
                tested[node] = (neighbour, tests)
            else:
                selective_tests = tuple(test for test in tests if self._is_selective(test, neighbour))
                if selective_tests and node not in tested:
                    tested[node] = (neighbour, selective_tests)
        return _MergedScan(self._scans[anchor], replaced, tested)

    def _is_selective(self, test: ir.Test, neighbour: Neighbour) -> bool:
        columns = test_columns(test)
        return (
            selectivity(test) < SELECTIVE_BELOW
            and "id" not in columns
            and are_readable(columns, neighbour, self._copies)
        )


def _preference(scan: _MergedScan) -> tuple[int, float, ir.Node]:
    return -len(scan.replaced), combined_selectivity(scan.tests), scan.scan.node
