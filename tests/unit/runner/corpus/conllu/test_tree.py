"""Intervals say who dominates whom, in any tree."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from runner.corpus.conllu_columns import find_cycle, tree_intervals
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
    loop = find_cycle(heads)
    assert (tree_intervals(heads) is not None) == (heads.count(0) == 1 and not loop)
    if loop:
        assert [heads[word - 1] for word in loop] == [*loop[1:], loop[0]]


def test_children_are_visited_from_the_left() -> None:
    assert tree_intervals([3, 1, 0, 3]) == ([2, 3, 1, 4], [3, 3, 4, 4], [2, 3, 1, 2])
