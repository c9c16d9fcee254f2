"""One line of a sentence, cut around its bound words."""

from __future__ import annotations

import pytest

from fictdsl.draw.context import context, window
from fictdsl.draw.pieces import plain, width
from fictdsl.draw.tree import Tree, Word

DOGS = [
    Word(n, form, "X", 0, "dep", True)
    for n, form in enumerate(["the", "big", "dogs", "bark", "at", "\x1b[31mus", "now"], 1)
]


def test_a_whole_line() -> None:
    line = context(Tree(DOGS, {3: "S", 4: "V"}))
    assert plain([line]) == "the big dogs/S bark/V at [31mus now"
    assert [piece.text for piece in line if piece.style == "bound"] == ["dogs/S", "bark/V"]


def test_a_line_that_is_cut() -> None:
    line = context(Tree(DOGS, {4: "V"}), 19)
    assert plain([line]) == "… dogs bark/V at …"
    assert width(line) <= 19


@pytest.mark.parametrize(
    ("bound", "room", "expected"),
    [
        ([1], None, (0, 10)),
        ([1], 100, (0, 10)),
        ([5], 9, (4, 5)),
        ([5], 14, (3, 5)),
        ([5], 19, (3, 6)),
        ([1], 19, (0, 3)),
        ([2, 8], 9, (1, 8)),
    ],
)
def test_the_window_holds_all_bound_words(bound: list[int], room: int | None, expected: tuple[int, int]) -> None:
    assert window([5] * 10, bound, room) == expected
