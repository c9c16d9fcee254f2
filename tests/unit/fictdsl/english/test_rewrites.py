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
