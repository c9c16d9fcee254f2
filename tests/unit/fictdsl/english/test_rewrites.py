"""Descriptions of rewrites."""

from __future__ import annotations

import pytest

from fictdsl.compiler import compile_text
from fictdsl.english.describe import describe_rewrite


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
