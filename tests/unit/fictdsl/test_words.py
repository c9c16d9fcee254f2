"""Words by what is beside them: plurals, enumerations, and the article by the sound that follows."""

from __future__ import annotations

import pytest

from fictdsl.words import article, counted, listed

AN = """old ugly artist hour hourly honest honor honour honorary heir heiress unimportant unintended uninformed
unidentified unironed unissued utter utmost umbrella uncle usher urge urban onerous only"""
A = """cat university useful user usual usually usage union unit unique unanimous unison unidirectional european euro
ewe one once oneself uranium urine utility utensil ubiquitous ukulele house hotel year"""


@pytest.mark.parametrize(("words", "expected"), [(AN, "an"), (A, "a")], ids=["an", "a"])
def test_articles(words: str, expected: str) -> None:
    assert [word for word in words.split() if article(word) != expected] == []


def test_the_article_of_a_tag() -> None:
    assert [article(tag) for tag in ("ADJ", "INTJ", "X", "NOUN", "SYM", "UPOS")] == ["an", "an", "an", "a", "a", "a"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((0, "word"), "0 words"),
        ((1, "word"), "1 word"),
        ((2_000, "word"), "2,000 words"),
        ((1, "fix", "fixes"), "1 fix"),
        ((2, "fix", "fixes"), "2 fixes"),
    ],
)
def test_counted(arguments: tuple[int, str], expected: str) -> None:
    assert counted(*arguments) == expected


def test_listed() -> None:
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed([]) == ""
