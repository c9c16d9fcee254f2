"""A word in one of several long lists is looked for in each list by itself."""

from __future__ import annotations

import pytest

from fictdsl.plan.build import build
from fictdsl.plan.nodes import TokenScan
from fictdsl.plan.passes import alternatives
from fictdsl.schema import PLAIN
from fictdsl.semantics import ir
from tests.unit.fictdsl.semantics.test_lower import lowered

LISTS = "lower(form) in {a, b, c, d} or lower(lemma) in {a, b, c, d}"


def scan(text: str) -> TokenScan:
    """The scan for the one node of a match block."""
    (found,) = build(lowered(text).ir, PLAIN).relations
    assert isinstance(found, TokenScan)
    return found


@pytest.mark.parametrize("text", [f"A[{LISTS}]", f"A:VERB[{LISTS}]"])
def test_each_list_becomes_a_scan_with_the_other_tests(text: str) -> None:
    whole = scan(text)
    first, second = alternatives(whole, PLAIN)
    (either,) = (test for test in whole.tests if isinstance(test, ir.Any))
    others = tuple(test for test in whole.tests if test is not either)
    assert first.tests == (either.tests[0], *others)
    assert second.tests == (either.tests[1], *others)


@pytest.mark.parametrize(
    "text",
    [
        "A[lower(form) in {a, b, c, d}]",
        "A[lower(form) in {a, b} or lower(lemma) in {a, b, c, d}]",  # a short list costs little inside of OR
        "A[lower(form) in {a, b, c, d} or not lower(lemma) in {a, b, c, d}]",
        f"A[{LISTS} or Voice = Pass]",
        f"A[Voice = Pass, ({LISTS})]",  # few words are left to look up
    ],
)
def test_other_scans_stay_one(text: str) -> None:
    whole = scan(text)
    assert alternatives(whole, PLAIN) == (whole,)
