"""What several readings share has one role, and so one step."""

from __future__ import annotations

from fictdsl.plan.build import build, readings_by_role
from fictdsl.plan.nodes import EdgeScan, TokenScan
from tests.unit.fictdsl.semantics.test_lower import lowered


def test_a_node_of_all_readings_has_one_role() -> None:
    one, other = readings_by_role(lowered("A -> _  either { B -> A } or { B < A }").ir)
    assert one.bound == other.bound
    assert one.conjunction.nodes == other.conjunction.nodes


def test_nodes_that_stand_together_have_different_roles() -> None:
    text = "A  without { X -> A  without { X -> _ } }  without { X -> A }  at least 2 X { A -> X }"
    assert len(set(lowered(text).ir.roles)) == len(lowered(text).ir.roles) == 5


def test_a_call_of_a_pattern_in_each_branch_has_nodes_of_its_own() -> None:
    text = "fict 1 pattern p(N) { N -> X } filter x { match { A  either { p(A) } or { p(A) } } }"
    one, other = readings_by_role(lowered(text).ir)
    assert set(one.conjunction.nodes) & set(other.conjunction.nodes) == {0}


def test_scans_are_shared() -> None:
    plan = build(lowered("A:NOUN ==> _  without { B:VERB -> A }  either { A < C:ADJ } or { C:ADJ < A }").ir)
    scans = [relation for relation in plan.relations if isinstance(relation, TokenScan | EdgeScan)]
    assert len(scans) == 5
    assert len(plan.outputs) == 2


def test_branches_that_say_the_same_are_one() -> None:
    plan = build(lowered("either { A[form = a] } or { A[form = a] }").ir)
    assert len(plan.relations) == len(plan.outputs) == 1
