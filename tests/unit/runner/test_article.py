"""The article by the sound that follows, where the spelling says otherwise too."""

import pytest

from runner.article import article

AN = """old ugly artist hour hourly honest honor honour honorary heir heiress unimportant unintended uninformed
unidentified unironed unissued utter utmost umbrella uncle usher urge urban onerous only"""
A = """cat university useful user usual usually usage union unit unique unanimous unison unidirectional european euro
ewe one once oneself uranium urine utility utensil ubiquitous ukulele house hotel year"""


@pytest.mark.parametrize(("words", "expected"), [(AN, "an"), (A, "a")], ids=["an", "a"])
def test_articles(words: str, expected: str) -> None:
    assert [word for word in words.split() if article(word) != expected] == []
