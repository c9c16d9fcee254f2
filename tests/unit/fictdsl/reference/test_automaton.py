"""Regexes mean the same as in an engine that is known, and never take more than linear time."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fictdsl.reference.automaton import Automaton
from fictdsl.syntax.regex import Regex, parse_regex
from tests.support.strategies.word_tests import regex_texts


def accepts(pattern: str, text: str, *, ignore_case: bool = False) -> bool:
    parsed = parse_regex(pattern, 0)
    assert isinstance(parsed, Regex)
    return Automaton(parsed, ignore_case=ignore_case).matches(text)


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("dog", "dog", True),
        ("dog", "dogs", False),
        ("dog", "hotdog", False),
        ("dogs?", "dog", True),
        ("(dog|cat)s*", "catsss", True),
        ("", "", True),
        ("", "a", False),
        ("a{2}", "aa", True),
        ("a{2}", "a", False),
        ("a{2,}", "aaaa", True),
        ("a{0,2}", "aaa", False),
        ("a{0}", "", True),
        ("(a*)*", "aaa", True),
        ("[a-c]+", "abcb", True),
        ("[^a-c]", "d", True),
        ("[^a-c]", "b", False),
        ("[a\\-z]", "-", True),
        ("\\d+", "2024", True),
        ("\\d", "٣", False),
        ("\\p{N}", "٣", True),
        ("\\p{L}+", "naïve", True),
        ("\\p{Lu}\\p{Ll}+", "École", True),
        ("\\p{P}", "¿", True),
        (".", "😀", True),
        ("\\.", "x", False),
        ("a\\|b", "a|b", True),
    ],
)
def test_the_whole_value_matches(pattern: str, text: str, expected: bool) -> None:
    assert accepts(pattern, text) is expected


def test_ignoring_case_folds_ascii_letters_only() -> None:
    assert accepts("dog", "DoG", ignore_case=True)
    assert accepts("[a-c]", "B", ignore_case=True)
    assert not accepts("[^a-c]", "B", ignore_case=True)
    assert not accepts("é", "É", ignore_case=True)
    assert not accepts("k", "\u212a", ignore_case=True)  # KELVIN SIGN
    assert not accepts("s", "ſ", ignore_case=True)


def test_a_pattern_that_makes_backtracking_explode_is_quick() -> None:
    start = time.perf_counter()
    assert not accepts("((a+)+)+b", "a" * 3_000)
    assert not accepts("(a|a)*(a?){30}b", "a" * 1_000)
    assert time.perf_counter() - start < 5


@given(regex_texts(), st.lists(st.sampled_from("adegosthTNSé É'_%.1 "), max_size=6).map("".join))
def test_it_agrees_with_another_engine_on_what_both_have(pattern: str, text: str) -> None:
    """Generated patterns are small and never nest deeply, so a backtracking engine may run them."""
    other = pattern
    for name, members in {
        "Lu": "A-ZÉ",
        "Ll": "a-zé",
        "L": "A-Za-zÉé",
        "N": "0-9",
        "P": "!-#%-*,-/:;?@\\[-\\]_{}",
    }.items():
        other = re.sub(rf"\[(\^?)\\p\{{{name}\}}\]", lambda m, s=members: f"[{m[1]}{s}]", other)
        other = other.replace(f"\\p{{{name}}}", f"[{members}]")
    assert accepts(pattern, text) is (
        re.fullmatch(other.replace("\\d", "[0-9]").replace("[[0-9]", "[0-9"), text) is not None
    )
