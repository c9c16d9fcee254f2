"""Validate the columns of many blocks: ids, heads, features, enhanced edges."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from fictdsl.schema import Field
from runner.corpus import conllu_columns
from runner.corpus.byte_columns import (
    DictColumn,
    Flags,
    Ints,
    Rows,
    slice_strings,
    string_offsets,
    to_nfc,
)
from runner.corpus.conllu_reader import WORD_LIMIT

_MAX_ROUNDS = 14  # 2 ** 14 exceeds the depth of a sentence of 10,000 words, which is the limit


def forest_intervals(heads: Ints, lengths: Ints) -> tuple[Flags, tuple[Ints, Ints, Ints]]:
    """Return a mask of the sentences that are not trees, and `pre`, `last` and `depth` of each word if all are trees.

    `heads` are the heads of all words, each from 0 to the length of its sentence. Word b is below word a if and only if
    `pre[a] < pre[b] <= last[a]`. `pre` starts at 1 in a sentence, and the root has depth 1.
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
    """Return the depths, and a mask of words on or below a cycle, in a logarithmic number of rounds."""
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
    """Return the distance in preorder from the head of each word: 1 and the subtrees of siblings to the left."""
    order = np.argsort(parent, kind="stable")
    sizes_before = np.cumsum(subtree_sizes[order]) - subtree_sizes[order]
    sorted_parents = parent[order]
    is_first_sibling = np.empty(len(order), bool)
    is_first_sibling[:1], is_first_sibling[1:] = True, sorted_parents[1:] != sorted_parents[:-1]
    steps = np.empty(len(order), np.int64)
    steps[order] = 1 + sizes_before - np.maximum.accumulate(np.where(is_first_sibling, sizes_before, 0))
    return steps


_DIGITS = len(str(WORD_LIMIT))


@dataclass(frozen=True, slots=True)
class EnhancedEdges:
    """The edges of distinct DEPS values, in order, each with the index of the DEPS value that contains it, its `owner`.

    `head` is 0 for the root, and -1 if it cannot be the id of a word. In `malformed` values, an entry has no label.
    """

    owner: Ints
    head: Ints
    malformed: Flags
    _data: Any
    _label_begin: Ints
    _label_end: Ints

    @classmethod
    def parse(cls, values: Any) -> EnhancedEdges:
        """Parse strings that are not empty. The string `_` has no edges."""
        offsets, data = string_offsets(values)
        byte_array = np.frombuffer(data, np.uint8, offsets[-1])
        pipes = np.flatnonzero(byte_array == ord("|"))
        begin = np.sort(np.concatenate((offsets[:-1], pipes + 1)))
        end = np.sort(np.concatenate((offsets[1:], pipes)))
        entry_counts = 1 + np.bincount(np.searchsorted(offsets, pipes, "right") - 1, minlength=len(values))
        owner = np.repeat(np.arange(len(values)), entry_counts)
        has_edges = ((np.diff(offsets) > 1) | (byte_array[offsets[:-1]] != ord("_")))[owner]
        owner, begin, end = owner[has_edges], begin[has_edges], end[has_edges]
        colons = np.append(np.flatnonzero(byte_array == ord(":")), len(byte_array))
        colon = colons[np.searchsorted(colons, begin)]
        malformed = np.zeros(len(values), bool)
        malformed[owner[colon + 1 >= end]] = True
        return cls(owner, _parse_heads(byte_array, begin, np.minimum(colon, end)), malformed, data, colon + 1, end)

    def labels(self, mask: Flags) -> Any:
        return to_nfc(slice_strings(self._data, self._label_begin[mask], self._label_end[mask]))


def _parse_heads(byte_array: Any, begin: Ints, end: Ints) -> Ints:
    length = end - begin
    valid = (length > 0) & (length <= _DIGITS)
    number = np.zeros(len(length), np.int64)
    for position in range(_DIGITS):
        # unsigned, so a byte that is not a digit gives more than 9
        digit = byte_array[np.minimum(begin + position, len(byte_array) - 1)] - np.uint8(ord("0"))
        in_string = position < length
        valid &= ~in_string | (digit <= 9)
        if position == 0:
            valid &= (digit > 0) | (length == 1)
        number = np.where(in_string, number * 10 + digit, number)
    return np.where(valid & (number <= WORD_LIMIT), number, -1)


_ID = re.compile(r"(?:0|[1-9][0-9]*)(?:([-.])([1-9][0-9]*))?")
_HEADS = {str(i): i for i in range(WORD_LIMIT + 1)}
_HUGE = 1 << 40
_KIND_BY_SEPARATOR = {None: 0, "-": 1, ".": 2}  # of an id: word, multiword token, empty node
_OTHER_KIND = 3


@dataclass(frozen=True, slots=True)
class TreeStructure:
    """The tree structure of valid blocks.

    Per row, `words` is a mask of words, and `word_id` the id of the word or of the last word before the row; per block,
    `lengths` counts words; per word, `pre` and `last` are the positions in preorder of the word and of the last word of
    its subtree. `last_ids` are the last words of the multiword tokens in `multiword_rows`.
    """

    words: Flags
    word_id: Ints
    lengths: Ints
    heads: Ints
    pre: Ints
    last: Ints
    depth: Ints
    multiword_rows: Ints
    last_ids: Ints
    edges: EnhancedEdges


def validate(rows: Rows, block_count: int) -> TreeStructure | Flags:
    """Return the structure of the blocks if all are valid, otherwise a mask of those found invalid so far."""
    block_of_row = rows.block
    bad_blocks = np.zeros(block_count, bool)
    kinds, first_number, second_number = _parse_ids(rows.columns[Field.ID])
    words, multiword_rows, empty_nodes = kinds == 0, np.flatnonzero(kinds == 1), kinds == 2
    is_first = np.append(True, block_of_row[1:] != block_of_row[:-1])
    word_id, empty_number = _running_counts(words, is_first), _running_counts(empty_nodes, words | is_first)
    lengths = np.bincount(block_of_row[words], minlength=block_count)
    bad_rows = np.where(
        words,
        first_number != word_id,
        (kinds == _OTHER_KIND) | (empty_nodes & ((first_number != word_id) | (second_number != empty_number))),
    )
    multiword_blocks = block_of_row[multiword_rows]
    in_same_block = multiword_blocks[1:] == multiword_blocks[:-1]
    last_covered = np.append(0, np.where(in_same_block, second_number[multiword_rows[:-1]], 0))[: len(multiword_rows)]
    first_ids, last_ids = first_number[multiword_rows], second_number[multiword_rows]
    bad_rows[multiword_rows] = (
        (first_ids != word_id[multiword_rows] + 1)
        | (last_ids <= first_ids)
        | (first_ids <= last_covered)
        | (last_ids > lengths[multiword_blocks])
    )
    bad_rows |= rows.columns[Field.FEATS].where(lambda text: conllu_columns.parse_feats(text) is None)
    heads = rows.columns[Field.HEAD].to_ints(lambda text: _HEADS.get(text, _HUGE))
    bad_rows |= words & (heads > lengths[block_of_row])
    bad_blocks[block_of_row[bad_rows]] = True
    bad_blocks[(lengths == 0) | (lengths > WORD_LIMIT)] = True
    edges = EnhancedEdges.parse(rows.columns[Field.DEPS].dictionary)
    bad_blocks[block_of_row[_rows_with_bad_deps(edges, rows, lengths, empty_nodes)]] = True
    if bad_blocks.any():
        return bad_blocks
    heads = heads[words]
    bad_blocks, (pre, last, depth) = forest_intervals(heads, lengths)
    if bad_blocks.any():
        return bad_blocks
    return TreeStructure(words, word_id, lengths, heads, pre, last, depth, multiword_rows, last_ids, edges)


def _rows_with_bad_deps(edges: EnhancedEdges, rows: Rows, lengths: Ints, empty_nodes: Flags) -> Ints:
    deps = rows.columns[Field.DEPS]
    largest_head = np.zeros(len(edges.malformed), np.int64)
    np.maximum.at(largest_head, edges.owner, edges.head)
    largest_head[edges.malformed] = _HUGE
    bad_rows = largest_head[deps.codes] > lengths[rows.block]
    unknown_head = np.zeros(len(largest_head), bool)
    unknown_head[edges.owner[edges.head < 0]] = True
    if unknown_head.any():
        ids = rows.columns[Field.ID]
        empty_ids = {(int(rows.block[row]), ids.values[ids.codes[row]]) for row in np.flatnonzero(empty_nodes)}
        for row in np.flatnonzero(unknown_head[deps.codes] & ~bad_rows):
            heads = (entry.partition(":")[0] for entry in deps.values[deps.codes[row]].split("|"))
            bad_rows[row] = any(head not in _HEADS and (int(rows.block[row]), head) not in empty_ids for head in heads)
    return np.flatnonzero(bad_rows)


def _parse_ids(column: DictColumn) -> tuple[Ints, Ints, Ints]:
    parsed = []
    # numbers are cut to 13 digits, more than any valid id has: the time of `int` is quadratic in the length
    for value in column.values:
        match = _ID.fullmatch(value)
        if match is None:
            parsed.append((_OTHER_KIND, 0, 0))
        else:
            first_part = value.partition(match[1])[0] if match[1] else value
            parsed.append(
                (
                    _KIND_BY_SEPARATOR[match[1]],
                    min(int(first_part[:13]), _HUGE),
                    min(int((match[2] or "0")[:13]), _HUGE),
                )
            )
    kinds, first_numbers, second_numbers = (np.array(numbers, np.int64) for numbers in zip(*parsed, strict=True))
    return kinds[column.codes], first_numbers[column.codes], second_numbers[column.codes]


def _running_counts(flags: Flags, firsts: Flags) -> Ints:
    if not flags.any():
        return np.zeros(len(flags), np.int64)
    counts = np.cumsum(flags)
    return counts - np.maximum.accumulate(np.where(firsts, counts - flags, 0))
