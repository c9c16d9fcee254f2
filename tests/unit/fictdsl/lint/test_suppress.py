"""Comments are found, and only those that are comments."""

from __future__ import annotations

import pytest

from fictdsl.lint.engine import lint_text
from fictdsl.lint.suppress import directive_problem
from fictdsl.syntax.grammar import comments


def test_a_comment_is_no_part_of_a_string_or_a_regex() -> None:
    text = '# one\nlist a = {"# no", "\\"# no"}  # two # too\nfilter f { match { A[form = /#a/|"#"]#three\n} }\n#'
    assert [comment.text for comment in comments(text)] == ["# one", "# two # too", "#three", "#"]


@pytest.mark.parametrize(
    ("what", "problem"),
    [
        ("ignore[FICT503] a reason", None),
        ("ignore [ FICT503 ] a reason", None),
        ("ignore[FICT503]", "it gives no reason"),
        ("ignore[] a reason", "it names no code"),
        ("ignore a reason", "it is malformed"),
        ("ignore[FICT503,FICT504] a", "it names several codes"),
        ("ignore[FICT203] a reason", "FICT203 is not a lint rule"),
        ("ignore[FICT599] a reason", "there is no lint rule FICT599"),
        ("ignore[503] a reason", "there is no lint rule 503"),
        ("", "it is malformed"),
    ],
)
def test_the_form(what: str, problem: str | None) -> None:
    found = directive_problem(what)
    assert (found and found[0]) == problem


def codes(text: str) -> list[str]:
    return [problem.code for problem in lint_text(text)]


FILTER = 'filter f { about "x" match {\n  A[Numbr = Plur]\n  B[Numbr = Sing]\n} }\n'


def test_a_line_and_an_item() -> None:
    assert codes(f"fict 1\n{FILTER}") == ["FICT503", "FICT503"]
    mark = "# fict: ignore[FICT503] ours"
    assert codes(f"fict 1\n{mark}\n{FILTER}") == []
    assert codes(f"fict 1\n{mark}\n# more\n{FILTER}") == []
    assert codes(f"fict 1\n{FILTER.replace('Plur]', 'Plur]  ' + mark)}") == ["FICT503"]
    assert codes(f"fict 1\n\t{mark}\n{FILTER}{FILTER.replace('filter f', 'filter g')}") == [
        "FICT524",
        "FICT503",
        "FICT503",
    ]


def test_it_must_stand_right_above_the_item() -> None:
    assert codes(f"fict 1\n# fict: ignore[FICT503] ours\n\n{FILTER}") == ["FICT527", "FICT503", "FICT503"]


@pytest.mark.parametrize("empty_line", ["\r\n", "   \n", "\t\r\n"])
def test_an_empty_line_may_have_spaces_and_windows_line_ends(empty_line: str) -> None:
    text = f"fict 1\n# fict: ignore[FICT503] ours\n{empty_line}{FILTER}"
    assert codes(text) == ["FICT527", "FICT503", "FICT503"]


def test_each_code_needs_a_comment() -> None:
    text = FILTER.replace('about "x" ', "")
    marks = "# fict: ignore[FICT503] ours\n# fict: ignore[FICT520] later\n"
    assert codes(f"fict 1\n{marks}{text}") == []


def test_windows_line_ends() -> None:
    assert codes(f"fict 1\n# fict: ignore[FICT503] ours\n{FILTER}".replace("\n", "\r\n")) == []
