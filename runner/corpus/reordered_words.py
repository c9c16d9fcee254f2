"""Reorder the words of many sentences at once, as arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from fictdsl.compiler import CompiledRewrite
from fictdsl.schema import Field
from fictdsl.semantics import operations as op
from runner.corpus.byte_columns import DictColumn, Flags, Ints, Piece, Rows, index_lines, mask_of, parse_rows
from runner.corpus.conllu_columns import Notes
from runner.corpus.conllu_validation import TreeStructure, validate
from runner.corpus.rewrite_actions import Chance, permutation
from runner.corpus.sentence_texts import as_bytes, as_conllu_blocks


@dataclass(frozen=True, slots=True)
class Multiword:
    """The multiword tokens of some sentences: the indices of their first and last words, and their forms."""

    first: Ints
    last: Ints
    form: list[str]


@dataclass(frozen=True)
class Words:
    """The words of some sentences in corpus order.

    A word is identified by its index. `sentence`, `parent` (-1 for the root), `pre` (the position in preorder, from 0),
    `size` (of the subtree) and `depth` (1 for the root) have an entry for each word, as have `form`, `lemma`, `upos`
    and `feats`. `space` is a mask of the words with a space after them. Between the words of a multiword token there is
    a space unless their concatenation is the form of the token. `first` and `length` have an entry for each sentence,
    as have `empty_nodes` and `enhanced`, the number of words with enhanced edges.
    """

    sentence: Ints
    parent: Ints
    pre: Ints
    size: Ints
    depth: Ints
    form: DictColumn
    lemma: DictColumn
    upos: DictColumn
    feats: DictColumn
    space: Flags
    first: Ints
    length: Ints
    tokens: Multiword
    empty_nodes: Ints
    enhanced: Ints

    @cached_property
    def punct(self) -> Flags:
        return self.upos.where(lambda tag: tag == "PUNCT")

    @cached_property
    def is_first(self) -> Flags:
        return mask_of(self.first, len(self.sentence))

    @cached_property
    def is_last(self) -> Flags:
        return mask_of(self.first + self.length - 1, len(self.sentence))

    @cached_property
    def padded(self) -> Flags:
        padded = np.zeros(len(self.first), bool)
        padded[self.sentence[self.form.where(lambda form: form != form.strip())]] = True
        return padded


def read_words(trees: Any) -> Words:
    lines = index_lines(Piece(1, bytes(as_bytes(as_conllu_blocks(trees)))), Notes())
    rows = parse_rows(lines)
    structure = validate(rows, len(lines.first)) if isinstance(rows, Rows) else rows
    assert isinstance(rows, Rows) and isinstance(structure, TreeStructure), "a store holds valid sentences only"
    length = structure.lengths
    first = np.cumsum(length) - length
    sentence = np.repeat(np.arange(len(length)), length)
    is_word = structure.words
    tokens, space = _surface(rows, structure, first)
    block_count = len(length)
    return Words(
        sentence,
        np.where(structure.heads == 0, -1, first[sentence] + structure.heads - 1),
        structure.pre - 1,
        structure.last - structure.pre + 1,
        structure.depth,
        rows.columns[Field.FORM].take(is_word),
        rows.columns[Field.LEMMA].take(is_word),
        rows.columns[Field.UPOS].take(is_word),
        rows.columns[Field.FEATS].take(is_word),
        space,
        first,
        length,
        tokens,
        np.bincount(rows.block[~is_word], minlength=block_count)
        - np.bincount(rows.block[structure.multiword_rows], minlength=block_count),
        np.bincount(
            rows.block[is_word & rows.columns[Field.DEPS].where(lambda deps: deps != "_")], minlength=block_count
        ),
    )


def _surface(rows: Rows, structure: TreeStructure, first: Ints) -> tuple[Multiword, Flags]:
    row_space = ~rows.columns[Field.MISC].where(lambda misc: "SpaceAfter=No" in misc.split("|"))
    ranges, form = structure.multiword_rows, rows.columns[Field.FORM]
    first_words = first[rows.block[ranges]] + structure.word_id[ranges]
    last_words = first[rows.block[ranges]] + structure.last_ids - 1
    forms = [form.values[code] for code in form.codes[ranges].tolist()]
    word_space = row_space[structure.words]
    codes = form.codes[structure.words]
    for start, stop, token in zip(first_words.tolist(), last_words.tolist(), forms, strict=True):
        word_space[start:stop] = "".join(form.values[code] for code in codes[start : stop + 1].tolist()) != token
    word_space[last_words] = row_space[ranges]
    return Multiword(first_words, last_words, forms), word_space


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
    order = np.argsort(depth.astype(np.int16), kind="stable")
    return np.split(order, np.cumsum(np.bincount(depth)[1:])[:-1])


Reordering: TypeAlias = op.Reverse | op.Order | op.Shuffle | op.Interleave
Chances: TypeAlias = Callable[[int], Sequence[Chance]]  # (number of an action) → a `Chance` for each sentence


def only_reorders(rewrite: CompiledRewrite) -> bool:
    return rewrite.matches_everywhere and all(
        isinstance(action, Reordering) and action.target.kind == "sentence" for action in rewrite.operations
    )


def reordered(words: Words, actions: Sequence[op.Operation], chances: Chances) -> Ints:
    order = np.arange(len(words.sentence))
    for number, action in enumerate(actions, start=1):
        match action:
            case op.Reverse():
                order = order[_mirrored(words)]
            case op.Interleave():
                order = order[_interleaved(words)]
            case op.Shuffle():
                order = _shuffled(words, order, action, chances(number))
            case op.Order():
                fixed_directions = np.full(len(order), action.descending or action.head_final)
                descending = _random_directions(words, chances(number)) if action.key == "chance" else fixed_directions
                order = linearized(words, order, descending, head_final=action.head_final)
            case _:
                raise AssertionError(action)
    return order


def _mirrored(words: Words) -> Ints:
    ends = 2 * words.first + words.length - 1
    mirrored: Ints = ends[words.sentence] - np.arange(len(words.sentence))
    return mirrored


def _interleaved(words: Words) -> Ints:
    odd = (np.arange(len(words.sentence)) - words.first[words.sentence]) % 2
    order: Ints = np.argsort(2 * words.sentence + odd, kind="stable")
    return order


def _shuffled(words: Words, order: Ints, action: op.Shuffle, chances: Sequence[Chance]) -> Ints:
    pieces = []
    for first, length, chance in zip(words.first.tolist(), words.length.tolist(), chances, strict=True):
        if action.window is None and not action.by_length:
            word_ids = (order[first : first + length] - first + 1).tolist()
            permuted = sorted(range(length), key=[chance.of("shuffle", word) for word in word_ids].__getitem__)
        else:
            permuted = _permuted_windows(length, action.window or length, chance.seed)
        pieces.append(np.array(permuted, np.int64) + first)
    shuffled: Ints = order[np.concatenate(pieces)]
    return shuffled


def _permuted_windows(length: int, window: int, seed: int) -> list[int]:
    starts = range(0, length, window)
    return [start + index for start in starts for index in permutation(min(window, length - start), seed)]


def _random_directions(words: Words, chances: Sequence[Chance]) -> Flags:
    """Return a random mask of the heads whose dependents are sorted by descending length.

    Only heads with several dependents that are not PUNCT can be in the mask.
    """
    dependents = (words.parent >= 0) & ~words.punct
    heads = np.flatnonzero(np.bincount(words.parent[dependents], minlength=len(words.parent)) > 1)
    descending = np.zeros(len(words.parent), bool)
    word_ids = heads - words.first[words.sentence[heads]] + 1
    sentences_with_heads = zip(words.sentence[heads].tolist(), word_ids.tolist(), strict=True)
    descending[heads] = [chances[sentence].of("chance", head) % 2 == 1 for sentence, head in sentences_with_heads]
    return descending
