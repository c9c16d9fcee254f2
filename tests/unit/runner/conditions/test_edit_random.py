"""Words, subtrees and spans taken by chance: as many, whole, none on another, held by properties on random trees."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.conditions.edit_random import place_units
from runner.conditions.edits import Unit, Words
from runner.conditions.samples import TooFewError
from runner.corpus.surface import REMOVE, Replace
from tests.support.plain_conllu import tree_intervals


@st.composite
def heads(draw):
    """The heads of a tree: every word but the first of a hidden order hangs on one before it."""
    order = draw(st.permutations(range(1, draw(st.integers(1, 7)) + 1)))
    found = {word: order[draw(st.integers(0, place - 1))] if place else 0 for place, word in enumerate(order)}
    return [found[word] for word in sorted(found)]


def forest(trees, first=None):
    walked = [tree_intervals(tree) for tree in trees]
    starts = np.cumsum([0, *map(len, trees)])
    flat = [np.concatenate([np.array(part) for part in column]) for column in zip(*walked, strict=True)]
    first = np.arange(starts[-1]) if first is None else first
    return Words(starts, np.concatenate([np.array(tree) for tree in trees]), flat[0], flat[1], first)


def tokens(data, trees):
    """Where the token of each word begins, in the corpus: about every fourth word is one with the word before."""
    first, place = [], 0
    for tree in trees:
        for number in range(len(tree)):
            joined = number > 0 and data.draw(st.integers(0, 3)) == 0
            first.append(first[-1] if joined else place)
            place += 1
    return np.array(first)


def subtree(tree, word):
    return {w for w in range(1, len(tree) + 1) if word in _up(tree, w)}


def _up(tree, word):
    while word:
        yield word
        word = tree[word - 1]


def whole(ids, first):
    """Words with the others of their tokens."""
    parts = {first[word - 1] for word in ids}
    return {word for word, part in enumerate(first, 1) if part in parts}


TREES = st.lists(heads(), min_size=1, max_size=12)
CHANGES = st.sampled_from([REMOVE, Replace("<mask>")])
KINDS = st.sampled_from(["node", "subtree", "span"])


def wanted(data, trees):
    """Some units that stand in the trees, none on another: one a sentence at most."""
    found, avoid = [], []
    for sid, tree in enumerate(trees):
        if data.draw(st.booleans()):
            kind, word = data.draw(KINDS), data.draw(st.integers(1, len(tree)))
            if kind == "subtree":
                own = subtree(tree, word)
            else:
                own = set(range(word, 1 + (word if kind == "node" else data.draw(st.integers(word, len(tree))))))
            found.append(Unit(kind, len(own), data.draw(CHANGES), len(own) == len(tree)))
            avoid += [(sid, w) for w in own]
    return found, avoid


@given(TREES, st.data(), st.integers(0, 3), st.booleans())
def test_as_many_units_none_on_another_each_what_it_is_called(trees, data, seed, disjoint):
    units, avoid = wanted(data, trees)
    words = forest(trees, tokens(data, trees))
    try:
        placed = place_units(words, units, seed, avoid if disjoint else ())
    except TooFewError:
        return
    assert Counter((p.unit.kind, p.unit.change) for p in placed) == Counter((u.kind, u.change) for u in units)
    taken = [(p.sid, word) for p in placed for word in p.ids]
    assert len(set(taken)) == len(taken)
    assert not disjoint or not set(taken) & set(avoid)
    for p in placed:
        tree, ids = trees[p.sid], set(p.ids)
        first = words.first[words.starts[p.sid] : words.starts[p.sid + 1]].tolist()
        parts = {first[word - 1] for word in ids}
        assert ids == whole(ids, first)
        match p.unit.kind:
            case "node":
                assert len(parts) == 1
            case "subtree":
                assert any(whole(subtree(tree, word), first) == ids for word in ids)
            case "span":
                assert list(p.ids) == list(range(p.ids[0], p.ids[-1] + 1))
    assert placed == place_units(words, units, seed, avoid if disjoint else ())


@given(st.lists(st.integers(1, 5), min_size=1, max_size=5), st.integers(0, 3))
def test_where_the_corpus_has_the_sizes_the_words_are_as_many(sizes, seed):
    chain = [0, 1, 2, 3, 4, 5, 6]  # each word has all that follow under it: one subtree of every size
    words = forest([chain] * 10)
    placed = place_units(words, [Unit("subtree", size, REMOVE, False) for size in sizes], seed)
    assert sorted(len(p.ids) for p in placed) == sorted(sizes)


def test_a_size_that_is_missing_is_made_up_by_the_next():
    flat = [0, 1, 1]  # subtrees of one word, and the whole
    pair = [0, 1, 2, 1]  # a subtree of two
    units = [Unit("subtree", 3, REMOVE, False), Unit("subtree", 1, REMOVE, False)]
    placed = place_units(forest([flat, pair, pair]), units, 1)
    assert sorted(len(p.ids) for p in placed) == [2, 2]


def test_too_few_words_are_told():
    with pytest.raises(TooFewError):
        place_units(forest([[0, 1]]), [Unit("node", 1, REMOVE, False)] * 3, 1)
