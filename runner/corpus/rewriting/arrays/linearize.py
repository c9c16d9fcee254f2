"""Put the dependents of every head of many trees in order, as `runner.corpus.rewriting.linearize` does for one."""

from __future__ import annotations

import numpy as np

from runner.corpus.files.byte_strings import Flags, Ints
from runner.corpus.rewriting.arrays.words import Words


def linearized(words: Words, order: Ints, descending: Flags, *, head_final: bool) -> Ints:
    """Return the new order of all words, given the current one and a mask of the heads whose longest come first.

    `order` has the words of each sentence in turn.
    """
    place = _inverse(order)
    slot = _slots(words, place, descending)
    head_slot = 2 * place
    if head_final:
        dependents = np.flatnonzero(_movable(words))
        last = np.full(len(order), -1)
        np.maximum.at(last, words.parent[dependents], slot[dependents])
        head_slot = np.where(last < 0, head_slot, last + 1)
    offset, head_offset = _offsets(words, slot, head_slot)
    start = words.first[words.sentence] + offset
    for level in _levels(words.depth)[1:]:
        start[level] = start[words.parent[level]] + offset[level]
    return _inverse(start + head_offset)


def _inverse(order: Ints) -> Ints:
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return places


def _movable(words: Words) -> Flags:
    return ~words.punct & (words.parent >= 0)


def _slots(words: Words, place: Ints, descending: Flags) -> Ints:
    """Return where each word stands among its sisters: twice the place of the sister whose place it takes."""
    movable = np.flatnonzero(_movable(words))
    parent, weight = words.parent[movable], _weights(words)[movable]
    weight = np.where(descending[parent], -weight, weight)
    by_place = np.argsort(parent * len(place) + place[movable])
    by_weight = by_place[np.lexsort((weight[by_place], parent[by_place]))]  # stable: ties as they stand
    slot = 2 * place
    slot[movable[by_weight]] = 2 * place[movable[by_place]]
    return slot


def _weights(words: Words) -> Ints:
    """Return the number of words with a letter or digit in the subtree of each word."""
    counted = np.empty(len(words.sentence) + 1, np.int64)
    start = words.first[words.sentence] + words.pre
    counted[0] = 0
    counted[start + 1] = words.form.where(lambda form: any(map(str.isalnum, form)))
    until = np.cumsum(counted)
    weights: Ints = until[start + words.size] - until[start]
    return weights


def _offsets(words: Words, slot: Ints, head_slot: Ints) -> tuple[Ints, Ints]:
    """Return the distance of each word's subtree, and of the word itself, from the beginning of their blocks.

    The block of a subtree begins in that of the head's subtree, the word itself in that of its own subtree.
    """
    count = len(slot)
    dependents = np.flatnonzero(words.parent >= 0)
    heads = np.flatnonzero(words.size > 1)
    block = np.concatenate([words.parent[dependents], heads])
    key = block * (2 * count + 1) + np.concatenate([slot[dependents], head_slot[heads]])
    width = np.concatenate([words.size[dependents], np.ones(len(heads), np.int64)])
    order = np.argsort(key)
    before = np.cumsum(width[order]) - width[order]
    begins = np.append(True, np.diff(block[order]) != 0)[: len(order)]
    before -= np.maximum.accumulate(np.where(begins, before, 0))
    distance = np.empty(len(order), np.int64)
    distance[order] = before
    offset, head_offset = np.zeros(count, np.int64), np.zeros(count, np.int64)
    offset[dependents], head_offset[heads] = distance[: len(dependents)], distance[len(dependents) :]
    return offset, head_offset


def _levels(depth: Ints) -> list[Ints]:
    """Return the words of each depth."""
    order = np.argsort(depth.astype(np.int16), kind="stable")
    return np.split(order, np.cumsum(np.bincount(depth)[1:])[:-1])
