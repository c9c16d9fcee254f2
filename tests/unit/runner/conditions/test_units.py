"""What actions take becomes words, subtrees and spans, each word in one of them."""

import numpy as np

from fictdsl.compiler import compile_text
from runner.conditions.edits import Unit, Words, taken_units
from runner.corpus.actions import ActionTargets
from runner.corpus.surface import REMOVE, Replace
from tests.support.plain_conllu import tree_intervals

HEADS = [2, 5, 2, 3, 0, 5]  # 2 has 1, 3 and 4 under it; 5 is the root


def of(actions, *taken, first=range(6)):
    compiled = compile_text(f"fict 1\nfilter f {{ match {{ A:NOUN -> B:NOUN }} {actions} }}").filters
    pre, last, _ = tree_intervals(HEADS)
    words = Words(np.array([0, 6]), np.array(HEADS), np.array(pre), np.array(last), np.array(first))
    return taken_units(words, compiled, 0, [ActionTargets(0, place, 1, ids) for place, ids in enumerate(taken)])


def test_nodes_are_words():
    assert of("mask node(A)", (1, 5)) == [Unit("node", 1, Replace("<mask>"), False)] * 2


def test_nested_subtrees_are_one_and_others_apart():
    assert of("remove subtree(A)", (1, 2, 3, 4, 6)) == [
        Unit("subtree", 4, REMOVE, False),
        Unit("subtree", 1, REMOVE, False),
    ]


def test_a_span_is_an_unbroken_run():
    assert [unit.size for unit in of("mask span(A, B)", (1, 2, 4, 5, 6))] == [2, 3]


def test_a_word_that_is_removed_is_not_masked_as_well():
    assert of("mask node(A) remove node(B)", (1, 2), (2,)) == [
        Unit("node", 1, REMOVE, False),
        Unit("node", 1, Replace("<mask>"), False),
    ]


def test_a_multiword_token_is_taken_as_a_whole_once():
    first = [0, 0, 2, 3, 3, 5]  # 1-2 and 4-5 are one token each
    whole = Unit("node", 2, REMOVE, False)
    assert of("remove node(A)", (2, 4, 5, 6), first=first) == [whole, whole, Unit("node", 1, REMOVE, False)]
    assert [unit.size for unit in of("remove subtree(A)", (3, 4), first=first)] == [3]
    assert [unit.size for unit in of("mask span(A, B)", (2, 3, 6), first=first)] == [3, 1]
    assert of("mask node(A) remove node(B)", (1,), (2,), first=first) == [whole]


def test_the_whole_sentence_is_told_apart():
    assert of("mask subtree(A)", (1, 2, 3, 4, 5, 6)) == [Unit("subtree", 6, Replace("<mask>"), True)]


def test_what_is_counted_is_not_taken():
    assert of("count node(A)", ()) == []
