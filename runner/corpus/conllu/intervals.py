"""Compute the depth-first intervals of many sentences at once."""

from __future__ import annotations

import numpy as np

from runner.corpus.files.byte_strings import Flags, Ints

_MAX_ROUNDS = 14  # 2 ** 14 exceeds the depth of a sentence of 10,000 words, which is the limit


def forest_intervals(heads: Ints, lengths: Ints) -> tuple[Flags, tuple[Ints, Ints, Ints]]:
    """Return a mask of the sentences that are not trees, and `pre`, `last` and `depth` of each word if all are trees.

    `heads` are the heads of all words, each from 0 to the length of its sentence.
    `runner.corpus.conllu.tree.tree_intervals` defines the intervals.
    """
    word_count, sentence_count = len(heads), len(lengths)
    sentence = np.repeat(np.arange(sentence_count), lengths)
    sentence_starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    roots = heads == 0
    parent = np.where(roots, word_count, sentence_starts + heads - 1)
    invalid = np.bincount(sentence[roots], minlength=sentence_count) != 1
    depth, in_cycle = _depths(parent)
    invalid[sentence[in_cycle]] = True
    if invalid.any():
        return invalid, (depth, depth, depth)
    order = np.argsort(depth.astype(np.int16), kind="stable")
    levels = np.split(order, np.cumsum(np.bincount(depth)[1:])[:-1]) if word_count else []
    subtree_sizes = np.ones(word_count, np.int64)
    for level in reversed(levels[1:]):
        np.add.at(subtree_sizes, parent[level], subtree_sizes[level])
    steps = _steps(parent, subtree_sizes)
    pre = np.ones(word_count, np.int64)
    for level in levels[1:]:
        pre[level] = pre[parent[level]] + steps[level]
    return invalid, (pre, pre + subtree_sizes - 1, depth)


def _depths(parent: Ints) -> tuple[Ints, Flags]:
    """Return the depth of each word, and a mask of the words on or below a cycle.

    The root has depth 1. Pointer doubling takes a logarithmic number of rounds.
    """
    word_count = len(parent)
    ancestor = np.append(parent, word_count)
    depth = np.ones(word_count + 1, np.int64)
    depth[word_count] = 0
    for _ in range(_MAX_ROUNDS):
        if (ancestor == word_count).all():
            break
        depth += depth[ancestor]
        ancestor = ancestor[ancestor]
    return depth[:-1], ancestor[:-1] != word_count


def _steps(parent: Ints, subtree_sizes: Ints) -> Ints:
    """Return the distance in depth-first order from the head of each word to the word.

    It is 1 plus the sizes of the subtrees of the word's siblings to the left.
    """
    order = np.argsort(parent, kind="stable")
    sizes_before = np.cumsum(subtree_sizes[order]) - subtree_sizes[order]
    sorted_parents = parent[order]
    is_first_sibling = np.empty(len(order), bool)
    is_first_sibling[:1], is_first_sibling[1:] = True, sorted_parents[1:] != sorted_parents[:-1]
    steps = np.empty(len(order), np.int64)
    steps[order] = 1 + sizes_before - np.maximum.accumulate(np.where(is_first_sibling, sizes_before, 0))
    return steps
