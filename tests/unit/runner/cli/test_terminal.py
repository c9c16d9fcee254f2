"""Nothing of a corpus reaches a terminal that the terminal would act on."""

from __future__ import annotations

import pytest

from runner.cli.terminal import safe


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
