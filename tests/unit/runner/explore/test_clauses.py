"""A click on a value of a count selects exactly the matches that it counts."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from runner.corpus.limits import Limits
from runner.corpus.match_groups import count_groups
from runner.corpus.match_keys import parse_group_keys
from runner.corpus.matches import match
from runner.errors import InputError
from runner.explore import query
from runner.explore.counting import clause_of, count_by, count_over
from runner.explore.query import Query
from tests.support import corpora
from tests.support.reading import tree

QUERY = Query("V -> S\nmaybe { V -[obj]-> O }")
WORDS = (
    'the DET 2 det lemma=_\ndogs NOUN 3 nsubj feats=Number=Plur|Case=Acc,Dat lemma=dog misc=Gloss=a"b xpos=NNS\nsee VERB 0 root\n'
    "=cats NOUN 3 obj feats=Number=Plur lemma=cat xpos=N-N"
)
SMALL = (
    "Rex PROPN 2 nsubj:pass feats=ExtPos=NOUN|Case=Acc misc=Gloss=x|k.v=3\nbarks VERB 0 root\n"
    "_ ADV 2 advmod lemma=_ feats=Case=Acc,Dat,Gen misc=k.v=_"
)
BACK = "see VERB 0 root\nDogs NOUN 1 obj lemma=dog\nof ADP 4 case\nhome NOUN 2 nmod"

WORD_KEYS = (
    "form(S)", "lemma(S)", "upos(S)", "xpos(S)", "deprel(S)", "lower(form(S))", "lower(lemma(S))", "Number(S)", "Case(S)",
    "misc.Gloss(S)", "token(S)", "feats(S)", "id(S)", "form.length(S)", "lemma.length(S)", "ExtPos/upos(S)", "upos(O)",
    "form.length(S):2", "id(S):1", "Case/xpos(S)", "misc.k.v(S)", 'misc."k.v"(S)', "misc.k.v/lemma(S)", "lemma/xpos(S)",
)  # fmt: skip
OTHER_KEYS = (
    "doc", "sent_id", "length", "length:2", "speaker", "year", "year:5", "genre", "order(V,S)", "order(V,S,O)",
    "distance(V,S)", "distance(V,S):3", "relation(V,S)", "relation(S,V)", "relation(V,O)", "{ S -> _ }",
    "{ S -> D }", "{ S << V }",
)  # fmt: skip


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    sentences = [
        tree(WORDS, 'newdoc id = web-1\n# sent_id = a.1\n# speaker = A "B"\n# year = 2001'),
        tree(SMALL, "sent_id = b\n# year = 2007"),
        tree(BACK, "newdoc id = news_2\n# sent_id = c\n# year = unknown\n# speaker = _"),
        tree(BACK, "newdoc id = news\n# sent_id = d"),
    ]
    made = corpora.store(tmp_path, corpora.conllu(sentences))
    query.prepare(query.ExplorerSettings((made.path,), (), Limits(timeout=60)))


@pytest.mark.parametrize("key", [*WORD_KEYS, *OTHER_KEYS])
def test_a_clause_selects_what_is_counted(key: str) -> None:
    store, compiled = query.store_of(0), QUERY.filter
    (parsed,) = parse_group_keys(key, compiled, store)
    rows = count_groups(store, compiled, [parsed])
    assert rows
    for row in rows:
        all_values = {row.values[0] for row in rows}
        clause = clause_of(compiled, parsed, row.values[0], all_values, has_genres=False)
        if clause is None:
            optional, span_zero = "O" in key, row.values[0] in ("-3..-1", "0..2")
            assert optional or span_zero or (key == "year:5" and row.values[0] == "_")
            continue
        selected = Query(f"{QUERY.text}\n{clause}").filter
        assert match(store, selected).num_rows == row.matches, clause


@pytest.mark.parametrize(("key", "genres"), [("source", False), ("genre", True)])
def test_what_the_language_cannot_say_has_no_clause(key: str, genres: bool) -> None:
    (parsed,) = parse_group_keys(key, QUERY.filter, query.store_of(0))
    assert clause_of(QUERY.filter, parsed, "x", {"x"}, has_genres=genres) is None


def test_a_row_of_several_keys_has_all_clauses() -> None:
    html = count_by(0, QUERY, "upos(S),length,mean(id(S))").html
    clauses = [unescape(clause) for clause in re.findall(r'data-clause="([^"]*)"', html)]
    assert "S:DET\nsentence[length = 4]" in clauses and "S:PROPN\nsentence[length = 3]" in clauses


def test_rates_over_a_key_are_per_words_of_its_values() -> None:
    counted = count_over(0, Query("V -> S"), "", "year")
    assert counted.csv.splitlines() == [
        "year,matches,words,per_million_words",
        "2001,3,4,750000.000",
        "2007,2,3,666666.667",
        "unknown,3,4,750000.000",
        "_,3,4,750000.000",
    ]
    assert counted.html.count("<circle") == 2 and "per million words over year" in counted.html


def test_rates_of_several_series() -> None:
    counted = count_over(0, Query("V -> S"), "upos(S)", "year:5")
    lines = counted.csv.splitlines()
    assert lines[0] == "year:5,upos(S),matches,words,per_million_words"
    assert "2000..<2005,NOUN,2,4,500000.000" in lines and "2005..<2010,NOUN,0,3,0.000" in lines
    assert set(re.findall(r'class="small">(\w+)</text>', counted.html)) == {"NOUN", "ADP", "ADV", "DET", "PROPN"}


def test_equal_texts_of_other_values_are_other_series(tmp_path: Path) -> None:
    text = "".join(
        f"# year = 2001\n1\tv\t{verb}\tVERB\t_\t_\t0\troot\t_\t_\n2\ts\t{subject}\tNOUN\t_\t_\t1\tnsubj\t_\t_\n\n"
        for verb, subject in [("b c", "d"), ("b", "c d"), ("b", "c d")]
    )
    made = corpora.store(tmp_path / "spaces", text)
    query.prepare(query.ExplorerSettings((made.path,), (), Limits(timeout=60)))
    lines = count_over(0, Query("V -> S"), "lemma(V),lemma(S)", "year").csv.splitlines()
    assert lines[1:] == ['2001,"b ""c d""",2,6,333333.333', '2001,"""b c"" d",1,6,166666.667']


def test_a_value_is_not_confused_with_the_other_series(tmp_path: Path) -> None:
    lemmas = ["(others)", "(others)", *(f"s{number}" for number in range(8))]
    rows = "\n".join(f"s NOUN 1 dep lemma={lemma}" for lemma in lemmas)
    made = corpora.store(tmp_path / "many", corpora.conllu([tree(f"v VERB 0 root\n{rows}", "year = 2001")]))
    query.prepare(query.ExplorerSettings((made.path,), (), Limits(timeout=60)))
    lines = count_over(0, Query("V -> S"), "lemma(S)", "year").csv.splitlines()
    assert lines[1].startswith('2001,"""(others)""",2,') and lines[-1].startswith("2001,(others),2,")


def test_genres_have_a_table_without_a_plot() -> None:
    counted = count_over(0, Query("V -> S"), "", "genre")
    assert "<circle" not in counted.html
    assert [line.split(",")[0] for line in counted.csv.splitlines()[1:]] == ["news", "web"]


@pytest.mark.parametrize("keys", ["mean(length)", "upos(S), mean(length)"])
def test_rates_have_no_aggregates(keys: str) -> None:
    with pytest.raises(InputError, match="FICT775"):
        count_over(0, Query("V -> S"), keys, "year")


@pytest.mark.parametrize("over", ["upos(S)", "mean(length)", "year,genre", "nothing", "{ S -> _ }"])
def test_other_keys_are_mistakes(over: str) -> None:
    with pytest.raises(InputError, match="FICT775"):
        count_over(0, Query("V -> S"), "", over)
