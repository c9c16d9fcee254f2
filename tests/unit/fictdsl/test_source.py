"""Offsets to lines and columns."""

from __future__ import annotations

from fictdsl.source import Source, Span


def test_positions_count_from_one_in_code_points() -> None:
    source = Source.of("ab\n漢c\n\nd")
    assert [source.position(offset) for offset in range(len(source.text) + 1)] == [
        (1, 1),
        (1, 2),
        (1, 3),
        (2, 1),
        (2, 2),
        (2, 3),
        (3, 1),
        (4, 1),
        (4, 2),
    ]


def test_lines_have_no_line_ends() -> None:
    source = Source.of("ab\r\ncd\n")
    assert [source.line(number) for number in (1, 2, 3)] == ["ab", "cd", ""]


def test_text_is_normalised_before_offsets_are_counted() -> None:
    source = Source.of("e\u0301x")
    assert source.text == "\u00e9x"
    assert source.position(1) == (1, 2)


def test_spans_join() -> None:
    assert Span(3, 5).to(Span(1, 4)) == Span(1, 5)


def test_the_path_takes_no_part_in_equality() -> None:
    from pathlib import Path

    assert Source.of("x", "n", Path("a")) == Source.of("x", "n", Path("b"))
