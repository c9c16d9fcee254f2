"""Each condition of a filter left out once: what is left, and what it is called."""

from __future__ import annotations

import pytest

from fictdsl.syntax.nodes import FilterDef
from fictdsl.syntax.printer import print_file
from fictdsl.syntax.weaken import weaker_filters
from tests.support.reading import module


def left(match: str) -> list[tuple[str, str]]:
    found = module(f"pattern p(A) {{ A -> _ }} filter it {{ match {{ {match} }} remove sentence }}")
    definition = next(item for item in found.file.items if isinstance(item, FilterDef))
    shown = []
    for less in weaker_filters(found.source, definition):
        assert less.definition.actions == ()
        text = print_file(type(found.file)("1", (less.definition,), span=found.file.span))
        inside = " ".join(text.split()).removeprefix("fict 1 filter it { match { ").removesuffix(" } }")
        shown.append((less.removed, inside))
    return shown


def test_comments_are_left_out_and_strings_kept() -> None:
    texts = [removed for removed, _ in left('A:NOUN\nwithout { A[form = "#1"] # why\n A[lemma = /#2/] }')]
    assert texts == ["A:NOUN", 'without { A[form = "#1"] A[lemma = /#2/] }']


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        (
            "A -[nsubj]-> B < C",
            [
                ("label [nsubj] in A -[nsubj]-> B", "A -> B < C"),
                ("A -[nsubj]-> B", "B < C"),
                ("B < C", "A -[nsubj]-> B"),
            ],
        ),
        (
            "A:NOUN|PROPN[Number = Plur, form != x or has Case]",
            [
                ("A:NOUN|PROPN", "A[Number = Plur, form != x or has Case]"),
                ("A[Number = Plur]", "A:NOUN|PROPN[form != x or has Case]"),
                ("A[form != x or has Case]", "A:NOUN|PROPN[Number = Plur]"),
            ],
        ),
        ("A -> _", [("A -> _", "A")]),
        ("A:X", [("A:X", "A")]),
        ("A -> B", [("A -> B", "A B")]),
        ("A -> B  without { A -> C }", [("A -> B", "A without { A -> C }"), ("without { A -> C }", "A -> B")]),
        ("p(A)  without { A -> C }", [("p(A)", "A without { A -> C }"), ("without { A -> C }", "p(A)")]),
        (
            "A:X  A.id < B.id  either { p(C) } or { C:X }  at least 2 X { B -> C  C -> X }",
            [
                ("A:X", "A A.id < B.id either { p(C) } or { C:X } at least 2 X { B -> C C -> X }"),
                ("A.id < B.id", "A:X B either { p(C) } or { C:X } at least 2 X { B -> C C -> X }"),
                ("C:X", "A:X A.id < B.id either { p(C) } or { C } at least 2 X { B -> C C -> X }"),
                ("either { p(C) } or { C:X }", "A:X A.id < B.id C at least 2 X { B -> C C -> X }"),
                ("at least 2 X { B -> C C -> X }", "A:X A.id < B.id either { p(C) } or { C:X }"),
            ],
        ),
        (
            "A between B:X and C",
            [("B:X", "A between B and C"), ("A between B and C", "B:X")],
        ),
        ("p(A)  A.id < B.id", [("p(A)", "A.id < B.id"), ("A.id < B.id", "p(A)")]),
        (
            "sentence[length > 3, text != x]",
            [("sentence[length > 3]", "sentence[text != x]"), ("sentence[text != x]", "sentence[length > 3]")],
        ),
        (
            "A  either { A[form = a]  p(A) } or { A -> B:X }",
            [
                ("A[form = a]", "A either { A p(A) } or { A -> B:X }"),
                ("p(A)", "A either { A[form = a] } or { A -> B:X }"),
                ("A -> B", "A either { A[form = a] p(A) } or { A B:X }"),
                ("B:X", "A either { A[form = a] p(A) } or { A -> B }"),
                ("either { A[form = a] p(A) } or { A -> B:X }", "A"),
            ],
        ),
        ("A -> B  B[form = x]", [("A -> B", "B B[form = x]"), ("B[form = x]", "A -> B B")]),
        (
            "A[form = x]  B  without { A -> B }",
            [("A[form = x]", "A B without { A -> B }"), ("without { A -> B }", "A[form = x]")],
        ),
        (
            "p(A)  p(B)  A may be B",
            [("p(A)", "A p(B) A may be B"), ("p(B)", "p(A) B A may be B")],
        ),
        (
            "either { p(A)  V:X } or { V -> A }  without { A -> _ }",
            [
                ("p(A)", "either { A V:X } or { V -> A } without { A -> _ }"),
                ("V:X", "either { p(A) V } or { V -> A } without { A -> _ }"),
                ("V -> A", "either { p(A) V:X } or { V A } without { A -> _ }"),
                ("either { p(A) V:X } or { V -> A }", "A without { A -> _ }"),
                ("without { A -> _ }", "either { p(A) V:X } or { V -> A }"),
            ],
        ),
        ("sentence[length > 3]", []),
        ("at least 2 X { A -> X }", []),
    ],
)
def test_what_is_left(match: str, expected: list[tuple[str, str]]) -> None:
    assert left(match) == expected
