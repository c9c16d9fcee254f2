"""One line of a sentence, cut around its bound words."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fictdsl.draw.terminal import context, plain_text, width
from fictdsl.draw.tree import Token, Tree, Word

DOGS = [
    Word(n, form, "X", 0, "dep", True)
    for n, form in enumerate(["the", "big", "dogs", "bark", "at", "\x1b[31mus", "now"], 1)
]


def test_a_whole_line() -> None:
    line = context(Tree(DOGS, {3: "S", 4: "V"}))
    assert plain_text([line]) == "the big dogs/S bark/V at [31mus now"
    assert [piece.text for piece in line if piece.style == "bound"] == ["dogs/S", "bark/V"]


@pytest.mark.parametrize(
    ("labels", "room", "expected"),
    [
        ({4: "V"}, 20, "… dogs bark/V at …"),
        ({3: "S", 5: "P"}, 26, "… big dogs/S bark at/P …"),
        ({1: "D", 7: "A"}, 20, "the/D big … now/A"),
        ({1: "D", 7: "A"}, 5, "the/D … now/A"),
        ({}, 12, "the big …"),
        ({4: "V"}, None, "the big dogs bark/V at [31mus now"),
    ],
)
def test_a_line_that_is_cut(labels: dict[int, str], room: int | None, expected: str) -> None:
    assert plain_text([context(Tree(DOGS, labels), room)]) == expected


def test_a_name_is_kept_apart_from_the_letters_after_it() -> None:
    words = [Word(n, form, "X", 0, "dep", False) for n, form in enumerate(["7", "am", "?"], 1)]
    assert plain_text([context(Tree(words, {1: "S"}))]) == "7/S·am?"
    assert plain_text([context(Tree(words, {2: "S"}))]) == "7am/S?"


IM = Token("im", 2, 3)
PARK = [
    Word(1, "oft", "ADV", 0, "root", True),
    Word(2, "in", "ADP", 4, "case", False, IM),
    Word(3, "dem", "DET", 4, "det", True, IM),
    Word(4, "Park", "NOUN", 1, "obl", False),
    Word(5, ".", "PUNCT", 1, "punct", False),
]


@pytest.mark.parametrize(
    ("labels", "room", "expected"),
    [
        ({}, None, "oft im Park."),
        ({4: "N"}, None, "oft im Park/N."),
        ({2: "P"}, None, "oft in/P·dem Park."),
        ({3: "D"}, None, "oft in·dem/D Park."),
        ({2: "P", 3: "D"}, None, "oft in/P·dem/D Park."),
        ({4: "N"}, 12, "… Park/N."),
        ({4: "N"}, 13, "… im Park/N."),
        ({1: "A"}, 12, "oft/A im …"),
    ],
)
def test_a_contraction_is_one_token_unless_a_word_of_it_is_bound(
    labels: dict[int, str], room: int | None, expected: str
) -> None:
    assert plain_text([context(Tree(PARK, labels), room)]) == expected


@example(["a", "a"], set(), 1, False)
@given(
    st.lists(st.text("ab日", min_size=1, max_size=5), min_size=1, max_size=12),
    st.sets(st.integers(1, 12), max_size=3),
    st.integers(1, 60),
    st.booleans(),
)
def test_a_line_fits_or_has_nothing_but_bound_words(forms: list[str], bound: set[int], room: int, space: bool) -> None:
    words = [Word(n, form, "X", 0, "dep", space) for n, form in enumerate(forms, 1)]
    tree = Tree(words, dict.fromkeys((n for n in bound if n <= len(forms)), "A"))
    line = context(tree, room)
    assert sum(piece.style == "bound" for piece in line) == len(tree.labels)
    if width(line) > room:
        assert sum(piece.style == "plain" and bool(piece.text.strip()) for piece in line) <= (not tree.labels)


def test_no_words() -> None:
    assert context(Tree([]), 10) == ()
