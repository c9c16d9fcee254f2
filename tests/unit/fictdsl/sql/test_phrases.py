"""Runs of words are found whole, however their forms are spelt, and each list is looked for once."""

from __future__ import annotations

import pytest

from fictdsl.reference.sentences import Sentence, Word
from fictdsl.sql.fragments import StatementBuilder
from fictdsl.sql.paths import phrase_table
from fictdsl.sql.statement import DIALECTS
from tests.support.tables import connect
from tests.unit.fictdsl.semantics.test_lower import lowered


def sentence(*forms: str) -> Sentence:
    return Sentence(tuple(Word(place, form, head=place - 1) for place, form in enumerate(forms, 1)))


BANK = [sentence("at", "all", "at", "all"), sentence("10 000", "at all"), sentence("At", "ALL"), sentence("at")]


@pytest.mark.parametrize(
    ("test", "found"),
    [
        ('phrase = "at all"', [(0, 1), (0, 3), (1, 2)]),
        ('lower(phrase) = "at all"', [(0, 1), (0, 3), (1, 2), (2, 1)]),
        ('phrase = "10 000 at all"', [(1, 1)]),
        ('phrase in {"all at", at, "000 at"}', [(0, 1), (0, 2), (0, 3), (3, 1)]),
        ('phrase = "at all at all at"', []),
        ('phrase in {"at all", "all at all", at}', [(0, 1), (0, 2), (0, 3), (1, 2), (3, 1)]),
        ('phrase in {"10 000 at", "000 at", "10 000"}', [(1, 1)]),
        ('phrase = ""', []),
        ('phrase = "at  all"', []),
        ("phrase in {}", []),
        ("phrase not in {}", [(0, 1), (0, 2), (0, 3), (0, 4), (1, 1), (1, 2), (2, 1), (2, 2), (3, 1)]),
    ],
)
def test_where_phrases_begin(test: str, found: list[tuple[int, int]]) -> None:
    with connect(BANK) as connection:
        assert connection.execute(lowered(f"X[{test}]").statement().text).fetchall() == found


def test_a_list_is_looked_for_once() -> None:
    builder = StatementBuilder(DIALECTS["duckdb"])
    names = [phrase_table(("a b", "c"), lower=lower, builder=builder) for lower in (False, False, True)]
    assert names == ["p0", "p0", "p1"]
    assert len(builder.ctes) == 10


def test_other_words_are_read_in_sentences_that_have_the_longest() -> None:
    builder = StatementBuilder(DIALECTS["duckdb"])
    phrase_table(("in the least", "ever"), lower=True, builder=builder)
    anchors, words = (table.query for table in builder.ctes[:2])
    assert "ANY(['ever', 'in the least', 'least', 'the least'])" in anchors
    assert "IN ('least', 'the least')" in words and "= ANY(['in', 'in the', 'the'])" in words
    assert "'ever'" not in words
