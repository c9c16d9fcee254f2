"""Read a word's head, the head of its head and the next words in the word's own row, where the store copies them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fictdsl.plan.columns import condition_cells, condition_nodes, test_columns
from fictdsl.plan.compact import compact, renumbered
from fictdsl.plan.layout import PLAIN, Layout, Neighbour
from fictdsl.plan.neighbours import STEPS, implied, neighbour_words, readable
from fictdsl.plan.nodes import Cell, Join, JoinCondition, Output, Plan, Ref, Relation, RowScan, TokenScan
from fictdsl.plan.order import REDUCED, combined_selectivity, selectivity
from fictdsl.plan.passes.prune_columns import prune_columns
from fictdsl.semantics import ir


def read_neighbour_columns(plan: Plan, layout: Layout = PLAIN) -> Plan:
    """Let one scan stand for several that a join puts near each other, where the row of one word tells all.

    A scan that sees no more than a selective test of a near word asks that too, so that fewer rows are left to join.
    """
    made: list[Relation] = []
    moved: list[Ref] = []
    plan = prune_columns(plan)  # what nothing reads need not be copied
    for relation in plan.relations:
        fresh = renumbered(relation, moved)
        made.append(_Rewriting(fresh, made, layout).join() if isinstance(fresh, Join) else fresh)
        moved.append(len(made) - 1)
    outputs = tuple(Output(moved[output.source], output.bound) for output in plan.outputs)
    return prune_columns(compact(replace(plan, relations=tuple(made), outputs=outputs)))


@dataclass(frozen=True, slots=True)
class _Row:
    """What one row tells: of its word, of near words whose scans it replaces, and of near words that it only tests."""

    scan: TokenScan
    replaced: dict[ir.Node, Neighbour]
    seen: dict[ir.Node, tuple[Neighbour, tuple[ir.Test, ...]]]

    @property
    def nodes(self) -> set[ir.Node]:
        return {self.scan.node, *self.replaced}

    @property
    def tests(self) -> list[ir.Test]:
        return [*self.scan.tests, *(test for _, tests in self.seen.values() for test in tests)]

    def relation(self, conditions: list[JoinCondition], wanted: set[Cell]) -> RowScan:
        """The scan, which checks the conditions that its place does not imply and offers the wanted cells."""
        node = self.scan.node
        tested = [ir.Tested(node, test) for test in self.scan.tests]
        tested += [ir.Tested(other, test) for other, (_, tests) in self.seen.items() for test in tests]
        checked = [condition for condition in conditions if not implied(condition, node, self.replaced)]
        places = {other: place for other, (place, _) in self.seen.items()} | self.replaced
        keeps = tuple(sorted(cell for cell in wanted if cell[0] in self.nodes))
        reduced = combined_selectivity(self.tests) < REDUCED
        return RowScan(node, tuple(places.items()), (*tested, *checked), keeps, reduced)


class _Rewriting:
    """The rewriting of one join; new scans are put at the end of `made`."""

    def __init__(self, join: Join, made: list[Relation], layout: Layout) -> None:
        self._join = join
        self._made = made
        self._copies = layout.copies
        self._unsaid = set(STEPS) if layout.raw else set()  # that a word follows is told by the sentence's length
        self._scans = {scan.node: scan for ref in join.inputs if isinstance(scan := made[ref], TokenScan)}
        self._needed = set(self._join.keeps).union(*(condition_cells(condition) for condition in join.conditions))

    def join(self) -> Relation:
        """The join over fewer scans, or the one scan that is left of it."""
        rows = {row.scan.node: row for row in self._rows() if row.seen or row.replaced}
        if not rows:
            return self._join
        left = [c for c in self._join.conditions if not any(condition_nodes(c) <= row.nodes for row in rows.values())]
        wanted = set(self._join.keeps).union(*(condition_cells(condition) for condition in left))
        gone = {node for row in rows.values() for node in row.replaced}
        inputs: list[Ref] = []
        for ref in self._join.inputs:
            scan = self._made[ref]
            node = scan.node if isinstance(scan, TokenScan) else None
            if node in rows:
                inside = [c for c in self._join.conditions if condition_nodes(c) <= rows[node].nodes]
                self._made.append(rows[node].relation(inside, wanted))
                inputs.append(len(self._made) - 1)
            elif node not in gone:
                inputs.append(ref)
        only = self._made[inputs[0]]
        return only if len(inputs) == 1 and not left else Join(tuple(inputs), tuple(left), self._join.keeps)

    def _rows(self) -> Iterator[_Row]:
        """Rows that together tell of every word once, the one that replaces most scans first."""
        left = set(self._scans)
        while left:
            best = min((self._row(node, left) for node in left), key=_rank)
            left -= best.nodes
            yield best

    def _row(self, anchor: ir.Node, left: set[ir.Node]) -> _Row:
        replaced: dict[ir.Node, Neighbour] = {}
        seen: dict[ir.Node, tuple[Neighbour, tuple[ir.Test, ...]]] = {}
        for node, place in neighbour_words(anchor, self._join.conditions):
            if node not in self._scans or node in replaced or node == anchor or place in self._unsaid:
                continue
            tests = self._scans[node].tests
            columns = {column for other, column in self._needed if other == node}.union(*map(test_columns, tests))
            if node in left and readable(columns, place, self._copies):
                replaced[node] = place
                seen[node] = (place, tests)
            else:
                some = tuple(test for test in tests if self._worth_asking(test, place))
                if some and node not in seen:
                    seen[node] = (place, some)
        return _Row(self._scans[anchor], replaced, seen)

    def _worth_asking(self, test: ir.Test, place: Neighbour) -> bool:
        columns = test_columns(test)
        return selectivity(test) < REDUCED and "id" not in columns and readable(columns, place, self._copies)


def _rank(row: _Row) -> tuple[int, float, ir.Node]:
    return -len(row.replaced), combined_selectivity(row.tests), row.scan.node
