"""Nothing of a corpus reaches a terminal that the terminal would act on; how wide it is there."""

from __future__ import annotations

import pytest

from fictdsl.terminal_text import cut, display_width, safe


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain text, né 日本 🙂", "plain text, né 日本 🙂"),
        ("\x1b]0;title\x07x\x1b[31m", "]0;titlex[31m"),
        ("a\tb\nc\u2028d", "a b c d"),
        ("\u202eabc\u2066", "abc"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("[red]not markup[/red]", "[red]not markup[/red]"),
        ("\x9b31m", "31m"),
    ],
)
def test_safe(text: str, expected: str) -> None:
    assert safe(text) == expected


@pytest.mark.parametrize(
    ("text", "room", "expected"),
    [
        ("word", 4, "word"),
        ("word", 3, "wo…"),
        ("日本語", 4, "日…"),
        ("word", 1, "…"),
        ("word", 0, ""),
        ("e\u0301te", 2, "e\u0301…"),
    ],
)
def test_cut(text: str, room: int, expected: str) -> None:
    assert cut(text, room) == expected
    assert display_width(cut(text, room)) <= room
