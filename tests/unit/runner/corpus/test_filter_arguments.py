"""FILTER arguments: files, names, folders, and queries on the command line."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from fictdsl.diagnostics.text import render_text
from runner.corpus.filter_arguments import (
    compile_inline_query,
    filter_labels,
    is_inline_query,
    load_filters,
    load_rewrites,
)
from runner.errors import InputError
from tests.unit.runner.cli.conftest import FILTERS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "inner").mkdir()
    (tmp_path / "b.fict").write_text(FILTERS)
    (tmp_path / "a.fict").write_text("fict 1 filter alone { match { X } }")
    (tmp_path / "inner/c.fict").write_text("fict 1 filter alone { match { Y } }")
    (tmp_path / "lists.fict").write_text("fict 1 list w = {a}")
    (tmp_path / "notes.txt").write_text("no filter")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["a.fict"], ["alone"]),
        (["b.fict"], ["subject", "number.Sing", "number.Plur"]),
        (["b.fict::number"], ["number.Sing", "number.Plur"]),
        (["b.fict::number.Plur"], ["number.Plur"]),
        (["b.fict::number.Plur", "b.fict::subject", "b.fict"], ["number.Plur", "subject", "number.Sing"]),
        (["inner"], ["alone"]),
        ([""], ["alone", "subject", "number.Sing", "number.Plur", "alone"]),
    ],
)
def test_what_is_named(folder: Path, arguments: list[str], names: list[str]) -> None:
    found = load_filters([str(folder / argument) for argument in arguments])
    assert [one.name for one in found] == names


def test_a_name_may_be_in_any_file_of_a_folder(folder: Path) -> None:
    assert [each.name for each in load_filters([f"{folder}::subject", f"{folder}::alone"])] == [
        "subject",
        "alone",
        "alone",
    ]
    with pytest.raises(InputError) as error:
        load_filters([f"{folder}::subjekt"])
    assert "subject" in error.value.diagnostics[0].hint


def test_shipped_filters_have_names_unless_something_is_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert [one.name for one in load_filters(["fict15/passive"])] == ["passive"]
    assert [one.name for one in load_filters(["decaf/winobias-pronoun::winobias-pronoun.Fem"])] == [
        "winobias-pronoun.Fem"
    ]
    (folder / "fict15" / "passive").mkdir(parents=True)
    (folder / "fict15/passive/own.fict").write_text("fict 1 filter own { match { X } }")
    assert [one.name for one in load_filters(["fict15/passive"])] == ["own"]
    with pytest.raises(InputError, match="FICT292"):
        load_filters(["fict15/nothing"])


def test_labels_tell_filters_of_one_name_apart(folder: Path) -> None:
    found = load_filters([str(folder / "a.fict"), str(folder / "inner"), str(folder / "b.fict::subject")])
    assert filter_labels(found) == ["a.fict::alone", "inner/c.fict::alone", "subject"]
    (folder / "inner/d.fict").write_text("fict 1 filter alone { match { Z } }")
    assert filter_labels(load_filters([str(folder / "inner")])) == ["c.fict::alone", "d.fict::alone"]


def test_labels_take_relative_and_absolute_paths(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    found = load_filters(["a.fict", str(folder / "inner/c.fict")])
    assert filter_labels(found) == ["a.fict::alone", "inner/c.fict::alone"]


@pytest.mark.parametrize(
    ("argument", "code", "hint"),
    [
        ("b.fict::subjct", "FICT290", "the nearest name is `subject`"),
        ("b.fict::number.Sig", "FICT290", "the nearest name is `number.Sing`"),
        ("b.fict::zzzzzz", "FICT290", "it has `subject`, `number.Sing`, `number.Plur`"),
        ("lists.fict", "FICT291", None),
        ("c.fict", "FICT292", "the nearest name is `a.fict`"),
        ("absent/x.fict", "FICT292", None),
    ],
)
def test_what_is_not_there(folder: Path, argument: str, code: str, hint: str | None) -> None:
    with pytest.raises(InputError) as caught:
        load_filters([str(folder / argument)])
    (problem,) = caught.value.diagnostics
    assert (problem.code, problem.hint) == (code, hint)


def test_a_bare_word_is_told_the_query_and_the_filter_below(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    query = "a query is written in braces, as in `{ give[lemma = give] }`"
    for hint in (query, f"there is `deep/er/give.fict`; {query}"):
        with pytest.raises(InputError) as caught:
            load_filters(["give"])
        assert caught.value.diagnostics[0].hint == hint
        (tmp_path / "deep" / "er").mkdir(parents=True, exist_ok=True)
        (tmp_path / "deep" / "er" / "give.fict").write_text("fict 1 filter give { match { X } }")


def test_a_rewrite_where_a_filter_is_expected_is_named_as_one(folder: Path) -> None:
    path = folder / "both.fict"
    path.write_text("fict 1 filter one { match { X } } rewrite two { match { X } set X.form = x }")
    with pytest.raises(InputError) as filter_error:
        load_filters([f"{path}::two"])
    with pytest.raises(InputError) as rewrite_error:
        load_rewrites([f"{path}::one"], required=True)
    problems = [*filter_error.value.diagnostics, *rewrite_error.value.diagnostics]
    assert [(problem.code, problem.hint) for problem in problems] == [
        ("FICT290", "`two` is a rewrite"),
        ("FICT290", "`one` is a filter"),
    ]


def test_what_another_file_has_is_no_hint(folder: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_filters([str(folder / "a.fict"), str(folder / "lists.fict")])
    assert [(problem.code, problem.hint) for problem in caught.value.diagnostics] == [("FICT291", None)]


def test_the_mistakes_of_all_files_come_at_once(folder: Path) -> None:
    for name in ("x", "y"):
        (folder / f"{name}.fict").write_text(f"fict 1 filter {name} {{ match {{ X[form in @absent] }} }}")
    with pytest.raises(InputError) as caught:
        load_filters([str(folder)])
    places = [str(problem.source.name) for problem in caught.value.diagnostics if problem.source is not None]
    assert places == [str(folder / "x.fict"), str(folder / "y.fict")]


def test_filters_that_come_with_fictc_have_names(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert [one.name for one in load_filters(["fict15/passive"])] == ["passive"]
    assert [one.name for one in load_filters(["fict15/passive::passive", "fict15/passive.fict"])] == ["passive"]
    assert len(load_filters(["fict15"])) == 15
    Path("fict15").mkdir()
    Path("fict15/own.fict").write_text("fict 1 filter own { match { A } }")
    assert [one.name for one in load_filters(["fict15"])] == ["own"]  # what is here comes first


@pytest.mark.parametrize(
    "body",
    [
        "V -> S",
        "V[upos = X]",
        "A<B",
        "A~B",
        "B<-A",
        "V->S",
        "a b",
        "V\n->S",
        "x" * 5000 + " y",
        "{V:VERB}",
        "{ V:VERB }",
    ],
)
def test_queries(body: str) -> None:
    assert is_inline_query(body)


@pytest.mark.parametrize(
    "name", ["passive", "V:VERB", "fict15", "fict15/passive", "fict15/passive::passive", "", "a\0b", "V\n"]
)
def test_names(name: str) -> None:
    assert not is_inline_query(name)


def test_a_file_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "A < B.fict").write_text("fict 1 filter f { match { X:NOUN } }")
    assert is_inline_query("A < B")
    assert not is_inline_query("A < B.fict")
    assert not is_inline_query("A < B.fict::f")
    assert [each.name for each in load_filters(["A < B.fict::f", "A < B"], bodies=True)] == ["f", "query"]
    with pytest.raises(InputError, match="FICT292"):
        load_filters(["A < B"])


def test_braces_around_a_body_are_left_out() -> None:
    in_braces, plain = load_filters(["{V:VERB}", "V[upos = VERB]"], bodies=True)
    assert in_braces.ir == plain.ir


@pytest.mark.parametrize("argument", ["V:VERB", "_:NOUN|PROPN"])
def test_a_node_with_a_tag_is_told_how_to_be_a_query(argument: str) -> None:
    with pytest.raises(InputError) as caught:
        load_filters([argument], bodies=True)
    assert caught.value.diagnostics[0].hint == f"the query is `'{{ {argument} }}'`"
    load_filters([f"{{ {argument} }}"], bodies=True)
    with pytest.raises(InputError) as caught:
        load_filters([argument])
    assert caught.value.diagnostics[0].hint is None


def test_several_are_numbered_and_one_twice_is_one() -> None:
    filters = load_filters(["A < B", "A ~ B # a comment", "A < B"], bodies=True)
    assert [each.name for each in filters] == ["query-1", "query-2"]
    assert filters[0].key != filters[1].key


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("V -[nsubj]- S", "FICT110"),
        ("A < B } remove sentence } filter x { match { Y", "FICT292"),
        ("A < B } remove node(A", "FICT"),
        ("X [lemma in @no]", "FICT201"),
        ("# nothing", "FICT114"),
    ],
)
def test_what_is_no_body(body: str, code: str) -> None:
    with pytest.raises(InputError, match=code):
        load_filters([body], bodies=True)


def test_a_body_alone_is_called_query() -> None:
    assert [each.name for each in compile_inline_query("V -> S", {}, None).filters] == ["query"]


@pytest.mark.parametrize(
    ("argument", "column", "message"),
    [
        ("V -[nsubj]- S", 11, ""),
        ("[upos=NOUN]", 1, "found `[`"),
        ("{ V -[nsubj]- S }", 13, ""),
        ("  { V -> }  ", 9, "found the end of the query"),
        ("V ->", 5, "found the end of the query"),
        ('V[lemma = "e\u0301"] W[lemma in @no]', 27, "@no"),
    ],
)
def test_a_mistake_is_shown_in_the_text_of_the_user(argument: str, column: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load_filters(["A < B", argument], bodies=True)
    problem = caught.value.diagnostics[0]
    assert problem.source is not None
    assert problem.span is not None
    assert problem.source.text == unicodedata.normalize("NFC", argument)
    assert problem.source.position(problem.span.start) == (1, column)
    assert message in problem.message
    assert "query" not in render_text([problem], False).replace("<query>", "").replace("end of the query", "")


@pytest.mark.parametrize(
    ("argument", "columns"), [("V -> S {", [8]), ("{ V { }", [5]), ("V -> S }  filter x { match { V } }", [35])]
)
def test_a_wrong_brace_is_shown_once_and_no_brace_that_is_added(argument: str, columns: list[int]) -> None:
    with pytest.raises(InputError) as caught:
        load_filters([argument], bodies=True)
    spans = [problem.span for problem in caught.value.diagnostics]
    assert [span.start + 1 for span in spans if span is not None] == columns
