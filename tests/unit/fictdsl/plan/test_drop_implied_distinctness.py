"""Only what is implied is dropped."""

from __future__ import annotations

import pytest

from fictdsl.plan.build import build
from fictdsl.plan.nodes import Join
from fictdsl.plan.passes import drop_implied_distinctness
from fictdsl.semantics import ir
from tests.unit.fictdsl.semantics.test_lower import lowered


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("A B", {(0, 1)}),
        ("A -> B", set()),
        ("A -> B ->> C", set()),
        ("A << B << C", set()),
        ("A -> B << C", {(0, 2)}),
        ("B between A and C", set()),
        ("A ~ B", {(0, 1)}),
        ("A ==> B", {(0, 1)}),
        ("A ->>{0..} B -> C", {(0, 2)}),  # A and B may coincide; that A and C differ is not followed up
        ("A -> B  without { A -> C }", {(1, 2)}),
        ("A -> B  without { B -> C }", set()),
    ],
)
def test_distinctness_that_is_left(text: str, left: set[tuple[int, int]]) -> None:
    plan = drop_implied_distinctness(build(lowered(text).ir))
    found = {
        (condition.left, condition.right)
        for relation in plan.relations
        if isinstance(relation, Join)
        for condition in relation.conditions
        if isinstance(condition, ir.Distinct)
    }
    assert found == left
