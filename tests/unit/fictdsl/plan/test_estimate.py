"""Rows of steps by the counts of a store: exact for one value, in proportion for what is joined."""

from __future__ import annotations

import pytest

from fictdsl.plan.build import build, estimates
from fictdsl.plan.passes import optimize
from fictdsl.schema import RAW
from tests.cases.test_language import CASES, Case
from tests.unit.fictdsl.plan.test_order import COUNTED
from tests.unit.fictdsl.semantics.test_lower import lowered


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A[lemma = dog]", [30]),
        ("A[lemma = dog] -> B[Case = Nom]", [30, 50, 2]),
        ("A[lemma = dog] << B[Case = Nom]", [30, 50, 11]),
        ("A[lemma = dog] without { B[Case = Nom] -> A }", [30, 50, 2, 28]),
        ("A[lemma = unicorn]", [0]),
    ],
)
def test_rows_of_each_step(text: str, expected: list[int]) -> None:
    assert sorted(estimates(build(lowered(text).ir, COUNTED), COUNTED)) == sorted(expected)


@pytest.mark.parametrize("case", CASES, ids=[f"{case.path.stem}: {case.title}" for case in CASES])
def test_every_step_has_an_estimate(case: Case) -> None:
    for layout in (COUNTED, RAW):
        plan = optimize(build(case.compiled.ir, layout), layout)
        found = estimates(plan, COUNTED)
        assert len(found) == len(plan.relations)
        assert min(found) >= 0
