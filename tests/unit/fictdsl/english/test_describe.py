"""Descriptions of filters and rewrites in English."""

from __future__ import annotations

import pytest

from fictdsl.compiler import compile_text
from fictdsl.english.describe import describe_rewrite, opening_line
from fictdsl.source import Source
from fictdsl.syntax.nodes import Action, FilterDef
from fictdsl.syntax.parse import parse


def actions(text: str) -> tuple[Action, ...]:
    file, problems = parse(Source.of(f"fict 1 filter x {{ match {{ A -> B }} {text} }}"))
    assert file is not None and not problems, problems
    (item,) = file.items
    assert isinstance(item, FilterDef)
    return item.actions


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Removes every sentence that has A such that"),
        ("remove sentence", "Removes every sentence that has A such that"),
        ("keep sentence", "Keeps only the sentences that have A such that"),
        ("count sentence", "Counts every sentence that has A such that"),
        ("remove node(A)", "Removes A, wherever a sentence has A such that"),
        ("count span(A, B)", "Counts all words from A to B, wherever a sentence has A such that"),
        (
            "mask subtree(B)",
            "Replaces B and all words below it in the tree by “<mask>” (one for each unbroken run of words), "
            "wherever a sentence has A such that",
        ),
        ('mask node(B) with "thing"', "Replaces B by “thing”, wherever a sentence has A such that"),
        ("mask node(B) with upos", "Replaces B by its UPOS tag, wherever a sentence has A such that"),
        (
            "mask span(A, B) with deprel remove node(B)",
            "Replaces all words from A to B by their relation labels and removes B, wherever a sentence has A such that",
        ),
        (
            "remove node(B) count node(A) count sentence",
            "Removes B; counts A; and counts the sentence, wherever a sentence has A such that",
        ),
    ],
)
def test_openings(text: str, said: str) -> None:
    assert opening_line(actions(text), "A") == said


def test_a_filter_that_names_no_word() -> None:
    assert opening_line((), "") == "Removes every sentence of which this is true:"
    assert opening_line(actions("remove sentence count sentence"), "").endswith("wherever this is true of a sentence:")


@pytest.mark.parametrize(("label", "noun"), [("advmod", "an advmod"), ("obj", "an obj"), ("case", "a case")])
def test_the_label_of_an_inserted_word_has_its_article(label: str, noun: str) -> None:
    text = f'fict 1 rewrite r {{ match {{ A -> B }} insert "to" as {label} of A before node(B) }}'
    (rewrite,) = compile_text(text).rewrites
    assert describe_rewrite(rewrite)[-1] == f"  1. inserts “to” immediately before B, as {noun} dependent of A"


def test_the_actions_of_a_family_name_the_value_of_each_member() -> None:
    text = """fict 1
rewrite r for w in {to, at} {
  match { V[form = $w] -> S }
  insert $w[lemma = $w, upos = ADP] as case of S before node(S)
  set V.lemma = $w
}"""
    assert [describe_rewrite(rewrite)[-2:] for rewrite in compile_text(text).rewrites] == [
        [
            f"  1. inserts “{word}” (lemma {word}, upos ADP) immediately before S, as a case dependent of S",
            f"  2. sets V.lemma to “{word}”",
        ]
        for word in ("to", "at")
    ]
