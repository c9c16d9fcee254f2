"""The nearest name."""

from __future__ import annotations

import pytest

from fictdsl.diagnostics.suggest import did_you_mean, distance, nearest, suggested_name

KEYWORDS = ("use", "list", "pattern", "filter", "without", "either", "or", "remove")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("remvoe", "remove"),
        ("filtr", "filter"),
        ("FILTER", "filter"),
        ("lits", "list"),
        ("patern", "pattern"),
        ("witout", "without"),
        ("delete", None),
        ("xyz", None),
        ("", None),
        ("ro", None),
        ("filter" * 30, None),
    ],
)
def test_nearest(word: str, meant: str | None) -> None:
    assert nearest(word, KEYWORDS) == meant


def test_ties_go_to_the_first_and_the_word_itself_is_no_candidate() -> None:
    assert nearest("cat", ("car", "cut")) == "car"
    assert nearest("list", KEYWORDS) is None


def test_hint() -> None:
    assert did_you_mean("nsub", ["obj", "nsubj"]) == "the nearest name is `nsubj`"
    assert did_you_mean("zzzz", ["obj"]) is None


def test_the_name_in_a_hint():
    assert suggested_name(did_you_mean("nsub", ["obj", "nsubj"])) == "nsubj"
    assert suggested_name("UD calls it `obj`") == "obj"
    assert suggested_name("UD calls it `obl` or `nmod`") is None
    assert suggested_name("") is None


@pytest.mark.parametrize(
    ("a", "b", "slips"), [("", "", 0), ("a", "", 1), ("ab", "ba", 1), ("abc", "ca", 3), ("kitten", "sitting", 3)]
)
def test_distance(a: str, b: str, slips: int) -> None:
    assert distance(a, b) == distance(b, a) == slips
