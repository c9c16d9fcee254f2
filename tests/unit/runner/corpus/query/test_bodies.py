"""An argument is a query where nothing has that name and it cannot be a name."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from fictdsl.diagnostics.text import render_text
from runner.corpus.filter_arguments import compile_inline_query, is_inline_query, load_filters
from runner.errors import InputError


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
