"""Each way for a plan to be broken is found."""

from __future__ import annotations

import pytest

from fictdsl.plan.nodes import AntiJoin, Grouped, Join, Output, Plan, Relation, TokenScan
from fictdsl.plan.passes import BrokenPlanError, verify
from fictdsl.semantics import ir

SCAN = TokenScan(0, (), ("id", "head"), materialized=False)
OTHER = TokenScan(1, (), ("id",), materialized=False)


def plan(*relations: Relation, source: int = 0, bound: tuple[int | None, ...] = (0,)) -> Plan:
    return Plan(relations, (Output(source, bound),), len(bound))


def test_a_sound_plan() -> None:
    verify(plan(SCAN, OTHER, Join((0, 1), (ir.Edge(1, 0),), ((0, "id"),)), source=2))


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (plan(Join((0, 1), (), ())), "not before it"),
        (plan(SCAN, Join((0,), (ir.Edge(1, 0),), ())), "no input provides"),
        (plan(SCAN, Join((0,), (), ((0, "lemma"),))), "no input provides"),
        (plan(SCAN, OTHER, AntiJoin(0, 1, (0,))), "no input provides"),
        (plan(SCAN, Grouped(((0, 1),), (0,), 1, None)), "no input provides"),
        (plan(SCAN, bound=(1,)), "an output reads"),
        (Plan((SCAN,), (Output(0, (0,)),), 2), "binds 1 names instead of 2"),
    ],
)
def test_broken_plans(broken: Plan, said: str) -> None:
    with pytest.raises(BrokenPlanError, match=said):
        verify(broken)
