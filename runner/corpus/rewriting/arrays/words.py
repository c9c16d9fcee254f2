"""Read the words of many sentences from their CoNLL-U as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fictdsl.schema import Field
from runner.corpus.conllu.line_index import Rows, index_lines, parse_rows
from runner.corpus.conllu.validate import TreeStructure, validate
from runner.corpus.files.blocks import FileNotes
from runner.corpus.files.byte_strings import DictColumn, Flags, Ints
from runner.corpus.files.pieces import Piece
from runner.corpus.sentences.texts import as_bytes, as_conllu_blocks


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
        """A mask of the words with the tag PUNCT."""
        return self.upos.where(lambda tag: tag == "PUNCT")

    @cached_property
    def is_first(self) -> Flags:
        """A mask of the first words of sentences."""
        return _mask(self.first, len(self.sentence))

    @cached_property
    def is_last(self) -> Flags:
        """A mask of the last words of sentences."""
        return _mask(self.first + self.length - 1, len(self.sentence))

    @cached_property
    def padded(self) -> Flags:
        """A mask of the sentences with a form that begins or ends with white space."""
        padded = np.zeros(len(self.first), bool)
        padded[self.sentence[self.form.where(lambda form: form != form.strip())]] = True
        return padded


def read_words(trees: Any) -> Words:
    """Return the words of sentences of a store, given their CoNLL-U as an Arrow array of strings."""
    lines = index_lines(Piece(1, bytes(as_bytes(as_conllu_blocks(trees)))), FileNotes())
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
    """Return the multiword tokens, and a mask of the words with a space after them."""
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


def _mask(indices: Ints, length: int) -> Flags:
    flags = np.zeros(length, bool)
    flags[indices] = True
    return flags
