"""Matches counted by what words and sentences have; nothing is lost, whatever is absent."""

from __future__ import annotations

from pathlib import Path

import pytest

from fictdsl.compiler import CompiledFilter, compile_text
from runner.corpus.query.group_counts import count_groups
from runner.corpus.query.group_keys import parse_group_keys
from runner.corpus.store.opening import Store
from tests.support import corpora

ROWS = {
    "a": "1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\tNote=b|Note=a|Flag\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n",
    "b": "1\tIt\tit\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tis\tbe\tAUX\t_\t_\t0\troot\t_\t_\n",
}
TEXT = (
    f"# newdoc id = news-1\n# meta::genre = news\n# sent_id = 1\n{ROWS['a']}\n# sent_id = 2\n{ROWS['b']}\n"
    f'# newdoc id = blog_2\n# sent_id = 3\n# speaker = Eve\'s "x"\n{ROWS["a"]}\n'
)
SUBJECT = "V -[nsubj]-> S"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return corpora.store(tmp_path, TEXT)


def compiled(match: str) -> CompiledFilter:
    return compile_text(f"fict 1 filter f {{ match {{ {match} }} }}").filters[0]


def counted(store: Store, match: str, keys: str) -> dict[tuple[str, ...], int]:
    rows = count_groups(store, compiled(match), parse_group_keys(keys, compiled(match), store))
    assert sum(row.share for row in rows) == pytest.approx(1)
    return {row.values: row.matches for row in rows}


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("upos(S)", {("NOUN",): 2, ("PRON",): 1}),
        ("S.upos", {("NOUN",): 2, ("PRON",): 1}),
        ("lemma(V), Number(S)", {("bark", "Plur"): 2, ("be", "_"): 1}),
        ("xpos(S),xpos(V)", {("NNS", "_"): 2, ("_", "_"): 1}),
        ("lower(form(S)),lower(V.lemma)", {("dogs", "bark"): 2, ("it", "be"): 1}),
        ("misc.Note(S)", {("a,b",): 2, ("_",): 1}),
        ("misc.Flag(S)", {("",): 2, ("_",): 1}),
        ("misc.None(S)", {("_",): 3}),
        ("doc,length", {("news-1", "2"): 2, ("blog_2", "2"): 1}),
        ("genre", {("news",): 2, ("blog",): 1}),
        ("meta::genre", {("news",): 2, ("_",): 1}),
        ("newdoc id", {("news-1",): 1, ("_",): 1, ("blog_2",): 1}),
        ("speaker", {("_",): 2, ('Eve\'s "x"',): 1}),
        (
            "source,genre,upos(S)",
            {
                ("corpus.conllu", "news", "NOUN"): 1,
                ("corpus.conllu", "news", "PRON"): 1,
                ("corpus.conllu", "blog", "NOUN"): 1,
            },
        ),
    ],
)
def test_values(store: Store, keys: str, expected: dict[tuple[str, ...], int]) -> None:
    assert counted(store, SUBJECT, keys) == expected


def test_a_name_that_is_not_bound(store: Store) -> None:
    match = "either { A:NOUN } or { B:AUX }"
    assert counted(store, match, "upos(A),upos(B)") == {("NOUN", "(unbound)"): 2, ("(unbound)", "AUX"): 1}


def test_the_most_frequent_come_first(store: Store) -> None:
    rows = count_groups(store, compiled("X"), parse_group_keys("form(X)", compiled("X"), store))
    assert [(row.values, row.matches) for row in rows] == [(("Dogs",), 2), (("bark",), 2), (("It",), 1), (("is",), 1)]


def test_no_matches(store: Store) -> None:
    assert count_groups(store, compiled("X[form = absent]"), parse_group_keys("genre", compiled("X"), store)) == []
