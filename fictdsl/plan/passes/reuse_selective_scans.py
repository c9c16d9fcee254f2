"""Derive a scan from a less restrictive but selective scan of the same node in another reading."""

from __future__ import annotations

from dataclasses import replace

from fictdsl.plan.columns import test_columns
from fictdsl.plan.compact import compact, renumbered
from fictdsl.plan.layout import PLAIN, Layout
from fictdsl.plan.nodes import Join, Output, Plan, Ref, Relation, TokenScan
from fictdsl.plan.order import combined_selectivity
from fictdsl.semantics import ir

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
    relations: dict[Relation, Ref] = {}
    new_refs: list[Ref] = []
    for relation in plan.relations:
        new_relation: Relation = renumbered(relation, new_refs)
        if isinstance(relation, TokenScan):
            new_relation = extended_scans.get(relation, relation)
            if relation in wider_scans:
                source = relations.setdefault(extended_scans[wider_scans[relation]], len(relations))
                new_relation = Join(
                    (source,), _remaining_tests(relation, wider_scans[relation]), _node_columns(relation)
                )
        new_refs.append(relations.setdefault(new_relation, len(relations)))
    outputs = tuple(Output(new_refs[output.source], output.bound) for output in plan.outputs)
    return compact(replace(plan, relations=tuple(relations), outputs=outputs))


def _widest_scan(scan: TokenScan, scans: list[TokenScan], layout: Layout) -> TokenScan | None:
    """Return the scan of the same node that has the fewest tests, all of them also tests of `scan`.

    Return None if there is no such scan or it is not selective.
    """
    candidates = [other for other in scans if other.node == scan.node and set(other.tests) < set(scan.tests)]
    if not candidates:
        return None
    widest = min(candidates, key=lambda other: len(set(other.tests)))
    return widest if widest.tests and combined_selectivity(widest.tests, layout) <= _MAX_SHARE else None


def _with_columns(scan: TokenScan, narrower_scans: list[TokenScan]) -> TokenScan:
    """Return the scan with the columns that the narrower scans need."""
    needed_columns = set(scan.columns).union(*(other.columns for other in narrower_scans))
    for other in narrower_scans:
        needed_columns |= set[str]().union(
            *(test_columns(condition.test) for condition in _remaining_tests(other, scan))
        )
    return replace(scan, columns=tuple(sorted(needed_columns)))


def _remaining_tests(scan: TokenScan, wider: TokenScan) -> tuple[ir.Tested, ...]:
    return tuple(ir.Tested(scan.node, test) for test in scan.tests if test not in wider.tests)


def _node_columns(scan: TokenScan) -> tuple[tuple[ir.Node, str], ...]:
    return tuple((scan.node, column) for column in scan.columns)
