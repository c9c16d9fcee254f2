"""Where lines break, and that a comment swallows nothing, whatever a document is made of."""

from __future__ import annotations

import pytest

from fictdsl.syntax.document import FILL, WIDTH, Break, Doc, Group, Indent, Line, Note, Rows, join, render


def words(number: int, line: Doc, word: str = "word") -> Doc:
    parts: list[Doc] = [word]
    for _ in range(number - 1):
        parts += [line, word]
    return join(*parts)


def test_a_group_breaks_all_its_lines_or_none() -> None:
    assert render(Group(words(20, Line()))) == " ".join(["word"] * 20)
    assert len(render(Group(words(20, Line()))).split("\n")) == 1
    assert render(Group(words(21, Line()))).split("\n") == ["word"] * 21


def test_what_follows_a_group_must_fit_too() -> None:
    group = Group(join("{", Line(""), "x" * (WIDTH - 2), Line(""), "}"))
    assert render(group) == "{" + "x" * (WIDTH - 2) + "}"
    assert render(join(group, ",")).split("\n") == ["{", "x" * (WIDTH - 2), "},"]


def test_filled_lines_break_where_they_must() -> None:
    lines = render(words(50, FILL)).split("\n")
    assert [len(line) for line in lines] == [99, 99, 49]


def test_lines_are_indented_and_empty_lines_are_single_and_bare() -> None:
    inner = Indent(join(Break(), "b", Break(blank=True), Break(blank=True), "c"))
    assert render(join("a", inner, Break(), "d")) == "a\n  b\n\n  c\nd"


def test_rows_stand_below_each_other_if_each_fits() -> None:
    rows = ("a" * 90, "b")
    assert render(Rows(rows, "tight", "loose")) == "tight"
    assert render(Indent(join(Break(), Rows(rows, "tight", "loose")), by=10)).strip() == "tight"
    assert render(Indent(join(Break(), Rows(rows, "tight", "loose")), by=11)).strip() == "loose"


def test_rows_after_the_first_are_indented() -> None:
    rows = ("b", "a" * 90)
    assert render(Indent(join(Break(), Rows(rows, "tight", "loose")), by=6)).strip() == "tight"
    assert render(Indent(join(Break(), Rows(rows, "tight", "loose")), by=7)).strip() == "loose"


def test_rows_with_a_forced_break_are_loose() -> None:
    assert render(Rows((join("a", Break()),), "tight", "loose")) == "loose"


@pytest.mark.parametrize(
    ("doc", "text"),
    [
        (join("a", Note("# x"), Line(), "b"), "a  # x\nb"),
        (Group(join("a", Note("# x"), Line(), "b")), "a  # x\nb"),
        (Group(join("(", Indent(join(Line(""), "a", Note("# x"))), Line(""), ")")), "(\n  a  # x\n)"),
        (join("a", Note("# x"), ","), "a,  # x"),
        (join("a", Group(join("b", Note("# x"))), Break(), "c"), "ab  # x\nc"),
        (join(Note("# x"), Break(), "a"), "# x\na"),
        (join("a", Note("# x"), "b", Note("# y")), "ab  # x\n# y"),
        (join("a", Note("# " + "x" * 200)), "a  # " + "x" * 200),
        (Group(join("a", Line(), "b", Note("# " + "x" * 200))), "a b  # " + "x" * 200),
    ],
)
def test_comments_end_lines(doc: Doc, text: str) -> None:
    assert render(doc) == text
