"""The canonical form says everything once, and nothing about names."""

from __future__ import annotations

import json

from fictdsl.semantics import ir
from fictdsl.syntax.regex import Char, Repeat
from tests.unit.fictdsl.semantics.test_lower import lowered


def test_canonical_is_plain_json() -> None:
    test = ir.Any((ir.Matches(ir.Column("form"), Repeat(Char("a"), 0, None), True), ir.Present(ir.Feature("F"))))
    found = ir.canonical(test)
    assert json.loads(json.dumps(found)) == found
    assert found == [
        "Any",
        [["Matches", ["Column", "form"], ["Repeat", ["Char", "a"], 0, None], True], ["Present", ["Feature", "F"]]],
    ]


def test_walk_reaches_every_part() -> None:
    found = list(ir.walk(lowered("A -[conj]->> B[not form = x]").ir))
    kinds = {type(part) for part in found}
    assert {ir.Filter, ir.Reading, ir.Without, ir.Bears, ir.Labels, ir.Not, ir.OneOf, ir.Action} <= kinds
    assert isinstance(found[0], ir.Filter)
