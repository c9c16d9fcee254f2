"""The columns of many blocks into those that are no trees; of the others the words, multiword tokens and intervals."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from runner.corpus.conllu import columns
from runner.corpus.conllu.conllu_errors import WORD_LIMIT
from runner.corpus.conllu.enhanced_edges import Edges
from runner.corpus.conllu.intervals import intervals
from runner.corpus.conllu.line_index import Rows
from runner.corpus.files.byte_strings import Coded, Flags, Ints, lookup

_ID = re.compile(r"(?:0|[1-9][0-9]*)(?:([-.])([1-9][0-9]*))?")
_HEADS = {str(i): i for i in range(WORD_LIMIT + 1)}
_HUGE = 1 << 40
_KINDS = {None: 0, "-": 1, ".": 2}
_OTHER = 3


@dataclass(frozen=True, slots=True)
class Shape:
    """What the ids and heads of valid blocks say.

    `words` are the rows that are words, `number` the number of each row's word (of the word before it, where it is
    none), `lengths` the words of each block; `ranges` the rows of multiword tokens, `until` their last words; `edges`
    what the values of DEPS say.
    """

    words: Flags
    number: Ints
    lengths: Ints
    heads: Ints
    pre: Ints
    last: Ints
    depth: Ints
    ranges: Ints
    until: Ints
    edges: Edges


def check(rows: Rows, blocks: int) -> Shape | Flags:
    """The shape of all blocks; or which of them are no trees."""
    block = rows.block
    bad = np.zeros(blocks, bool)
    kinds, one, two = _ids(rows.columns[0])
    words, ranges, empty = kinds == 0, np.flatnonzero(kinds == 1), kinds == 2
    firsts = np.append(True, block[1:] != block[:-1])
    number, nodes = _running(words, firsts), _running(empty, words | firsts)
    lengths = np.bincount(block[words], minlength=blocks)
    wrong = np.where(words, one != number, (kinds == _OTHER) | (empty & ((one != number) | (two != nodes))))
    before = np.append(0, np.where(block[ranges[1:]] == block[ranges[:-1]], two[ranges[:-1]], 0))[: len(ranges)]
    start, until = one[ranges], two[ranges]
    wrong[ranges] = (
        (start != number[ranges] + 1) | (until <= start) | (start <= before) | (until > lengths[block[ranges]])
    )
    wrong |= rows.columns[5].where(lambda text: columns.features(text) is None)
    heads = rows.columns[6].numbers(lambda text: _HEADS.get(text, _HUGE))
    wrong |= words & (heads > lengths[block])
    bad[block[wrong]] = True
    bad[(lengths == 0) | (lengths > WORD_LIMIT)] = True
    edges = Edges.of(rows.columns[8].dictionary)
    bad[block[_wrong_edges(edges, rows, lengths, empty)]] = True
    if bad.any():
        return bad
    heads = heads[words]
    bad, (pre, last, depth) = intervals(heads, lengths)
    if bad.any():
        return bad
    return Shape(words, number, lengths, heads, pre, last, depth, ranges, until, edges)


def _wrong_edges(edges: Edges, rows: Rows, lengths: Ints, empty: Flags) -> Ints:
    """The rows with a malformed DEPS, or one that leads nowhere."""
    deps = rows.columns[8]
    furthest = np.zeros(len(edges.malformed), np.int64)
    np.maximum.at(furthest, edges.owner, edges.head)
    furthest[edges.malformed] = _HUGE
    wrong = furthest[deps.codes] > lengths[rows.block]
    odd = np.zeros(len(furthest), bool)
    odd[edges.owner[edges.head < 0]] = True
    if odd.any():
        ids = rows.columns[0]
        nodes = {(int(rows.block[row]), ids.values[ids.codes[row]]) for row in np.flatnonzero(empty)}
        for row in np.flatnonzero(odd[deps.codes] & ~wrong):
            heads = (entry.partition(":")[0] for entry in deps.values[deps.codes[row]].split("|"))
            wrong[row] = any(head not in _HEADS and (int(rows.block[row]), head) not in nodes for head in heads)
    return np.flatnonzero(wrong)


def _ids(column: Coded) -> tuple[Ints, Ints, Ints]:
    """The kind of each row (word, multiword token, empty node, none of them) and the two numbers of its id."""
    parsed = []
    for value in column.values:
        found = _ID.fullmatch(value)
        if found is None:
            parsed.append((_OTHER, 0, 0))
        else:
            one = value.partition(found[1])[0] if found[1] else value
            parsed.append((_KINDS[found[1]], min(int(one[:13]), _HUGE), min(int((found[2] or "0")[:13]), _HUGE)))
    kinds, ones, twos = (lookup(part, np.int64) for part in zip(*parsed, strict=True))
    return kinds[column.codes], ones[column.codes], twos[column.codes]


def _running(flags: Flags, firsts: Flags) -> Ints:
    """How many flags are up from the last of `firsts` to each row, both included."""
    if not flags.any():
        return np.zeros(len(flags), np.int64)
    counts = np.cumsum(flags)
    return counts - np.maximum.accumulate(np.where(firsts, counts - flags, 0))
