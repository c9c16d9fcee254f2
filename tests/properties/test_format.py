"""Formatting a file, however it is laid out and wherever its comments stand, changes nothing but its layout."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from fictdsl.syntax.grammar import comments
from fictdsl.syntax.nodes import File
from fictdsl.syntax.printer import format_text, print_file
from tests.support.layouts import scattered, with_metadata
from tests.support.reading import parsed
from tests.support.strategies.filters import make_project
from tests.support.strategies.rng import Rng, strategy


def written(rng: Rng) -> tuple[File, str]:
    """A file, and a text of it in no particular layout."""
    file = with_metadata(rng, make_project(rng))
    return file, scattered(rng, print_file(file), comments=rng.pick([0, 2, 5, 20]))


def check(file: File, text: str) -> None:
    """The formatter checks the same at run time; this does not trust it."""
    assert parsed(text) == file, "the text is not laid out rightly"
    formatted = format_text(text).text
    assert formatted is not None
    assert parsed(formatted) == file
    assert format_text(formatted).text == formatted
    assert comment_texts(formatted) == comment_texts(text)
    if not comment_texts(text) and not re.search(r"\n\s*\n", text):
        assert formatted.replace("\r\n", "\n") == print_file(file)


def comment_texts(text: str) -> list[str]:
    return [comment.text for comment in comments(text)]


@given(strategy(written))
def test_formatting_changes_only_the_layout(drawn: tuple[File, str]) -> None:
    check(*drawn)


@pytest.mark.slow
def test_formatting_changes_only_the_layout_of_2_000_files() -> None:
    for seed in range(2_000):
        check(*written(Rng.seeded(seed)))
