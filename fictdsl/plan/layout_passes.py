"""Fit a plan to a layout: sorted copies, copied columns of neighbours, and paths where interval columns are missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fictdsl.plan.build import SELECTIVE_BELOW, combined_selectivity, selectivity, tightness
from fictdsl.plan.nodes import (
    OFFSETS,
    Ends,
    Join,
    JoinCondition,
    NodeColumn,
    Paths,
    Plan,
    Ref,
    Relation,
    RowScan,
    TokenScan,
    are_readable,
    condition_columns,
    condition_nodes,
    is_implied,
    neighbour_words,
    presence_checks,
    provided_columns,
    prune_columns,
    rewritten,
    test_columns,
)
from fictdsl.schema import FEATURE_PREFIX, LOWERED, PLAIN, Layout, Neighbour, SortedCopy, copy_name, feature_column
from fictdsl.semantics import ir

_EXTRA_ROWS = 200_000  # rows read for a value besides its own, because row groups are read whole
_ROW_COST = 0.4  # measured cost of a row of a copy, relative to a row of `tokens`: equal values are adjacent


def sorted_copy(scan: TokenScan | RowScan, layout: Layout) -> SortedCopy | None:
    """Return the cheapest copy for a scan that requires a value in its sort column; None if `tokens` is cheaper."""
    if not layout.sorted_copies or layout.words is None:
        return None
    lookups = [lookup for test in _tests(scan) if (lookup := _lookup(test)) is not None]
    lowest_cost = min(
        [layout.words, *(_lookup_rows(layout, values, 0, "deprel") for by, values in lookups if by == "deprel")]
    )
    cheapest = None
    needed_columns = _columns(scan)
    for copy in layout.sorted_copies:
        for by, values in lookups:
            if by == copy.by and needed_columns <= copy.columns:
                cost = _ROW_COST * _rows_read(layout, copy, values)
                if cost < lowest_cost:
                    cheapest, lowest_cost = copy, cost
    return cheapest


def lowercase_lookup(test: ir.Test) -> tuple[str, Sequence[str]] | None:
    """Return a lowercase column and values that a test of form or lemma requires; else None, as for non-ASCII."""
    match test:
        case ir.OneOf(attribute=ir.Column(name="form" | "lemma" as name), values=values) if "".join(values).isascii():
            return LOWERED[name], sorted({value.lower() for value in values})
    return None


def _rows_read(layout: Layout, copy: SortedCopy, values: Sequence[str]) -> float:
    """Estimate the rows of a sorted copy that a lookup reads: whole row groups, for a feature all."""
    total = float("inf") if copy.rows is None else copy.rows
    if copy.by.startswith(FEATURE_PREFIX):  # a value may be inside a comma-separated list, which sorts elsewhere
        return total if copy.rows is not None else _lookup_rows(layout, values, 0, copy.by)
    return min(total, _lookup_rows(layout, values, _EXTRA_ROWS, copy.by))


def _lookup_rows(layout: Layout, values: Sequence[str], overhead: int, column: str) -> float:
    counts = [layout.count(column, value) for value in values]
    return sum(float("inf") if count is None else count + (overhead if count else 0) for count in counts)


def _lookup(test: ir.Test) -> tuple[str, Sequence[str]] | None:
    match test:
        case ir.OneOf(attribute=ir.Column(name=name), values=values):
            lowercase = lowercase_lookup(test)
            return (name, values) if lowercase is None else lowercase
        case ir.OneOf(attribute=ir.Feature(name=name), values=values):
            return feature_column(name), values
        case ir.Bears(labels=ir.Labels(plain=plain, exact=exact, negated=False, patterns=())):
            return "deprel", (*plain, *exact)
    return None


def _tests(scan: TokenScan | RowScan) -> Iterator[ir.Test]:
    match scan:
        case TokenScan(tests=tests):
            pass
        case RowScan(node=node, conditions=conditions):
            tests = tuple(
                condition.test
                for condition in conditions
                if isinstance(condition, ir.Tested) and condition.node == node
            )
    for test in tests:
        yield from test.tests if isinstance(test, ir.All) else (test,)


def _columns(scan: TokenScan | RowScan) -> set[str]:
    match scan:
        case TokenScan(tests=tests, columns=columns):
            return {"sid", *columns}.union(*map(test_columns, tests))
    neighbours = dict(scan.neighbours)
    node_columns = set(scan.keeps).union(*(condition_columns(condition) for condition in scan.conditions))
    token_columns = {"sid"}
    for node, column in node_columns:
        token_columns.add(_column(neighbours[node], column) if node in neighbours else column)
    for neighbour in presence_checks(scan):
        token_columns |= {_column(neighbour, "id")} | ({"n"} if neighbour in OFFSETS else set())
    return token_columns


def _column(neighbour: Neighbour, column: str) -> str:
    if column != "id":
        return copy_name(neighbour, column)
    return "id" if neighbour in OFFSETS else "head" if neighbour == "h" else "h_head"


_PATH_ID_BASE = -1000  # the ids of paths are smaller, those of enhanced edges greater
_FAN_OUT = 4  # assumed ratio of the words below a non-leaf word to the words above it


def expand_dominance_paths(plan: Plan, layout: Layout = PLAIN) -> Plan:
    """In a raw layout, join the inputs that conditions other than dominance connect, then follow tree edges."""
    if not layout.raw:
        return plan
    return prune_columns(rewritten(plan, _PathRewriter().rewrite))


@dataclass(slots=True, eq=False)
class _Group:
    refs: list[Ref]
    nodes: set[ir.Node]
    selectivity: float

    def absorb(self, other: _Group) -> None:
        self.refs = sorted({*self.refs, *other.refs})
        self.nodes |= other.nodes
        self.selectivity = min(self.selectivity, other.selectivity)


class _PathRewriter:
    def __init__(self) -> None:
        self._relations: list[Relation] = []
        self._provided: list[set[NodeColumn]] = []
        self._path_count = 0

    def rewrite(self, relation: Relation, relations: list[Relation]) -> Relation:
        self._relations = relations
        return self._expand_join(relation) if isinstance(relation, Join) else relation

    def _add(self, relation: Relation) -> Ref:
        self._relations.append(relation)
        return len(self._relations) - 1

    def _columns(self, ref: Ref) -> set[NodeColumn]:
        for relation in self._relations[len(self._provided) :]:
            self._provided.append(provided_columns(relation, self._provided))
        return self._provided[ref]

    def _expand_join(self, join: Join) -> Join:
        dominances = [condition for condition in join.conditions if isinstance(condition, ir.Dominates)]
        if not dominances:
            return join
        groups = self._groups(join)
        conditions_by_group, remaining = _split(join, groups)
        refs = {
            group: self._add_group_join(group, join, conditions) for group, conditions in conditions_by_group.items()
        }
        inputs: dict[Ref, None] = {}
        ends: list[JoinCondition] = []
        for dominance in sorted(
            dominances, key=lambda dominance: min(group.selectivity for group in _groups_of_ends(groups, dominance))
        ):
            above_group, below_group = _groups_of_ends(groups, dominance)
            up = below_group.selectivity <= _FAN_OUT * above_group.selectivity
            start, end = (below_group, above_group) if up else (above_group, below_group)
            path = self._path(dominance, refs[start], up=up)
            inputs |= dict.fromkeys((refs[start], self._add(path), refs[end]))
            ends.append(Ends(path.edge, dominance.above, dominance.below))
        return Join(tuple(inputs | dict.fromkeys(refs.values())), (*remaining, *ends), join.keeps)

    def _path(self, dominance: ir.Dominates, source: Ref, *, up: bool) -> Paths:
        self._path_count += 1
        start = dominance.below if up else dominance.above
        return Paths(_PATH_ID_BASE - self._path_count, source, start, up, dominance.low, dominance.high)

    def _groups(self, join: Join) -> list[_Group]:
        groups: list[_Group] = []
        for ref in join.inputs:
            relation = self._relations[ref]  # inputs other than scans of `tokens` are assumed to have few rows
            selectivity = combined_selectivity(relation.tests) if isinstance(relation, TokenScan) else 0.01
            groups.append(_Group([ref], {node for node, _ in self._columns(ref)}, selectivity))
        for condition in join.conditions:
            if not isinstance(condition, ir.Dominates) and tightness(condition):
                first_group, *other_groups = (group for group in groups if group.nodes & condition_nodes(condition))
                for group in other_groups:
                    first_group.absorb(group)
                    groups.remove(group)
        return groups

    def _add_group_join(self, group: _Group, join: Join, conditions: list[JoinCondition]) -> Ref:
        if len(group.refs) == 1 and not conditions:
            return group.refs[0]
        refs = tuple(ref for ref in join.inputs if ref in group.refs)
        return self._add(Join(refs, tuple(conditions), tuple(sorted(set().union(*map(self._columns, refs))))))


def _split(join: Join, groups: list[_Group]) -> tuple[dict[_Group, list[JoinCondition]], list[JoinCondition]]:
    conditions_by_group: dict[_Group, list[JoinCondition]] = {group: [] for group in groups}
    remaining: list[JoinCondition] = []
    for condition in join.conditions:
        if not isinstance(condition, ir.Dominates):
            nodes = condition_nodes(condition)
            next((conditions_by_group[group] for group in groups if nodes <= group.nodes), remaining).append(condition)
    return conditions_by_group, remaining


def _groups_of_ends(groups: list[_Group], dominance: ir.Dominates) -> tuple[_Group, _Group]:
    above_group, below_group = (
        next(group for group in groups if node in group.nodes) for node in (dominance.above, dominance.below)
    )
    return above_group, below_group


def read_neighbour_columns(plan: Plan, layout: Layout = PLAIN) -> Plan:
    """Merge scans of neighbours, or apply selective tests of a neighbour, where the copied columns suffice."""

    def rewrite(relation: Relation, relations: list[Relation]) -> Relation:
        return _JoinRewriter(relation, relations, layout).rewrite() if isinstance(relation, Join) else relation

    return prune_columns(rewritten(prune_columns(plan), rewrite))  # unread columns need no copies


@dataclass(frozen=True, slots=True)
class _MergedScan:
    """A scan of a word, its neighbours whose scans it `replaced`, and by neighbour the tests that it applies."""

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
        node = self.scan.node
        tests = [ir.Tested(node, test) for test in self.scan.tests]
        tests += [ir.Tested(other, test) for other, (_, other_tests) in self.tested.items() for test in other_tests]
        remaining = [condition for condition in conditions if not is_implied(condition, node, self.replaced)]
        neighbours = {other: neighbour for other, (neighbour, _) in self.tested.items()} | self.replaced
        keeps = tuple(sorted(node_column for node_column in needed_columns if node_column[0] in self.nodes))
        materialized = combined_selectivity(self.tests) < SELECTIVE_BELOW
        return RowScan(node, tuple(neighbours.items()), (*tests, *remaining), keeps, materialized)


class _JoinRewriter:
    def __init__(self, join: Join, relations: list[Relation], layout: Layout) -> None:
        self._join = join
        self._relations = relations
        self._copies = layout.copies
        # Whether a next word exists is read from the sentence length, which raw tables lack.
        self._unavailable = set(OFFSETS) if layout.raw else set()
        self._scans = {scan.node: scan for ref in join.inputs if isinstance(scan := relations[ref], TokenScan)}
        self._needed = set(self._join.keeps).union(*(condition_columns(condition) for condition in join.conditions))

    def rewrite(self) -> Relation:
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
            merged_scan = min(
                (self._merged_scan(node, uncovered) for node in uncovered),
                key=lambda scan: (-len(scan.replaced), combined_selectivity(scan.tests), scan.scan.node),
            )
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
