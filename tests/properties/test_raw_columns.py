"""Over a table of the columns of CoNLL-U alone, filters find what they find in a store."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import duckdb
import pytest
from hypothesis import given, note

from fictdsl.compiler import CompiledFilter
from fictdsl.plan.build import missing_from_raw
from fictdsl.plan.passes import verify
from fictdsl.reference.sentences import Sentence, Word
from fictdsl.schema import RAW
from tests.cases.test_language import CASES, Case
from tests.support.arranged import lowered_otherwise, lowers
from tests.support.engines import by_sql, compiled, reference_matches
from tests.support.strategies.filters import Project, projects
from tests.support.strategies.sentences import treebanks
from tests.support.tables import conllu_table


def check(each: CompiledFilter, treebank: list[Sentence]) -> None:
    verify(each.plan_for(RAW))
    assert each.statement(layout=RAW).features == ()
    with conllu_table(treebank) as connection:
        assert by_sql(connection, each, RAW) == reference_matches(each, treebank)


@pytest.mark.parametrize("case", CASES, ids=[f"{case.path.stem}: {case.title}" for case in CASES])
def test_every_construct(case: Case) -> None:
    if not missing_from_raw(case.compiled.ir):
        check(case.compiled, list(case.trees.values()))


@given(projects(), treebanks())
def test_generated_filters(project: Project, treebank: list[Sentence]) -> None:
    note(project.text())
    for each in compiled(project):
        if not missing_from_raw(each.ir):
            note(each.statement(layout=RAW).text)
            check(each, lowered_alike(treebank) if lowers(each.ir) else treebank)


def lowered_alike(treebank: list[Sentence]) -> list[Sentence]:
    """The treebank without the words of which a database makes another lower case than the language."""
    return [replace(sentence, words=tuple(map(_ordinary, sentence.words))) for sentence in treebank]


def _ordinary(word: Word) -> Word:
    form, lemma = (text and (f"W{len(text)}" if lowered_otherwise(text) else text) for text in (word.form, word.lemma))
    return replace(word, form=form or "", lemma=lemma)


def test_what_is_lowered_otherwise() -> None:
    """Of all letters, alone and before a mark, and Σ in all places: what DuckDB makes another lower case of is known."""
    letters = [chr(code) for code in range(1, 0x3000)]
    texts = [*letters, *(f"{letter}{mark}" for letter in letters for mark in "\u0301\u0307\u0331"), "ΑΣ", "ΣΑ"]
    texts = [unicodedata.normalize("NFC", text) for text in texts]
    found = duckdb.connect().execute("SELECT text, lower(text) FROM unnest($1) AS t(text)", [texts]).fetchall()
    other = [text for text, lower in found if lower != unicodedata.normalize("NFC", text.lower())]
    assert {"İ", "ΑΣ", "H\u0331"} <= set(other)
    assert all(map(lowered_otherwise, other))
