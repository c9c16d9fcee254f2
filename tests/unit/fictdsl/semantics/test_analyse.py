"""Names and types together, in the order of the text."""

from __future__ import annotations

from fictdsl.semantics.check import analyse
from tests.support.linting import module_of


def test_mistakes_of_all_kinds_come_at_once_and_in_order() -> None:
    used = module_of("pattern p(N) { N[frm = x] }")
    text = 'use "w" filter f { match { A[frm = x] -> A B[form in @gone] at least 0 C { C:X } p(B) } remove node(Z) }'
    problems = analyse(module_of(text, w=used))[1]
    assert [problem.code for problem in problems] == [
        "FICT301",
        "FICT209",
        "FICT201",
        "FICT316",
        "FICT213",
        "FICT301",
    ]
    assert problems[-1].source is used.source
