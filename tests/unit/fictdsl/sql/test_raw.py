"""Statements over the columns of CoNLL-U: what they read, and in which dialect."""

from __future__ import annotations

import re
from itertools import product

import pytest

from fictdsl.plan.build import missing_from_raw
from fictdsl.plan.nodes import Paths
from fictdsl.reference.sentences import Sentence, Word
from fictdsl.schema import RAW
from tests.support.engines import by_sql, reference_matches
from tests.support.tables import conllu_table
from tests.unit.fictdsl.semantics.test_lower import lowered

BANK = [
    Sentence(
        (
            Word(1, "Dogs", "dog", head=2, feats={"Case": ("Nom", "Acc"), "Number[psor]": ("Plur",)}),
            Word(2, "bark", "bark", head=0),
        )
    )
]


@pytest.mark.parametrize(
    ("test", "found"),
    [
        ("Case = Acc", [1]),
        ("Case in {Nom, Dat}", [1]),
        ('Case = "Nom,Acc"', []),
        ("Case = c", []),
        ("Case != Acc", [2]),
        ("Case = /A.*/", [1]),
        ("has Case", [1]),
        ("not has Case", [2]),
        ("Number[psor] = Plur", [1]),
        ("Number = Plur", []),
        ("lower(form) = dogs", [1]),
        ("form.length = 4", [1, 2]),
    ],
)
def test_tests_of_a_word(test: str, found: list[int]) -> None:
    with conllu_table(BANK) as connection:
        rows = connection.execute(lowered(f"X[{test}]").statement(layout=RAW).text).fetchall()
    assert [word for _, word in rows] == found


def test_a_walk_ends_in_a_cycle() -> None:
    cycle = [Sentence((Word(1, "a", head=2), Word(2, "b", head=1), Word(3, "c", head=3)))]
    with conllu_table(cycle) as connection:
        text = lowered("A ->> B[form = a]").statement(layout=RAW).text
        assert connection.execute(text).fetchall() == [(0, 2, 1)]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("bounds", ["", "{2}", "{2..}", "{4..}", "{..3}", "{2..3}"])
@pytest.mark.parametrize("up", [True, False])
def test_cyclic_heads_have_the_shortest_paths(bounds: str, up: bool) -> None:
    """In all graphs of four words, a walk ends, in either direction, and gives the answers of the reference."""
    graphs = [
        Sentence(tuple(Word(i, "a" if i == 1 else "b", head=head) for i, head in enumerate(heads, 1)))
        for heads in product(range(5), repeat=4)
    ]
    each = lowered(f"A ->>{bounds} B[form = a]" if up else f"A[form = a] ->>{bounds} B")
    (paths,) = (relation for relation in each.plan_for(RAW).relations if isinstance(relation, Paths))
    assert paths.up is up
    with conllu_table(graphs) as connection:
        assert by_sql(connection, each, RAW) == reference_matches(each, graphs)


def test_each_of_several_readings_may_have_walks_of_its_own() -> None:
    text = lowered("either { A ->> B[lemma = dog] } or { A[lemma = cat] ->> B }").statement(layout=RAW).text
    with conllu_table(BANK) as connection:
        assert connection.execute(text).fetchall() == [(0, 2, 1)]


def test_spark_keeps_what_it_has_seen() -> None:
    duckdb, spark = (lowered("A ->> B").statement(dialect, RAW).text for dialect in ("duckdb", "spark"))
    assert "WITH RECURSIVE" in duckdb and " UNION SELECT" in duckdb
    assert "WITH RECURSIVE" in spark and " UNION ALL SELECT" in spark and "UNION SELECT" not in spark
    assert not re.search(r"\b(pre|last|depth|sentences)\b", duckdb + spark)


def test_what_is_not_there() -> None:
    text = "A[misc.Gloss = x] ==> B  sentence[text = a, length > 3, meta.genre = news]"
    assert missing_from_raw(lowered(text).ir) == (
        "enhanced edges",
        "meta.genre",
        "misc.Gloss",
        "sentence.length",
        "sentence.text",
    )
    assert missing_from_raw(lowered("A ->> B").ir) == ()
