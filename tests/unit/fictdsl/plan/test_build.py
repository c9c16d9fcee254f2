"""Plans of all constructs hold together, and scans begin with what is rare."""

from __future__ import annotations

import pytest

from fictdsl.compiler import compile_text
from fictdsl.plan.build import build
from fictdsl.plan.nodes import AntiJoin, Grouped, Join, Plan, SemiJoin, TokenScan
from fictdsl.plan.passes import verify
from tests.cases.test_language import CASES, Case


def planned(text: str) -> Plan:
    compilation = compile_text(f"fict 1 filter x {{ match {{ {text} }} }}")
    assert not compilation.errors
    return compilation.filters[0].plan


@pytest.mark.parametrize("case", CASES, ids=[f"{case.path.stem}: {case.title}" for case in CASES])
def test_every_construct_builds_a_sound_plan(case: Case) -> None:
    verify(build(case.compiled.ir))


def test_joins_begin_with_the_rarest_node() -> None:
    plan = planned("A << B:NOUN <- C[lower(form) = unicorn]")
    (join,) = (relation for relation in plan.relations if isinstance(relation, Join))
    order = [relation.node for ref in join.inputs if isinstance(relation := plan.relations[ref], TokenScan)]
    assert order == [2, 1, 0]


def test_a_block_is_joined_to_what_is_around_it_once() -> None:
    plan = planned("V:VERB  without { V -> X  without { X -> Y } }")
    anti = [relation for relation in plan.relations if isinstance(relation, AntiJoin)]
    assert [relation.nodes for relation in anti] == [(0, 1), (0,)]


def test_no_words_are_counted_as_the_absence_of_too_many() -> None:
    kinds = {
        text: [
            type(relation)
            for relation in planned(f"V {text} 2 X {{ V -> X }}").relations
            if type(relation) in (SemiJoin, AntiJoin)
        ]
        for text in ("at least", "at most", "exactly")
    }
    assert kinds == {"at least": [SemiJoin], "at most": [AntiJoin], "exactly": [SemiJoin]}
    (grouped,) = (
        relation for relation in planned("V at most 2 X { V -> X }").relations if isinstance(relation, Grouped)
    )
    assert (grouped.low, grouped.high) == (3, None)
