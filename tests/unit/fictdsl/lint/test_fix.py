"""What `--fix` makes of a text: only what cannot change a meaning, and nothing else is touched."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from fictdsl.lint.engine import lint_text
from fictdsl.lint.fix import FixResult, fix


def fixed(text: str, folder: Path | None = None) -> FixResult:
    return fix(text, lambda now: lint_text(now, "example.fict", folder))


def body(clauses: str, head: str = "") -> str:
    return f'fict 1\n{head}filter example {{ about "x" match {{ {clauses} }} }}\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("N:NOUN[upos = NOUN]", "N:NOUN"),
        ("N:NOUN [ upos = NOUN , Number = Plur ]", "N:NOUN [ Number = Plur ]"),
        ("N:NOUN[Number = Plur, upos = NOUN]", "N:NOUN[Number = Plur]"),
        ("N:NOUN[Number = Plur, (upos = NOUN), form != a]", "N:NOUN[Number = Plur, form != a]"),
        ("N:NOUN[(upos = NOUN, Number = Plur)]", "N:NOUN[(Number = Plur)]"),
        ("N:NOUN[((upos = NOUN))]", "N:NOUN"),
        ("N:NOUN[not (upos = VERB)]", "N:NOUN"),
        ("N[upos = NOUN]  N:NOUN", "N[upos = NOUN]  N"),
        ("N[not (has Number) or has Number]", "N"),
        ("N[lemma = a or (has Number or not (has Number)), form = b]", "N[form = b]"),
        ("N[lemma = a or lemma in {a, b}]", "N[lemma in {a, b}]"),
        ("N[lemma in {a, b} or lemma = a]", "N[lemma in {a, b}]"),
        ("N[lemma in {a, b}or(lemma = a)or has Case]", "N[lemma in {a, b}or has Case]"),
        ("N[lemma = c or (lemma = a)or(lemma in {a, b})]", "N[lemma = c or(lemma in {a, b})]"),
        ("N[lemma in {a, b, a, \"c,c\", a}]", "N[lemma in {a, b, \"c,c\"}]"),
        ("N:NOUN|VERB|NOUN -> _", "N:NOUN|VERB -> _"),
        ("A -[nsubj|=nsubj|=obj]-> B", "A -[nsubj|=obj]-> B"),
        ("A -[nsubj:pass|obj|nsubj]-> B", "A -[obj|nsubj]-> B"),
        ("N[deprel = nsubj:pass|nsubj]", "N[deprel = nsubj]"),
        ("N[lemma = /dog/|a]", "N[lemma = dog|a]"),
        ("N[lemma = /\\(\\)/]", 'N[lemma = "()"]'),
        ("A -> B  A << B  A -> B", "A -> B  A << B"),
        ("A -> B; A -> B; A << B", "A -> B; A << B"),
        ("A -> B  either { A << B } or { A ~ B } or { A << B }", "A -> B  either { A << B } or { A ~ B }"),
        ("A -> B  without { B -> C }", "A -> B  without { B -> _ }"),
        ("A -> B  without { B -> _ }  without { B -> _ }", "A -> B  without { B -> _ }"),
    ],
)  # fmt: skip
def test_what_is_fixed(before: str, after: str) -> None:
    done = fixed(body(before))
    assert done.text == body(after)
    assert done.count > 0
    assert all(problem.fix is None or not problem.fix.safe for problem in done.remaining)


@pytest.mark.parametrize(
    "text",
    [
        "V:VERB -> X",  # a match names X
        "N[form = the]",  # `lower` finds more
        "N[deprel = /nsubj/]",  # `=` would find subtypes
        "N[lower(form) = /Dog/]",  # a value with a capital is an error
        "N[lemma in {a, # first\n a}]",  # a comment would go along
        "either { A -> B } or { A -> B }",  # an either has two branches
        "A -> B  either { B -> _ } or { A -> _ }  either { B -> _ } or { A -> _ }",  # two words
        "sentence[length > 3] sentence[length > 2] N:NOUN",
    ],
)
def test_what_is_left_alone(text: str) -> None:
    assert fixed(body(text)).text == body(text)


def test_a_call_is_repeated_only_where_its_pattern_binds_nothing() -> None:
    binds = "pattern p(A) { A -[obj]-> O }\n"
    plain = "pattern p(A) { A[Number = Plur] without { A -> X:DET } }\n"
    assert fixed(body("A:NOUN p(A) p(A)", binds)).count == 0
    assert fixed(body("A:NOUN p(A) p(A)", plain)).text == body("A:NOUN p(A)", plain)


def test_items_and_comments_go_with_their_lines(tmp_path: Path) -> None:
    (tmp_path / "words.fict").write_text("fict 1\nlist words = {a}\n")
    use, mark = 'use "words.fict"', "# fict: ignore[FICT503] ours"
    good = body("N:NOUN").removeprefix("fict 1\n")
    assert fixed(f"fict 1\n{use}\n\n{good}", tmp_path).text == f"fict 1\n\n{good}"
    assert fixed(f"fict 1 {use}\n{good}", tmp_path).text == f"fict 1\n{good}"
    assert fixed(f"fict 1\n{use}  # why\n{good}", tmp_path).text == f"fict 1\n# why\n{good}"
    assert fixed(f"fict 1\n{use} {good}", tmp_path).text == f"fict 1\n{good}"
    assert fixed(f"fict 1\n{mark}\n\n{good}{mark}").text == f"fict 1\n\n{good}"
    assert fixed(f"fict 1\n\n{good.rstrip()}  {mark}\n").text == f"fict 1\n\n{good}"


def test_what_another_file_may_use_is_left_to_people() -> None:
    text = body("N:NOUN", "list words = {a}\npattern p(N) { N:NOUN }\n")
    assert fixed(text).text == text
    for problem in lint_text(text, "example.fict"):
        assert problem.fix is not None and not problem.fix.safe
        span = problem.fix.span
        assert text[: span.start] + text[span.end :] in (
            body("N:NOUN", "list words = {a}\n"),
            body("N:NOUN", "pattern p(N) { N:NOUN }\n"),
        )


def test_nothing_else_is_touched() -> None:
    """Byte order mark, line ends, what is not in NFC, and odd spacing stay."""
    decomposed = unicodedata.normalize("NFD", "é")
    text = f"\ufefffict 1\r\n# {decomposed} \t\r\n" + body(f"N[lemma = {decomposed}|{decomposed}|x]").replace(
        "fict 1\n", ""
    )
    done = fixed(text)
    assert done.text == text.replace(f"|{decomposed}|x", "|x") and done.count == 1


@pytest.mark.parametrize("error", ["M[rel = nsubj]", "M[lower(form) = The]", "M[fromm = x]", "M[head = 3]", "M ->"])
def test_a_text_with_errors_is_left_alone(error: str) -> None:
    """Unless a fix leaves no doubt, as below."""
    text = body(f"N:NOUN[upos = NOUN] {error}")
    done = fixed(text)
    assert (done.text, done.count) == (text, 0)
    assert done.remaining


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("N:NOUN[upos = NOUN, frm = x]", "N:NOUN[form = x]"),
        ("N[lower( frm ) = x]", "N[lower( form ) = x]"),
        ("N[pos = NOUN, number = Sing]", "N[upos = NOUN, Number = Sing]"),
        ("N -> M  lower(N.lema) = lower(M.lemma)", "N -> M  lower(N.lemma) = lower(M.lemma)"),
        ("sentence[lenght > 3]  N", "sentence[length > 3]  N"),
        ("N  withot { N -> M }", "N  without { N -> _ }"),
        ("N[lowr(form) = x]", "N[lower(form) = x]"),
    ],
)
def test_slips_of_the_pen_are_fixed(before: str, after: str) -> None:
    assert fixed(body(before)).text == body(after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("set N.form = uper(N.form)", "set N.form = upper(N.form)"),
        ("set N.form = captial(N.lemma)", "set N.form = capital(N.lemma)"),
        ("set N.form = lowr(N.form)", "set N.form = lower(N.form)"),
        ("set N.form = inflct(N.lemma, vbz)", "set N.form = inflect(N.lemma, VBZ)"),
        ("order subtree(N) by length head-finl", "order subtree(N) by length head-final"),
        ("order subtree(N) by length head_final", "order subtree(N) by length head-final"),
        ("as-si case match { N } delete node(N)", "as-is case match { N } delete node(N)"),
        ("set N.number = Plur", "set N.Number = Plur"),
        ("delte node(N)", "delete node(N)"),
    ],
)
def test_slips_in_actions_are_fixed(before: str, after: str) -> None:
    match = "" if "match" in before else "match { N:NOUN } "
    text = f'fict 1\nrewrite r {{ about "x" {match}{before} }}\n'
    assert fixed(text).text == text.replace(before, after)


def test_an_error_in_another_file_is_not_fixed_here(tmp_path: Path) -> None:
    (tmp_path / "words.fict").write_text("fict 1\npattern p(N) { N[frm = x] }\n")
    text = 'fict 1\nuse "words.fict"\n' + body("N p(N)").removeprefix("fict 1\n")
    assert fixed(text, tmp_path).text == text


def test_a_fix_that_leads_to_an_error_is_a_bug() -> None:
    def lint(text: str):
        return lint_text(body("N[head = x]")) if "upos" not in text else lint_text(text)

    with pytest.raises(AssertionError, match="a fix led to an error"):
        fix(body("N:NOUN[upos = NOUN]"), lint)
