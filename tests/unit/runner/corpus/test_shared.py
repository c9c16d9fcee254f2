"""Statements that share tables find what they find alone, and what they share is computed once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fictdsl.compiler import compile_text
from runner.corpus.apply import match
from runner.corpus.filters import load_filters
from runner.corpus.shared import share
from runner.corpus.tally import tally
from tests.support import corpora
from tests.support.reading import conllu
from tests.support.strategies.dice import Dice
from tests.support.strategies.sentences import make_sentence


def test_what_is_shared_is_there_once() -> None:
    names = [f"npi-{name}" for name in ("only", "sent-neg", "sim-ques")]
    filters = [load_filters([f"fict15/{name}"])[0] for name in names]
    shared = share([one.statement() for one in filters])
    assert len(shared.tables) == 1
    (name,) = shared.tables
    assert all(text.count(f'"{name}"') == 1 for text in shared.texts)
    assert all(len(text) < len(one.statement().text) / 2 for text, one in zip(shared.texts, filters, strict=True))


def test_statements_with_nothing_in_common_stay_as_they_are() -> None:
    filters = [load_filters([f"fict15/{name}"])[0] for name in ("passive", "agr-rel-cl", "npi-only")]
    shared = share([one.statement() for one in filters])
    assert not shared.tables
    assert list(shared.texts) == [one.statement().text for one in filters]


def test_counts_are_those_of_each_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    dice = Dice.rolled(3)
    drawn = [make_sentence(dice) for _ in range(120)]
    sentences = [replace(each, words=tuple(replace(word, deps=()) for word in each.words)) for each in drawn]
    store = corpora.store(tmp_path, corpora.conllu(sentences))
    filters = [
        compile_text(f"fict 1 filter f{n} {{ match {{ {clauses} }} }}").filters[0]
        for n, clauses in enumerate(
            (
                "A:NOUN  B:VERB  A << B",
                "A:NOUN  C:ADJ  C << A",
                "A:NOUN  B:VERB  A << B  without { A -> X }",
                "A:VERB  B:NOUN  B << A",
                "A:NOUN",
                "A:VERB  without { A -> X:NOUN }",
            )
        )
    ]
    statements = [one.statement(layout=store.layout) for one in filters]
    assert share(statements).tables
    found = tally(store, statements)
    for place, one in enumerate(filters):
        table = match(store, one.statement(layout=store.layout))
        assert found.matches[place] == table.num_rows
        assert found.sentences[place] == len(table["sid"].unique())
    assert found.matches.total() > 0


@pytest.mark.parametrize(
    "forms",
    [
        (r"\"r0\"", r"\"r1\""),  # each the name of the same table in its own statement
        (r"\" AS MATERIALIZED (", r"\" AS MATERIALIZED ("),
    ],
)
def test_a_word_like_the_name_of_a_table_is_none(
    forms: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    words = "\n".join(f"{form} X {number} dep" for number, form in enumerate(('"r0"', '"r1"', "the"), start=0))
    store = corpora.store(tmp_path, conllu(words.replace(" 0 dep", " 0 root")))
    texts = (
        f'A[form = "{forms[0]}"]  without {{ A[lemma = the] }}  without {{ A -> X[form = the] -> Y[form = the] }}',
        f'A[form = "{forms[1]}"]  without {{ A[lemma = the] }}  without {{ A -> X[form = the] -> Y[form = the] }}',
    )
    filters = [
        compile_text(f"fict 1 filter f{number} {{ match {{ {clauses} }} }}").filters[0]
        for number, clauses in enumerate(texts)
    ]
    found = tally(store, [each.statement() for each in filters])
    assert [found.matches[place] for place in range(2)] == [match(store, each.statement()).num_rows for each in filters]
