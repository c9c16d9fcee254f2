"""Validate the columns of many blocks: ids, heads, features, enhanced edges."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from fictdsl.schema import Field
from runner.corpus.conllu import columns
from runner.corpus.conllu.conllu_errors import WORD_LIMIT
from runner.corpus.conllu.enhanced_edges import EnhancedEdges
from runner.corpus.conllu.intervals import forest_intervals
from runner.corpus.conllu.line_index import Rows
from runner.corpus.files.byte_strings import DictColumn, Flags, Ints, lookup_table

_ID = re.compile(r"(?:0|[1-9][0-9]*)(?:([-.])([1-9][0-9]*))?")
_HEADS = {str(i): i for i in range(WORD_LIMIT + 1)}
_HUGE = 1 << 40
_KINDS = {None: 0, "-": 1, ".": 2}
_OTHER = 3


@dataclass(frozen=True, slots=True)
class TreeStructure:
    """The tree structure of valid blocks.

    `words` is a mask of the rows that are words. `word_id` is the id of each row's word, or of the last word before it.
    `lengths` are the numbers of words of each block. `pre` and `last` are the positions in preorder of a word and of
    the last word of its subtree; `depth` is 1 for the root. `ranges` are the rows of multiword tokens, and `until` the
    ids of their last words. `edges` are the parsed values of DEPS.
    """

    words: Flags
    word_id: Ints
    lengths: Ints
    heads: Ints
    pre: Ints
    last: Ints
    depth: Ints
    ranges: Ints
    until: Ints
    edges: EnhancedEdges


def validate(rows: Rows, blocks: int) -> TreeStructure | Flags:
    """Return the structure of all blocks if they are trees, otherwise a mask of the blocks that are not."""
    block = rows.block
    bad_blocks = np.zeros(blocks, bool)
    kinds, first_number, second_number = _parse_ids(rows.columns[Field.ID])
    words, ranges, empty_nodes = kinds == 0, np.flatnonzero(kinds == 1), kinds == 2
    is_first = np.append(True, block[1:] != block[:-1])
    number, empty_number = _running_counts(words, is_first), _running_counts(empty_nodes, words | is_first)
    lengths = np.bincount(block[words], minlength=blocks)
    bad_rows = np.where(
        words,
        first_number != number,
        (kinds == _OTHER) | (empty_nodes & ((first_number != number) | (second_number != empty_number))),
    )
    in_same_block = block[ranges[1:]] == block[ranges[:-1]]
    covered = np.append(0, np.where(in_same_block, second_number[ranges[:-1]], 0))[: len(ranges)]
    start, until = first_number[ranges], second_number[ranges]
    bad_rows[ranges] = (
        (start != number[ranges] + 1) | (until <= start) | (start <= covered) | (until > lengths[block[ranges]])
    )
    bad_rows |= rows.columns[Field.FEATS].where(lambda text: columns.parse_feats(text) is None)
    heads = rows.columns[Field.HEAD].to_ints(lambda text: _HEADS.get(text, _HUGE))
    bad_rows |= words & (heads > lengths[block])
    bad_blocks[block[bad_rows]] = True
    bad_blocks[(lengths == 0) | (lengths > WORD_LIMIT)] = True
    edges = EnhancedEdges.parse(rows.columns[Field.DEPS].dictionary)
    bad_blocks[block[_rows_with_bad_deps(edges, rows, lengths, empty_nodes)]] = True
    if bad_blocks.any():
        return bad_blocks
    heads = heads[words]
    bad_blocks, (pre, last, depth) = forest_intervals(heads, lengths)
    if bad_blocks.any():
        return bad_blocks
    return TreeStructure(words, number, lengths, heads, pre, last, depth, ranges, until, edges)


def _rows_with_bad_deps(edges: EnhancedEdges, rows: Rows, lengths: Ints, empty_nodes: Flags) -> Ints:
    """Return the rows with a malformed DEPS, or with a head that does not exist."""
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
    """Return the kind of each row (word, multiword token, empty node, other) and the two numbers of its id."""
    parsed = []
    for value in column.values:
        match = _ID.fullmatch(value)
        if match is None:
            parsed.append((_OTHER, 0, 0))
        else:
            first_part = value.partition(match[1])[0] if match[1] else value
            parsed.append((_KINDS[match[1]], min(int(first_part[:13]), _HUGE), min(int((match[2] or "0")[:13]), _HUGE)))
    kinds, first_numbers, second_numbers = (lookup_table(numbers, np.int64) for numbers in zip(*parsed, strict=True))
    return kinds[column.codes], first_numbers[column.codes], second_numbers[column.codes]


def _running_counts(flags: Flags, firsts: Flags) -> Ints:
    """Return the number of true `flags` from the last row of `firsts` up to each row, both included."""
    if not flags.any():
        return np.zeros(len(flags), np.int64)
    counts = np.cumsum(flags)
    return counts - np.maximum.accumulate(np.where(firsts, counts - flags, 0))
