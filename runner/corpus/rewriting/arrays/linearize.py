"""Reorder the dependents of every head of many trees, as `runner.corpus.rewriting.linearize` does for one tree."""

from __future__ import annotations

import numpy as np

from runner.corpus.files.byte_strings import Flags, Ints
from runner.corpus.rewriting.arrays.words import Words


def linearized(words: Words, order: Ints, descending: Flags, *, head_final: bool) -> Ints:
    """Return the new order of all words, sentence by sentence, given the current order.

    `descending` is a mask of the heads whose longest dependents come first.
    """
    position = _inverse(order)
    slot = _slots(words, position, descending)
    head_slot = 2 * position
    if head_final:
        dependents = np.flatnonzero(_movable(words))
        last_slot = np.full(len(order), -1)
        np.maximum.at(last_slot, words.parent[dependents], slot[dependents])
        head_slot = np.where(last_slot < 0, head_slot, last_slot + 1)
    offset, head_offset = _offsets(words, slot, head_slot)
    start = words.first[words.sentence] + offset
    for level in _levels(words.depth)[1:]:
        start[level] = start[words.parent[level]] + offset[level]
    return _inverse(start + head_offset)


def _inverse(order: Ints) -> Ints:
    positions = np.empty(len(order), np.int64)
    positions[order] = np.arange(len(order))
    return positions


def _movable(words: Words) -> Flags:
    return ~words.punct & (words.parent >= 0)


def _slots(words: Words, position: Ints, descending: Flags) -> Ints:
    """Return the sort key of each word among its siblings: twice the position of the sibling that it replaces."""
    movable = np.flatnonzero(_movable(words))
    parent, weight = words.parent[movable], _weights(words)[movable]
    weight = np.where(descending[parent], -weight, weight)
    by_position = np.argsort(parent * len(position) + position[movable])
    by_weight = by_position[
        np.lexsort((weight[by_position], parent[by_position]))
    ]  # words of equal weight keep their order
    slot = 2 * position
    slot[movable[by_weight]] = 2 * position[movable[by_position]]
    return slot


def _weights(words: Words) -> Ints:
    """Return the number of words with a letter or digit in the subtree of each word."""
    has_letter_or_digit = np.empty(len(words.sentence) + 1, np.int64)
    start = words.first[words.sentence] + words.pre
    has_letter_or_digit[0] = 0
    has_letter_or_digit[start + 1] = words.form.where(lambda form: any(map(str.isalnum, form)))
    cumulative_counts = np.cumsum(has_letter_or_digit)
    weights: Ints = cumulative_counts[start + words.size] - cumulative_counts[start]
    return weights


def _offsets(words: Words, slot: Ints, head_slot: Ints) -> tuple[Ints, Ints]:
    """Return the offsets of each word's subtree and of the word itself in the blocks that contain them.

    A subtree is in the block of the head's subtree, and a word in the block of its own subtree.
    """
    count = len(slot)
    dependents = np.flatnonzero(words.parent >= 0)
    heads = np.flatnonzero(words.size > 1)
    block = np.concatenate([words.parent[dependents], heads])
    key = block * (2 * count + 1) + np.concatenate([slot[dependents], head_slot[heads]])
    widths = np.concatenate([words.size[dependents], np.ones(len(heads), np.int64)])
    order = np.argsort(key)
    offsets = np.cumsum(widths[order]) - widths[order]
    is_block_start = np.append(True, np.diff(block[order]) != 0)[: len(order)]
    offsets -= np.maximum.accumulate(np.where(is_block_start, offsets, 0))
    unsorted_offsets = np.empty(len(order), np.int64)
    unsorted_offsets[order] = offsets
    offset, head_offset = np.zeros(count, np.int64), np.zeros(count, np.int64)
    offset[dependents] = unsorted_offsets[: len(dependents)]
    head_offset[heads] = unsorted_offsets[len(dependents) :]
    return offset, head_offset


def _levels(depth: Ints) -> list[Ints]:
    """Return the words of each depth, from the roots down."""
    order = np.argsort(depth.astype(np.int16), kind="stable")
    return np.split(order, np.cumsum(np.bincount(depth)[1:])[:-1])
