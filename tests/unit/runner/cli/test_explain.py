"""`fictc explain`: every clause and test is said, and so is what a code means."""

from __future__ import annotations

from pathlib import Path

import pytest

from fictdsl.english.describe import describe
from tests.cases.test_language import CASES, Case
from tests.unit.fictdsl.semantics.test_lower import lowered
from tests.unit.runner.cli.conftest import Fictc


def test_a_filter(call: Fictc, filters: Path) -> None:
    ended = call("explain", f"{filters}::subject")
    assert ended.out.splitlines() == [
        "subject",
        "A subject.",
        "",
        "Removes every sentence that has different words V and S such that",
        "  · S depends on V as nsubj (or a subtype)",
        "",
        "source  a test",
        "targets blimp/a",
        f"file    {filters}",
    ]


def test_sql(call: Fictc, filters: Path) -> None:
    assert "STARTS_WITH" in call("explain", f"{filters}::subject", "--sql").out
    assert "STARTSWITH" in call("explain", f"{filters}::subject", "--sql", "--dialect", "spark").out


def test_codes(call: Fictc) -> None:
    assert call("explain", "FICT401").out.startswith("FICT401 (unsupported-action, error)\n")
    ended = call("explain", "fict4o1".replace("o", "9"))
    assert ended.code == 2
    assert "no message FICT491" in ended.err


@pytest.mark.parametrize("case", CASES, ids=[f"{case.path.stem}: {case.title}" for case in CASES])
def test_every_name_and_value_is_said(case: Case) -> None:
    compiled = case.compiled
    said = "\n".join(describe(compiled))
    for name in compiled.names:
        assert name in said
    for number, line in enumerate(said.splitlines()):
        assert number == 0 or "·" in line or line.strip() == "or"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "A -[^nsubj|=obj]->>{2..3} B",
            "B is 2 to 3 steps below A in the tree, each step as anything but nsubj (or a subtype) or exactly obj",
        ),
        ("A ->>{0..} B", "B is somewhere below A in the tree, or is A itself"),
        ("A =[obj]=> B", "B depends on A in the enhanced graph as obj (or a subtype)"),
        ("A ~ B", "A and B have the same head"),
        ("A <<{2..} B", "A stands before B, 2 or more words apart"),
        ("M between A and B", "M stands between A and B"),
        ("A.form != B.lemma", "the form of A is not the same as the lemma of B"),
        ("A.id < B.id", "the position of A is less than the position of B"),
        ("A[not has Number[psor]]", "the feature Number[psor] of A is not given"),
        ("A[form = /x.*/i]", "the form of A is a match of /x.*/i"),
        ("A[not (form = a, lemma = b)]", "not all of this holds: the form of A is “a”; the lemma of A is “b”"),
        ("A[form.length >= 3]", "the length of the form of A is at least 3"),
        ("A[deprel = obj]", "the relation of A to its head is “obj” (or a subtype)"),
        ("A[deprel == obj]", "the relation of A to its head is “obj”"),
        (
            "A[lower(phrase) in {b, a}]",
            "a run of words that begins at A, joined by spaces in lower case, is among the 2 entries (b, a)",
        ),
        ("at most 1 X:NOUN { A -> X }", "there is at most 1 word X such that"),
        ("sentence[length > 3] A", "the length in words of the sentence is greater than 3"),
        ("without { A -> _ } A", "there is no way to satisfy all of"),
    ],
)
def test_how_it_is_said(text: str, said: str) -> None:
    assert f"· {said}" in "\n".join(describe(lowered(text)))
