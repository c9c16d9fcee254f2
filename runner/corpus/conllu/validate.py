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
_KIND_BY_SEPARATOR = {None: 0, "-": 1, ".": 2}  # of an id: word, multiword token, empty node
_OTHER_KIND = 3


@dataclass(frozen=True, slots=True)
class TreeStructure:
    """The tree structure of valid blocks.

    Per row, `words` is a mask of words, and `word_id` the id of the word or of the last word before the row. Per block,
    `lengths` is the number of words. Per word, `heads` is the id of the head, `pre` and `last` are the positions in
    preorder of the word and of the last word of its subtree, and `depth` is 1 for the root. `multiword_rows` are the
    rows of multiword tokens, and `last_ids` the ids of their last words. `edges` are those of the distinct values of
    DEPS.
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
    """Return the structure of the blocks if all are valid, otherwise a mask of invalid blocks.

    Trees are checked only if the ids, heads, features and enhanced edges of all blocks are valid.
    """
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
    bad_rows |= rows.columns[Field.FEATS].where(lambda text: columns.parse_feats(text) is None)
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
    kinds, first_numbers, second_numbers = (lookup_table(numbers, np.int64) for numbers in zip(*parsed, strict=True))
    return kinds[column.codes], first_numbers[column.codes], second_numbers[column.codes]


def _running_counts(flags: Flags, firsts: Flags) -> Ints:
    """Return the number of true `flags` from the last row where `firsts` is true up to each row, both included."""
    if not flags.any():
        return np.zeros(len(flags), np.int64)
    counts = np.cumsum(flags)
    return counts - np.maximum.accumulate(np.where(firsts, counts - flags, 0))
