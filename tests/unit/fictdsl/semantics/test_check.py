"""Which tests fit which attributes; the messages themselves are in tests/cases/diagnostics."""

from __future__ import annotations

import pytest

from fictdsl.lint.engine import lint_text
from fictdsl.semantics.check import check
from fictdsl.semantics.resolve import resolve
from tests.support.linting import module_of


def codes(match: str, before: str = "", family: str = "") -> list[str]:
    module = module_of(f"{before} filter f {family} {{ match {{ {match} }} }}")
    resolution = resolve(module)
    assert resolution.diagnostics == ()
    return [problem.code for problem in check(resolution)]


FIT = """
form = the|The          form in {a, b}          form = /a.*/|b        has lemma           lower(form) != the
upos != VERB            xpos = "-LRB-"          deprel = nsubj        deprel == a|b:c     deprel = /n.*/
id = 1|2                id < 5                  id in {1, 2}          id in @numbers      has id
form.length >= "2.5"    lemma.length != 3       Number = Plur         has Number[psor]    Person = 3
misc.Gloss = x          misc.Score < 3          misc."a b" = "-1"     misc.Score >= "-1"  has misc.SpaceAfter
phrase = "at all"       lower(phrase) in @words  lower(phrase) != at   phrase not in {}    lower(lemma) = /A.*/
""".replace("\n", "  ").split("  ")


@pytest.mark.parametrize("test", [test.strip() for test in FIT if test.strip()])
def test_these_fit(test: str) -> None:
    assert codes(f"X[{test}]", 'list numbers = {1, "2.5"} list words = {The, "at all"}') == []


WRONG = {
    "lema = x": "FICT301",
    "text = x": "FICT302",
    "misc = x": "FICT303",
    "has upos.x": "FICT304",
    "id.length = 3": "FICT304",
    "phrase.length = 3": "FICT304",
    "has lower(form)": "FICT305",
    "lower(upos) = x": "FICT306",
    "lower(misc.x) = x": "FICT306",
    "lower(Number) = x": "FICT306",
    "lower(form) = The": "FICT307",
    "lower(phrase) in {at, All}": "FICT307",
    "lower(form) = İ": "FICT307",
    "upos == X": "FICT308",
    "id == 3": "FICT308",
    "form < the": "FICT310",
    'id contains "1"': "FICT319",
    'phrase starts "a"': "FICT313",
    'lower(form) ends "S"': "FICT307",
    "id = x": "FICT310",
    "id = 1e3": "FICT310",
    'id = "1."': "FICT310",
    "id = ١": "FICT310",
    "misc.x < a": "FICT310",
    "id in @words": "FICT310",
    "id = /1/": "FICT311",
    "deprel == /a/": "FICT311",
    "misc.x < /a/": "FICT311",
    "phrase = /a/": "FICT311",
    "id < 1|2": "FICT312",
    "has phrase": "FICT313",
    "phrase >= 2": "FICT313",
}


@pytest.mark.parametrize(("test", "code"), WRONG.items())
def test_these_do_not_fit(test: str, code: str) -> None:
    assert codes(f"X[{test}]", "list words = {a}") == [code]


def test_the_sentence_has_attributes_of_its_own() -> None:
    fits = 'text = /.*x/, length > 40, sent_id = "a-1", doc in {a}, meta.genre = news, has meta."x y", meta.n <= 3'
    assert codes(f"sentence[{fits}]") == []
    assert codes("sentence[form = x, Number = Plur, id = 1, text > 3, meta = x, lenght = 3]") == [
        "FICT302",
        "FICT302",
        "FICT302",
        "FICT303",
        "FICT301",
    ]
    assert codes("sentence[lower(text) = x]") == ["FICT306"]
    assert codes("sentence[projective] sentence[has projective, not has projective]") == ["FICT322", "FICT322"]


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        ("A -> B A.form = B.lemma lower(A.form) != lower(B.lemma) A.id < B.form.length A.misc.x = B.Number", []),
        ("A -> B A.deprel = B.deprel", []),
        ("A -> B A.misc.x < B.misc.x A.id < B.Person A.form != A.lemma A.id <= A.form.length", []),
        ("A -> B lower(A.form) < B.form", ["FICT318"]),
        ("A -> B A.id = B.form", ["FICT317"]),
        ("A -> B lower(A.form) = B.form", ["FICT318"]),
        ("A -> B A.phrase = B.phrase", ["FICT313", "FICT313"]),
        ("A -> B A.length = B.foo", ["FICT302", "FICT301"]),
        ("A ->>{0..} B ->>{2} C <<{1..1} D <<{..4} E", []),
        ("A ->>{3..2} B", ["FICT314"]),
        ("A ->>{..0} B", ["FICT314"]),
        ("A <<{0} B", ["FICT315"]),
        ("at least 0 X { X:NOUN } at most 0 Y { Y:NOUN } exactly 0 Z { Z:NOUN }", ["FICT316"]),
        ("without { either { A[x = y] } or { A[lower(id) = 3] } }", ["FICT301", "FICT306"]),
    ],
)
def test_relations_and_blocks(match: str, expected: list[str]) -> None:
    assert codes(match) == expected


@pytest.mark.parametrize(
    ("match", "code", "hint"),
    [
        ("A.phrase = B.form", "FICT313", "in the brackets of a node"),
        ('X[meta.genre = "a"]', "FICT302", "`sentence[meta.genre …]`"),
        ('X[lower(text) = "a"]', "FICT302", "`sentence[text …]`"),
    ],
)
def test_hints_fit_what_was_written(match: str, code: str, hint: str) -> None:
    (problem,) = lint_text(f"fict 1 filter f {{ match {{ {match} }} }}")
    assert problem.code == code
    assert hint in (problem.hint or "")


def test_the_suggested_bounds_are_accepted() -> None:
    (problem,) = lint_text("fict 1 filter f { match { A <<{3..0} B } }")
    assert (problem.code, problem.hint) == ("FICT314", "a distance is at least 1: `{1..3}`")
    assert codes("A <<{1..3} B") == []


def test_a_pattern_is_checked_whether_or_not_it_is_called() -> None:
    assert codes("A:NOUN", "pattern p(N) { N[frm = x] }") == ["FICT301"]


def test_each_value_of_a_family_must_fit() -> None:
    assert codes("X[lower(form) = $p, id = $p]", family='for p in {1, The, "2"}') == ["FICT307", "FICT310"]
    assert codes("X[form = $p]", family="for p in {1, The}") == []


def test_a_long_list_of_words_for_a_number_is_said_three_times() -> None:
    assert codes("X[id in @w]", "list w = {a, b, c, d, e, 1}") == ["FICT310"] * 3


def test_a_number_may_begin_with_any_number_of_zeros() -> None:
    zeros = "0" * 5_000
    assert codes(f"at least {zeros}2 X {{ X <<{{{zeros}1..{zeros}3}} Y }}") == []


@pytest.mark.parametrize("digits", [401, 4_301, 100_000])
@pytest.mark.parametrize(
    "test", ["A[id = #]", "A[id in {#}]", "A[form.length > #]", "A[misc.x > #]", "sentence[length > #]  A"]
)
def test_a_number_has_an_end(test: str, digits: int) -> None:
    text = "fict 1 filter f { match { " + test.replace("#", "1" * digits) + " } }"
    assert {problem.code for problem in lint_text(text)} == {"FICT310"}


def test_the_reference_reads_numbers_of_any_length() -> None:
    from fictdsl.reference.sentences import decimal

    assert decimal("1" + "0" * 5_000) == 10**5_000
