"""Formatting keeps the tree and the comments; what cannot be read is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from fictdsl.syntax import printer as formatting
from fictdsl.syntax.printer import FormatError, format_text

SHIPPED = sorted((Path(__file__).parents[4] / "filters").rglob("*.fict"))


@pytest.mark.parametrize("path", SHIPPED, ids=[f"{path.parent.name}/{path.stem}" for path in SHIPPED])
def test_shipped_filters_are_in_their_canonical_layout(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_text(text).text == text


def test_a_text_with_syntax_errors_has_no_layout() -> None:
    found = format_text("fict 1 filter f { match { A -> } }", "a.fict")
    assert found.text is None
    assert [problem.code for problem in found.diagnostics] == ["FICT110"]
    assert found.diagnostics[0].source is not None and found.diagnostics[0].source.name == "a.fict"


def test_mistakes_in_names_and_values_do_not_matter() -> None:
    found = format_text("fict 1 filter f{match{A[upos=NUON,form in @nowhere] unknown(A)}}")
    assert (
        found.text == "fict 1\n\nfilter f {\n  match {\n    A[upos = NUON, form in @nowhere]\n    unknown(A)\n  }\n}\n"
    )


@pytest.mark.parametrize("text", ["", "\n", "# only this", "fict 2\n"])
def test_what_is_no_file_of_this_version_is_left_alone(text: str) -> None:
    assert format_text(text).text is None


def test_line_ends_stay_what_the_first_one_is() -> None:
    assert format_text("fict 1\r\nlist a = {b} # c \r\n").text == "fict 1\r\n\r\nlist a = {b}  # c\r\n"
    assert format_text("fict 1\r\nlist a = {b}\n").text == "fict 1\r\n\r\nlist a = {b}\r\n"
    assert format_text("fict 1\nlist a = {b}\r\n").text == "fict 1\n\nlist a = {b}\n"
    assert format_text("fict 1").text == "fict 1\n"


def test_a_byte_order_mark_goes_and_characters_are_composed() -> None:
    assert format_text("\ufefffict 1\nlist a = {cafe\u0301}\n").text == "fict 1\n\nlist a = {caf\u00e9}\n"


@pytest.mark.parametrize(
    ("printed", "message"),
    [
        (["fict 1\n\nlist b = {}  # c\n"], "another syntax tree"),
        (["fict 1\n\nlist"], "another syntax tree"),
        (["fict 1\n\nlist a = {}\n"], "other comments"),
        (["fict 1\n\nlist a = {}  # c\n" + "\n" * n for n in range(9)], "not stable"),
    ],
)
def test_a_layout_that_is_not_the_same_file_is_a_bug(
    printed: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    layouts = iter(printed)
    monkeypatch.setattr(formatting, "print_file", lambda *given: next(layouts))
    with pytest.raises(FormatError, match=message):
        format_text("fict 1\nlist a = {} # c\n")


@pytest.mark.parametrize(
    "clause",
    [
        "without { A " * 95 + "}" * 95,
        "either { A " * 95 + "} or { B } " * 95,
        "A[" + "not (" * 45 + "has X, has Y" + ")" * 45 + "]",
        "A[" + "(has X or has Y, " * 95 + "has Z" + ")" * 95 + "]",
    ],
    ids=["without", "either", "not", "parentheses"],
)
def test_deep_nesting_is_laid_out(clause: str) -> None:
    assert format_text(f"fict 1 filter f {{ match {{ {clause} }} }}").text is not None
