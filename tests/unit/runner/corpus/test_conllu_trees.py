"""Intervals say who dominates whom, in any tree."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from runner.corpus.conllu_reader import Block, block_errors
from tests.support.plain_conllu import tree_intervals
from tests.support.strategies.sentences import sentences


def above(heads: list[int], word: int) -> list[int]:
    """The words above a word, from its head upwards."""
    found = []
    while heads[word - 1]:
        word = heads[word - 1]
        found.append(word)
    return found


@given(sentences(longest=12))
def test_intervals_are_dominance(sentence: object) -> None:
    heads = [word.head for word in sentence.words]  # type: ignore[attr-defined]
    shape = tree_intervals(heads)
    assert shape is not None
    pre, last, depth = ((0, *values) for values in shape)
    words = range(1, len(heads) + 1)
    assert sorted(pre[1:]) == list(words)
    for a in words:
        assert depth[a] == len(above(heads, a)) + 1
        for b in words:
            assert (pre[a] < pre[b] <= last[a]) == (a in above(heads, b))


@given(st.lists(st.integers(0, 8), min_size=1, max_size=8))
def test_only_trees_have_intervals(heads: list[int]) -> None:
    heads = [min(head, len(heads)) for head in heads]
    rows = (f"{word}\tw\t_\t_\t_\t_\t{head}\tdep\t_\t_" for word, head in enumerate(heads, 1))
    errors = block_errors(Block(1, "\n".join(rows).encode(), ended=True, newline=True), "x")
    assert (tree_intervals(heads) is not None) == (not errors)
    for error in errors:
        if error.code == "FICT714":
            loop = [int(word) for word in re.findall("[0-9]+", error.message)]
            assert loop[0] == loop[-1]
            assert [heads[word - 1] for word in loop[:-1]] == loop[1:]


def test_children_are_visited_from_the_left() -> None:
    assert tree_intervals([3, 1, 0, 3]) == ([2, 3, 1, 4], [3, 3, 4, 4], [2, 3, 1, 2])
