"""Take words from what another scan has found already, where that asks less of them and finds few."""

from __future__ import annotations

from dataclasses import replace

from fictdsl.plan.columns import test_columns
from fictdsl.plan.compact import compact, renumbered
from fictdsl.plan.layout import PLAIN, Layout
from fictdsl.plan.nodes import Join, Output, Plan, Ref, Relation, TokenScan
from fictdsl.plan.order import combined_selectivity
from fictdsl.semantics import ir

_FEW = 0.15  # of the words: to look through them costs less than to read a column of all


def reuse_selective_scans(plan: Plan, layout: Layout = PLAIN) -> Plan:
    """Where one reading asks of a node all that another does and more, test the rest on the words of the other."""
    scans = [relation for relation in plan.relations if isinstance(relation, TokenScan) and relation.reduced]
    wider = {scan: found for scan in scans if (found := _wider(scan, scans, layout)) is not None}
    if not wider:
        return plan
    whole = {scan: _with_columns(scan, [each for each in wider if wider[each] == scan]) for scan in wider.values()}
    made: dict[Relation, Ref] = {}
    moved: list[Ref] = []
    for relation in plan.relations:
        fresh: Relation = renumbered(relation, moved)
        if isinstance(relation, TokenScan):
            fresh = whole.get(relation, relation)
            if relation in wider:
                source = made.setdefault(whole[wider[relation]], len(made))
                fresh = Join((source,), _rest(relation, wider[relation]), _kept(relation))
        moved.append(made.setdefault(fresh, len(made)))
    outputs = tuple(Output(moved[output.source], output.bound) for output in plan.outputs)
    return compact(replace(plan, relations=tuple(made), outputs=outputs))


def _wider(scan: TokenScan, scans: list[TokenScan], layout: Layout) -> TokenScan | None:
    """The scan of all that asks least and still finds whatever this one does; None if that is itself or finds many."""
    others = [other for other in scans if other.node == scan.node and set(other.tests) < set(scan.tests)]
    if not others:
        return None
    found = min(others, key=lambda other: len(set(other.tests)))
    return found if found.tests and combined_selectivity(found.tests, layout) <= _FEW else None


def _with_columns(scan: TokenScan, narrower: list[TokenScan]) -> TokenScan:
    """The scan with the columns that the narrower ones need."""
    wanted = set(scan.columns).union(*(each.columns for each in narrower))
    for each in narrower:
        wanted |= set[str]().union(*(test_columns(condition.test) for condition in _rest(each, scan)))
    return replace(scan, columns=tuple(sorted(wanted)))


def _rest(scan: TokenScan, wider: TokenScan) -> tuple[ir.Tested, ...]:
    return tuple(ir.Tested(scan.node, test) for test in scan.tests if test not in wider.tests)


def _kept(scan: TokenScan) -> tuple[tuple[ir.Node, str], ...]:
    return tuple((scan.node, column) for column in scan.columns)
