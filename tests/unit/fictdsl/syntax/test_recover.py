"""After a mistake reading goes on: several diagnostics a file, and the items that are right."""

from __future__ import annotations

import time

import pytest

from fictdsl.source import Source
from fictdsl.syntax.grammar import LIMIT
from fictdsl.syntax.parse import MAX_DIAGNOSTICS, parse


def codes(text: str) -> list[tuple[str, int]]:
    source = Source.of(text)
    return [(d.code, source.position(d.span.start)[0]) for d in parse(source)[1] if d.span]


def names(text: str) -> list[str]:
    file, _ = parse(Source.of(text))
    assert file is not None
    return [item.name.text for item in file.items if hasattr(item, "name")]


def test_every_item_is_read() -> None:
    text = """fict 1
list a = {b c}
list d = {e}
filtr f { match { X } }
filter g { match { X > Y } }
use a
filter h { match { X } }
pattern p { A }
pattern q(A) { A }
"""
    assert codes(text) == [
        ("FICT110", 2),
        ("FICT111", 4),
        ("FICT112", 5),
        ("FICT110", 6),
        ("FICT110", 8),
    ]
    assert names(text) == ["d", "h", "q"]


def test_every_clause_is_read() -> None:
    text = """fict 1
filter Agr_pp {
  about 'the thing'
  match {
    V > S
    S[form = n't, upos = NOUN and has X]
    V -[nsubj]- S
    witout {
      X -> Y
    }
    O -> P; O . P; X !
    V -> S
  }
  remvoe sentence
}
filter c { match { X } }
"""
    assert codes(text) == [
        ("FICT117", 2),
        ("FICT118", 3),
        ("FICT112", 5),
        ("FICT118", 6),
        ("FICT113", 6),
        ("FICT110", 7),
        ("FICT111", 8),
        ("FICT110", 11),
        ("FICT110", 11),
        ("FICT111", 14),
    ]
    assert names(text) == ["c"]


def test_a_bracket_that_is_never_closed_ends_with_the_item() -> None:
    text = """fict 1
filter a {
  match { X -> Y
  remove sentence
}
list b = {c
filter d { match { X[has Y } }
  filter e { match { X } }
"""
    assert codes(text) == [("FICT115", 3), ("FICT115", 6), ("FICT115", 7)]
    assert names(text) == ["e"]


def test_values_that_look_like_items_are_values() -> None:
    assert names("fict 1\nlist a = {use, list, filter,\nlist,\npattern}\nlist b = {c}") == ["a", "b"]
    assert names("fict 1\nlist a = {use, list, filter,\npattern}\nlist b = {c d}") == ["a"]


def test_what_was_set_aside_is_not_called_empty() -> None:
    assert codes("fict 1\nfilter a {\n  match {\n    X !\n  }\n}") == [("FICT110", 4)]


def test_an_item_with_an_error_in_its_parts_is_left_out() -> None:
    text = 'fict 1\nlist a = {"\\x"}\nlist b = {c}'
    assert codes(text) == [("FICT107", 2)]
    assert names(text) == ["b"]


def test_forbidden_characters_are_reported_with_the_rest() -> None:
    text = 'fict 1\nlist a = {"\0"}\nlist b = {c d}\rlist e = {"\ud800"}\nlist f = {g}'
    assert codes(text) == [("FICT103", 2), ("FICT110", 3), ("FICT105", 3), ("FICT103", 3)]
    assert names(text) == ["f"]


def test_there_is_a_limit_to_what_is_reported() -> None:
    found = codes("fict 1\n" + "list a = {b c}\n" * 1000)
    assert len(found) == MAX_DIAGNOSTICS


NESTED = {
    "blocks": lambda n: "match {" + "without {" * (n - 1) + "X" + "}" * n,
    "parentheses": lambda n: "match { X[" + "(" * (n - 1) + "has Y" + ")" * (n - 1) + "] }",
    "not": lambda n: "match { X[" + "not " * (n - 1) + "has Y] }",
    "either": lambda n: "match {" + "either { X } or {" * (n - 1) + "X" + "}" * n,
    "counting": lambda n: "match {" + "at least 2 X {" * (n - 1) + "X" + "}" * n,
}


@pytest.mark.parametrize("kind", NESTED)
@pytest.mark.parametrize("depth", [63, 64, 65, LIMIT, LIMIT + 1, 10_000])
def test_nesting(kind: str, depth: int) -> None:
    """Up to its limit the parser reads what nests (the language's own limit is checked later), then it says so."""
    text = f"fict 1\nlist a = {{b}}\nfilter f {{ {NESTED[kind](depth)} }}\nlist c = {{d}}"
    file, problems = parse(Source.of(text))
    assert file is not None
    assert [p.code for p in problems] == ([] if depth <= LIMIT else ["FICT126"])
    assert len(file.items) == (3 if depth <= LIMIT else 2)


@pytest.mark.parametrize(
    "text",
    ["{" * 20_000, "without {" * 10_000, "filter f { match { X[" + "(" * 20_000, "}" * 20_000, "list a = {" * 5_000],
)
def test_brackets_without_end_take_no_time_without_end(text: str) -> None:
    start = time.perf_counter()
    assert codes("fict 1\n" + text)
    assert time.perf_counter() - start < 20


def test_a_closing_bracket_alone_is_not_passed_over() -> None:
    for text in ("}", "list a = {b} }", "]", ")", ";", "list a = {b};", ","):
        assert codes("fict 1\n" + text), text


@pytest.mark.parametrize("header", ["FICT 1", "Fict  1", "fict1", "fct 1", "# a comment\nFICT 1"])
def test_the_fix_of_a_misspelled_header_replaces_it(header: str) -> None:
    text = f"{header}\nfilter f {{ match {{ X }} }}\n"
    (problem,) = parse(Source.of(text))[1]
    assert problem.code == "FICT101"
    assert problem.fix is not None
    fixed = text[: problem.fix.span.start] + problem.fix.replacement + text[problem.fix.span.end :]
    assert not parse(Source.of(fixed))[1]


def test_a_misspelled_header_of_another_version_has_no_fix() -> None:
    (problem,) = parse(Source.of("FICT 2\nfilter f { match { X } }"))[1]
    assert (problem.code, problem.fix) == ("FICT101", None)


def test_a_list_from_a_table_begins_an_item() -> None:
    text = 'fict 1\nfilter f { match { X[form =\nlist a from "a.tsv"\nfilter g { match { X } }\n'
    assert [line for _, line in codes(text)] == [2]
    assert names(text) == ["a", "g"]


@pytest.mark.parametrize("block", ["without { A }", "either { A } or { B }", "maybe { A }"])
def test_a_node_named_rewrite_before_a_block_begins_no_item(block: str) -> None:
    assert codes(f"fict 1\nfilter f {{ match {{\nrewrite {block}\nX > Y }} }}\n") == [("FICT112", 4)]
