"""Trees and sentences as text: lines, columns, and the words that fit."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from fictdsl.draw.svg import ems, right_to_left
from fictdsl.draw.terminal import context, plain_text, tree_lines, width
from fictdsl.draw.tree import Token, Tree, Word

FROM_THE_AP = [
    Word(1, "From", "ADP", 3, "case", True),
    Word(2, "the", "DET", 3, "det", True),
    Word(3, "AP", "PROPN", 4, "obl", True),
    Word(4, "comes", "VERB", 0, "root", True),
    Word(5, "this", "DET", 6, "det", True),
    Word(6, "story", "NOUN", 4, "nsubj", True),
    Word(7, ":", "PUNCT", 4, "punct", True),
]


def with_heads(heads: Sequence[int]) -> Tree:
    return Tree([Word(number, f"w{number}", "X", head, "dep", True) for number, head in enumerate(heads, 1)])


def test_a_tree() -> None:
    drawn = plain_text(tree_lines(Tree(FROM_THE_AP, {3: "S", 4: "V"})))
    assert drawn.splitlines() == [
        "    ╭─── From  ADP    case",
        "    ├─── the   DET    det",
        "  ╭─┴─ AP/S    PROPN  obl",
        "──┼─ comes/V   VERB   root",
        "  │ ╭─── this  DET    det",
        "  ├─┴─ story   NOUN   nsubj",
        "  ╰─── :       PUNCT  punct",
    ]


def test_bound_words_stand_out_and_the_rest_stands_back() -> None:
    lines = tree_lines(Tree(FROM_THE_AP, {3: "S"}))
    assert [line[1].style for line in lines] == ["plain", "plain", "bound", "plain", "plain", "plain", "plain"]
    assert all((line[0].style, line[2].style) == ("faint", "faint") for line in lines)


def test_a_line_runs_behind_what_crosses_it() -> None:
    assert plain_text(tree_lines(with_heads([2, 0, 2, 1]))).splitlines() == [
        "  ╭─┬─ w1    X  dep",
        "──┼─│─ w2    X  dep",
        "  ╰─│─── w3  X  dep",
        "    ╰─── w4  X  dep",
    ]


def test_narrow_columns_cut_the_form_and_keep_the_name() -> None:
    tree = Tree([Word(1, "internationalisation", "NOUN", 0, "root", True)], {1: "N"})
    assert plain_text(tree_lines(tree, 24)) == "──── internationalisa…/N"
    assert plain_text(tree_lines(tree, 10)) == "──── inter…/N"


def test_wide_characters_take_two_columns() -> None:
    words = [Word(1, "日本", "PROPN", 2, "nsubj", False), Word(2, "e\u0301te\x1b[31m", "VERB", 0, "root", False)]
    assert plain_text(tree_lines(Tree(words))).splitlines() == [
        "  ╭─── 日本   PROPN  nsubj",
        "──┴─ e\u0301te[31m  VERB   root",
    ]


@given(st.lists(st.integers(0, 12), min_size=1, max_size=12), st.integers(20, 60))
def test_every_word_has_its_line_and_every_line_fits(heads: list[int], width: int) -> None:
    tree = with_heads(heads)
    lines = tree_lines(tree, width)
    assert [line[1].text for line in lines] == [word.form for word in tree.words]
    assert all(cell_len("".join(piece.text for piece in line)) <= max(width, 2 * len(heads) + 16) for line in lines)


@given(st.lists(st.integers(0, 12), min_size=1, max_size=12))
def test_the_tree_can_be_read_off_its_drawing(heads: list[int]) -> None:
    """From the corner of each word along the vertical line to the one word whose line it is."""
    tree = with_heads(heads)
    drawn = [line[0].text for line in tree_lines(tree)]
    assert [_head(drawn, row) for row in range(len(drawn))] == tree.heads()


def _head(drawn: Sequence[str], row: int) -> int:
    text = drawn[row]
    begin = next(at for at in range(len(text)) if text[at] in "╭╰├" and _leads(text, at)) if text[0] == " " else None
    if begin is None:
        return 0
    owners = []
    for step in (-1, 1):
        at = row
        while (step > 0 or text[begin] != "╭") and (step < 0 or text[begin] != "╰"):
            at += step
            if drawn[at][begin] in "┴┬┼":
                owners.append(at + 1)
            if drawn[at][begin] not in "│├":
                break
    assert len(owners) == 1
    return owners[0]


def _leads(text: str, at: int) -> bool:
    """Whether from here a line runs to the word, over nothing but lines that cross."""
    return all(char in "─│┴┬┼ " for char in text[at + 1 :])


@pytest.mark.parametrize("width", [None, 40])
def test_nothing_is_drawn_of_nothing(width: int | None) -> None:
    assert tree_lines(Tree([]), width) == []


def test_of_a_very_long_sentence_the_words_around_the_bound_ones_are_drawn() -> None:
    words = [Word(n, f"w{n}", "X", n - 1, "dep", True) for n in range(1, 1_001)]
    lines = [line.split() for line in plain_text(tree_lines(Tree(words, {600: "A"}))).splitlines()]
    assert lines[0] == lines[-1] == ["…"]
    assert lines[1][1:] == ["w400", "X", "dep", "of", "399", "w399"]
    assert len(lines) == 402
    assert any("w600/A" in line for line in lines)


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


def test_widths_in_type() -> None:
    assert ems("il") < ems("no") < ems("WM") < ems("日本語")
    assert ems("e\u0301") == ems("e")


@pytest.mark.parametrize(("text", "expected"), [("שלום abc", True), ("مرحبا", True), ("abc של", False), ("123", False)])
def test_direction(text: str, expected: bool) -> None:
    assert right_to_left(text) is expected
