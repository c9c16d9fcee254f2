"""Matches counted by what words and sentences have; nothing is lost, whatever is absent."""

from __future__ import annotations

from pathlib import Path

import pytest

from fictdsl.compiler import CompiledFilter, compile_text
from runner.corpus.match_groups import count_groups
from runner.corpus.match_keys import parse_group_keys
from runner.corpus.store import Store
from runner.errors import InputError
from tests.support import corpora

ROWS = {
    "a": "1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\tNote=b|Note=a|Flag|a/b=c\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n",
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
        ("misc.Note/upos(S)", {("a,b",): 2, ("PRON",): 1}),
        ("misc.None/misc.Note/Number(S)", {("a,b",): 2, ("_",): 1}),
        ("misc.a/b(S)", {("c",): 2, ("_",): 1}),
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


WORDS = (
    "# sent_id = 1\n# score = 12\n"
    "1-2\tIt's\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tIt\tit\tPRON\t_\t_\t4\tnsubj\t_\tStart=1.5\n"
    "2\t's\tbe\tAUX\t_\tExtPos=PRON|Number=Sing\t4\tcop\t_\tStart=-2.5\n"
    "3\ta\ta\tDET\t_\t_\t4\tdet\t_\tStart=x\n"
    "4\tdog\tdog\tNOUN\t_\tNumber=Sing\t0\troot\t_\t_\n\n"
)
WIDE = WORDS + ROWS["b"] + "\n"


@pytest.fixture
def wide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return corpora.store(tmp_path, WIDE)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("order(V,S)", {("S V",): 4}),
        ("order(S, V), deprel(S)", {("S V", "nsubj"): 2, ("S V", "cop"): 1, ("S V", "det"): 1}),
        ("distance(V,S)", {("-3",): 1, ("-2",): 1, ("-1",): 2}),
        ("distance(S,V):2", {("2..3",): 2, ("0..1",): 2}),
        ("distance(V,S):2", {("-4..-3",): 1, ("-2..-1",): 3}),
        ("relation(V,S)", {("nsubj",): 2, ("cop",): 1, ("det",): 1}),
        ("relation(S,V)", {("_",): 4}),
        ("ExtPos/upos(S)", {("PRON",): 3, ("DET",): 1}),
        ("ExtPos/Number(S)", {("PRON",): 1, ("_",): 3}),
        ("token(S)", {("It's",): 2, ("_",): 2}),
        ("feats(V)", {("Number=Sing",): 3, ("_",): 1}),
        ("length:1", {("4",): 3, ("2",): 1}),
        ("length:3", {("3..5",): 3, ("0..2",): 1}),
        ("score:10", {("10..<20",): 3, ("_",): 1}),
        ("misc.Start(S):2", {("0..<2",): 1, ("-4..<-2",): 1, ("_",): 2}),
        ("form.length(S)", {("2",): 3, ("1",): 1}),
        ("id(S),id(V)", {("1", "4"): 1, ("2", "4"): 1, ("3", "4"): 1, ("1", "2"): 1}),
        ("{ V -[det]-> _ }", {("yes",): 3 - 1, ("no",): 1 + 1}),
        ("{ V -[det]-> D  S << D }, upos(V)", {("yes", "NOUN"): 2, ("no", "NOUN"): 1, ("no", "AUX"): 1}),
        ("{ without { V -[cop]-> _ } }", {("yes",): 2, ("no",): 2}),
        ('{ S[form = "It"] },{ sentence[length = 4] }', {("yes", "yes"): 1, ("yes", "no"): 1, ("no", "yes"): 2}),
        (r'{ S[form = "\\"] },upos(V)', {("no", "NOUN"): 3, ("no", "AUX"): 1}),
        (r"{ S[form = /\(/] },upos(V)", {("no", "NOUN"): 3, ("no", "AUX"): 1}),
        (r'{ S[form = /\}|"/|a] },upos(V)', {("yes", "NOUN"): 1, ("no", "NOUN"): 2, ("no", "AUX"): 1}),
    ],
)
def test_values_of_several_words(wide: Store, keys: str, expected: dict[tuple[str, ...], int]) -> None:
    assert counted(wide, "V -> S", keys) == expected


def test_bins_of_huge_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    numbers = (str(10**20), "9" * 400, str(2**63 - 1))
    text = "".join(WORDS.replace("score = 12", f"score = {number}") for number in numbers)
    found = counted(corpora.store(tmp_path, text), "V:NOUN", "score:16")
    assert found == {
        (f"{10**20}..<{10**20 + 16}",): 1,
        ("_",): 1,
        (f"{2**63}..<{2**63 + 16}",): 1,  # as a floating-point number
    }


def test_what_is_not_bound(wide: Store) -> None:
    match = "V -[nsubj]-> S  maybe { V -[det]-> D }"
    keys = "order(V,S,D),distance(S,D),relation(V,D),D.id:2"
    assert counted(wide, match, keys) == {
        ("S D V", "2", "det", "2..3"): 1,
        ("S V", "(unbound)", "(unbound)", "(unbound)"): 1,
    }
    assert counted(wide, match, "{ S << V }") == {("yes",): 2}


def test_one_word_with_two_names(wide: Store) -> None:
    assert counted(wide, "V:NOUN -[nsubj]-> S  X[lemma = dog]  X may be V", "order(X,V,S)") == {("S X V",): 1}


def test_aggregates(wide: Store) -> None:
    filter_ = compiled("V -> S")
    keys = "min(distance(S,V)),upos(V),mean(misc.Start(S)),max(length),mean(score)"
    rows = count_groups(wide, filter_, parse_group_keys(keys, filter_, wide))
    assert [(row.values, row.matches, row.aggregates) for row in rows] == [
        (("NOUN",), 3, (1.0, -0.5, 4.0, 12.0)),
        (("AUX",), 1, (1.0, None, 2.0, None)),
    ]
    (total,) = count_groups(wide, filter_, parse_group_keys("mean(length)", filter_, wide))
    assert (total.values, total.matches, total.share, total.aggregates) == ((), 4, 1.0, (3.5,))
    assert count_groups(wide, compiled("X[form = no]"), parse_group_keys("max(length)", compiled("X"), wide)) == []


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        ("order(V)", "FICT775"),
        ("distance(V,S,V)", "FICT775"),
        ("relation(V,X)", "FICT776"),
        ("mean(upos(V))", "FICT775"),
        ("order(V,S):10", "FICT775"),
        ("min({ V -> _ })", "FICT775"),
        ("ExtPos/upso(V)", "FICT775"),
        ("length:0", "FICT775"),
        ("{ V -> }", "FICT794"),
        ("{ V[frm = a] }", "FICT794"),
        ("{ V in @no }", "FICT794"),
        ('{ S[form = "a"] } } filter z { match { Y:VERB }', "FICT794"),
        ("{ V -> S", "FICT775"),
    ],
)
def test_keys_that_are_refused(wide: Store, keys: str, code: str) -> None:
    with pytest.raises(InputError, match=code):
        parse_group_keys(keys, compiled("V -> S"), wide)
