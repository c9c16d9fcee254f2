"""CoNLL-U to words, and heads that lead nowhere to roots."""

from __future__ import annotations

import pytest

from fictdsl.draw.tree import Tree, Word, labels, words

BLOCK = """# text = don't stop!
1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tdo\tdo\tAUX\t_\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_
2.1\tyou\tyou\tPRON\t_\t_\t_\t_\t_\t_
3\tstop\tstop\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No\r
4\t!\t!\tPUNCT\t_\t_\t_\t_\t_\tSpaceAfter=No
"""


def test_words_of_a_block() -> None:
    found = words(BLOCK)
    assert [(word.id, word.form, word.head, word.space) for word in found] == [
        (1, "do", 3, False),
        (2, "n't", 3, True),
        (3, "stop", 0, False),
        (4, "!", 0, False),
    ]
    assert Tree(found).text() == "don't stop!"


def test_the_text_has_the_form_of_a_contraction() -> None:
    rows = [
        "1-2\tIm\t_\t_\t_\t_\t_\t_\t_\t_",
        "1\tIn\t_\tADP\t_\t_\t3\tcase\t_\t_",
        "2\tdem\t_\tDET\t_\t_\t3\tdet\t_\t_",
    ]
    found = words("\n".join([*rows, "3\tPark\t_\tNOUN\t_\t_\t0\troot\t_\t_"]))
    assert [word.form for word in found] == ["In", "dem", "Park"]
    assert Tree(found).text() == "Im Park"


@pytest.mark.parametrize(
    ("heads", "expected"),
    [([2, 0, 2], [2, 0, 2]), ([9, -1, 2], [0, 0, 2]), ([2, 3, 1, 1], [0, 3, 1, 1]), ([1], [0]), ([], [])],
)
def test_a_circle_is_cut_open(heads: list[int], expected: list[int]) -> None:
    tree = Tree([Word(number, "x", "X", head, "dep", True) for number, head in enumerate(heads, 1)])
    assert tree.heads() == expected


def test_a_word_with_several_names() -> None:
    assert labels({"A": 2, "B": 1, "C": 2}) == {2: "A,C", 1: "B"}
