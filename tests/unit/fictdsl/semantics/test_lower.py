"""Lowering binds every name, spells out every rule, and refuses by FICT4xx what would grow without bound."""

from __future__ import annotations

import pytest

from fictdsl.compiler import CompiledFilter, compile_text
from fictdsl.semantics import ir
from fictdsl.semantics.lower_attributes import canonical_number


def lowered(text: str) -> CompiledFilter:
    whole = text if text.startswith("fict 1") else f"fict 1 filter x {{ match {{ {text} }} }}"
    compilation = compile_text(whole)
    assert not compilation.errors, compilation.errors
    return compilation.filters[0]


def codes(text: str) -> list[str]:
    return [problem.code for problem in compile_text(text).errors]


SAME = [
    ("A -> B", "  A\n->\tB ; # a comment\n"),
    ("A -> B", "Verb -> Noun"),
    ("A:NOUN|VERB", "A:VERB|NOUN"),
    ("A[form in {b, a}]", 'A[form in {"a", b, a}]'),
    ("A[form = a|b]", "A[form in {a, b}]"),
    ("A -> B", "B -> A"),
    ("A -> B", "A ->>{1} B"),
    ("A < B", "A <<{1..1} B"),
    ("A[form != a]", "A[not form = a]"),
    ("A[id <= 05]", 'A[id <= "5"]'),
]
DIFFERENT = [
    ("A -> B", "B <- A"),
    ("A -> B", "A -> _"),
    ("A -> B", "A -[nsubj]-> B"),
    ("A -[nsubj]-> B", "A -[=nsubj]-> B"),
    ("A[form = a]", "A[lower(form) = a]"),
    ("A[form = a]", "A[form = b]"),
    ("A[form = /a/]", "A[form = /a/i]"),
    ("A ->> B", "A ->>{0..} B"),
    ("A[misc.A = b]", "A[misc.a = b]"),
    ("V  at least 1 X { V -> X }", "V  at most 1 X { V -> X }"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_is_said_in_other_words_has_the_same_key(one: str, other: str) -> None:
    assert lowered(one).key == lowered(other).key


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_says_something_else_has_another_key(one: str, other: str) -> None:
    assert lowered(one).key != lowered(other).key


def test_the_name_of_a_filter_does_not_count_and_its_action_does() -> None:
    plain = lowered("fict 1 filter x { match { A } }").key
    assert lowered('fict 1 filter y { about "z" match { A } remove sentence }').key == plain
    assert lowered("fict 1 filter x { match { A } keep sentence }").key != plain


def test_a_key_is_the_same_in_every_version() -> None:
    assert lowered("V -[nsubj]-> S:NOUN").key == "15a31cda847b0ef3741e3b3884e01993894724666550340028762f80adbfaf86"


def test_every_pair_of_nodes_is_told_to_differ() -> None:
    found = lowered("A -> B  without { C ->>{0..} A }")
    distinct = {(part.left, part.right) for part in ir.walk(found.ir) if isinstance(part, ir.Distinct)}
    assert distinct == {(0, 1), (1, 2)}  # C and A may coincide


def test_a_step_of_a_labelled_path_may_be_any_word() -> None:
    (reading,) = lowered("A -[conj]->> B").ir.readings
    (without,) = (part for part in reading.conjunction.conditions if isinstance(part, ir.Without))
    assert not [part for part in ir.walk(without) if isinstance(part, ir.Distinct)]


def test_names_stand_in_order_of_first_occurrence() -> None:
    text = "either { C -> A } or { C -> B }  D -> C  without { X -> C }  _ -> D"
    assert lowered(text).names == ("C", "A", "B", "D")


def test_a_family_parameter_becomes_its_value() -> None:
    compilation = compile_text("fict 1 filter x for p in {nsubj, obj} { match { A:$p -[$p]-> B[form = $p] } }")
    for compiled, value in zip(compilation.filters, ("nsubj", "obj"), strict=True):
        values = [part.values for part in ir.walk(compiled.ir) if isinstance(part, ir.OneOf)]
        labels = [part.plain for part in ir.walk(compiled.ir) if isinstance(part, ir.Labels)]
        assert (values, labels) == ([(value,), (value,)], [(value,)])


def test_either_multiplies() -> None:
    assert len(lowered("either { A } or { B }  either { C } or { D } or { E }").ir.readings) == 6


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("either { A -> B } or { A < B } " * 9, "FICT404"),
        ("A " + "without { either { A[form = a] } or { A[form = b] } } " * 300, "FICT404"),
        ('A[phrase = "' + "x " * 70 + 'x"]', "FICT405"),
        (r"A[form = /(\p{L}{10}){60}/]", "FICT408"),
    ],
)
def test_limits(text: str, code: str) -> None:
    assert codes(f"fict 1 filter x {{ match {{ {text} }} }}") == [code]


def test_patterns_that_double_at_each_level() -> None:
    levels = [f"pattern p{n}(A) {{ p{n + 1}(A) p{n + 1}(A) }}" for n in range(20)]
    text = " ".join(["fict 1", *levels, "pattern p20(A) { A[form = a] } filter x { match { p0(A) } }"])
    assert codes(text) == ["FICT407"]


def test_many_branches_within_the_limit() -> None:
    branches = " or ".join(f"{{ A[form = w{number}] }}" for number in range(256))
    assert len(lowered(f"either {branches}").ir.readings) == 256


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("5", "5"),
        ("+05", "5"),
        ("-0.50", "-0.5"),
        ("0", "0"),
        ("-0", "0"),
        ("00.0", "0"),
        ("10", "10"),
        ("1.25", "1.25"),
    ],
)
def test_numbers_have_one_spelling(text: str, plain: str) -> None:
    assert canonical_number(text) == plain
