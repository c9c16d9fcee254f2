"""Reorder the words of many sentences at once, as arrays, and compute their texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fictdsl.compiler import CompiledRewrite
from fictdsl.schema import Field
from fictdsl.semantics import operations as op
from runner.corpus.byte_columns import DictColumn, Flags, Ints, Piece, Rows, index_lines, mask_of, parse_rows
from runner.corpus.conllu_columns import Notes
from runner.corpus.conllu_validation import TreeStructure, validate
from runner.corpus.rewrite_actions import Chance, Counts, has_letter_or_digit, shuffled
from runner.corpus.rewrite_spelling import (
    CLOSING,
    LOW_QUOTES,
    OPENING,
    QUOTES,
    Forms,
    begins_unspaced,
    begins_with_capital,
    capitalized,
    ends_unspaced,
    has_letter,
    indefinite,
    is_article,
    is_clitic,
    is_definite,
    keeps_capital,
    token_form,
    uncapitalized,
    with_case_of,
)
from runner.corpus.sentence_texts import as_bytes, as_conllu_blocks, exact_texts


@dataclass(frozen=True, slots=True)
class Multiword:
    first: Ints  # the index of the first word of each token
    last: Ints
    form: list[str]


@dataclass(frozen=True)
class Words:
    """The words of some sentences in corpus order.

    A word is identified by its index. The fields to `space` have an entry for each word, and those from `first` on for
    each sentence. Between the words of a multiword token there is a space unless their concatenation is its form.
    """

    sentence: Ints
    parent: Ints  # -1 for the root
    pre: Ints  # the position in preorder, from 0
    size: Ints  # of the subtree
    depth: Ints  # 1 for the root
    form: DictColumn
    lemma: DictColumn
    upos: DictColumn
    feats: DictColumn
    space: Flags  # whether a space follows
    tokens: Multiword
    first: Ints
    length: Ints
    empty_nodes: Ints
    enhanced: Ints  # the number of words with enhanced edges

    @cached_property
    def punct(self) -> Flags:
        return self.upos.where("PUNCT".__eq__)

    @cached_property
    def movable(self) -> Flags:
        return ~self.punct & (self.parent >= 0)

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

    def count(mask: Flags | Ints) -> Ints:
        return np.bincount(rows.block[mask], minlength=len(length))

    parent = np.where(structure.heads == 0, -1, first[sentence] + structure.heads - 1)
    fields = (Field.FORM, Field.LEMMA, Field.UPOS, Field.FEATS)
    form, lemma, upos, feats = (rows.columns[field].take(is_word) for field in fields)
    tokens, space = _surface(rows, structure, first)
    empty = count(~is_word) - count(structure.multiword_rows)
    edges = count(is_word & rows.columns[Field.DEPS].where("_".__ne__))
    pre, size = structure.pre - 1, structure.last - structure.pre + 1
    depth = structure.depth
    return Words(
        sentence, parent, pre, size, depth, form, lemma, upos, feats, space, tokens, first, length, empty, edges
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
    """Return the new order of all words. `descending` is a mask of the heads whose longest dependents come first."""
    position = _inverse(order)
    slot = _slots(words, position, descending)
    head_slot = 2 * position
    if head_final:
        dependents = np.flatnonzero(words.movable)
        last_slot = np.full(len(order), -1)
        np.maximum.at(last_slot, words.parent[dependents], slot[dependents])
        head_slot = np.where(last_slot < 0, head_slot, last_slot + 1)
    offset, head_offset = _offsets(words, slot, head_slot)
    start = words.first[words.sentence] + offset
    by_depth = np.argsort(words.depth.astype(np.int16), kind="stable")
    for level in np.split(by_depth, np.cumsum(np.bincount(words.depth)[1:])[:-1])[1:]:
        start[level] = start[words.parent[level]] + offset[level]
    return _inverse(start + head_offset)


def _inverse(order: Ints) -> Ints:
    positions = np.empty(len(order), np.int64)
    positions[order] = np.arange(len(order))
    return positions


def _slots(words: Words, position: Ints, descending: Flags) -> Ints:
    """Return the sort key of each word among its siblings: twice the position of the sibling that it replaces."""
    movable = np.flatnonzero(words.movable)
    parent, weight = words.parent[movable], _weights(words)[movable]
    weight = np.where(descending[parent], -weight, weight)
    by_position = np.argsort(parent * len(position) + position[movable])
    # words of equal weight keep their order
    by_weight = by_position[np.lexsort((weight[by_position], parent[by_position]))]
    slot = 2 * position
    slot[movable[by_weight]] = 2 * position[movable[by_position]]
    return slot


def _weights(words: Words) -> Ints:
    counted = np.zeros(len(words.sentence) + 1, np.int64)
    start = words.first[words.sentence] + words.pre
    counted[start + 1] = words.form.where(has_letter_or_digit)
    cumulative = np.cumsum(counted)
    return np.asarray(cumulative[start + words.size] - cumulative[start])


def _offsets(words: Words, slot: Ints, head_slot: Ints) -> tuple[Ints, Ints]:
    """Return the offset of each subtree in the subtree of its head, and of each word in its own subtree."""
    count = len(slot)
    dependents = np.flatnonzero(words.parent >= 0)
    heads = np.flatnonzero(words.size > 1)
    block = np.concatenate([words.parent[dependents], heads])
    key = block * (2 * count + 1) + np.concatenate([slot[dependents], head_slot[heads]])
    widths = np.concatenate([words.size[dependents], np.ones(len(heads), np.int64)])
    order = np.argsort(key)
    offsets = np.cumsum(widths[order]) - widths[order]
    offsets -= np.maximum.accumulate(np.where(_first_of_runs(block[order]), offsets, 0))
    unsorted_offsets = np.empty(len(order), np.int64)
    unsorted_offsets[order] = offsets
    offset, head_offset = np.zeros(count, np.int64), np.zeros(count, np.int64)
    offset[dependents] = unsorted_offsets[: len(dependents)]
    head_offset[heads] = unsorted_offsets[len(dependents) :]
    return offset, head_offset


Reordering: TypeAlias = op.Reverse | op.Order | op.Shuffle | op.Interleave
Chances: TypeAlias = Callable[[int], Sequence[Chance]]  # (number of an action) → a `Chance` for each sentence


def only_reorders(rewrite: CompiledRewrite) -> bool:
    return rewrite.matches_everywhere and all(
        isinstance(action, Reordering) and action.target.kind == "sentence" for action in rewrite.operations
    )


def reordered(words: Words, actions: Sequence[op.Operation], chances: Chances) -> Ints:
    order = indices = np.arange(len(words.sentence))
    for number, action in enumerate(actions, start=1):
        match action:
            case op.Reverse():
                ends = 2 * words.first + words.length - 1
                order = order[ends[words.sentence] - indices]
            case op.Interleave():
                odd = (indices - words.first[words.sentence]) % 2
                order = order[np.argsort(2 * words.sentence + odd, kind="stable")]
            case op.Shuffle():
                order = _shuffled(words, order, action, chances(number))
            case op.Order():
                fixed_directions = np.full(len(order), action.descending or action.head_final)
                descending = _random_directions(words, chances(number)) if action.key == "chance" else fixed_directions
                order = linearized(words, order, descending, head_final=action.head_final)
            case _:
                raise AssertionError(action)
    return order


def _shuffled(words: Words, order: Ints, action: op.Shuffle, chances: Sequence[Chance]) -> Ints:
    pieces = []
    for first, length, chance in zip(words.first.tolist(), words.length.tolist(), chances, strict=True):
        word_ids = (order[first : first + length] - first + 1).tolist()
        pieces.append(np.array(shuffled(word_ids, action, chance), np.int64) + (first - 1))
    return np.concatenate(pieces)


def _random_directions(words: Words, chances: Sequence[Chance]) -> Flags:
    """Return a random mask of heads with several dependents that are not PUNCT: those whose longest come first."""
    heads = np.flatnonzero(np.bincount(words.parent[words.movable], minlength=len(words.parent)) > 1)
    descending = np.zeros(len(words.parent), bool)
    word_ids = heads - words.first[words.sentence[heads]] + 1
    sentences_with_heads = zip(words.sentence[heads].tolist(), word_ids.tolist(), strict=True)
    descending[heads] = [chances[sentence].longest_first(head) for sentence, head in sentences_with_heads]
    return descending


@dataclass(frozen=True, slots=True)
class Reordered:
    words: Words
    order: Ints
    position: Ints  # of each word in `order`, or -1 for words of other sentences
    ends: Flags  # the last words in `order`
    kept_tokens: Flags  # the multiword tokens whose words are still adjacent and in order

    @classmethod
    def of(cls, words: Words, order: Ints) -> Reordered:
        position = np.full(len(words.sentence), -1)
        position[order] = np.arange(len(order))
        breaks = np.cumsum(np.append(0, np.diff(position) != 1))  # number of breaks before each word
        tokens = words.tokens
        kept_tokens = (position[tokens.first] >= 0) & (breaks[tokens.first] == breaks[tokens.last])
        return cls(words, order, position, np.append(np.diff(words.sentence[order]) != 0, True), kept_tokens)


def _texts(reordered: Reordered, as_is: frozenset[str]) -> Any:
    forms = {} if "case" in as_is else _adapted_case(reordered)
    if "article" not in as_is:
        forms = forms | _adapted_articles(reordered, forms)
    column = _with_forms(reordered.words.form, forms)
    surface_column, has_next_in_token = _with_tokens(reordered, column, forms)
    space_after = _spaces(reordered, column) & ~has_next_in_token[reordered.order]
    return _joined(surface_column.take(reordered.order), space_after, reordered.ends)


def _with_forms(column: DictColumn, forms: Forms) -> DictColumn:
    if not forms:
        return column
    codes = column.codes.copy()
    codes[list(forms)] = len(column.dictionary) + np.arange(len(forms), dtype=codes.dtype)
    return DictColumn(pa.concat_arrays([column.dictionary, pa.array(forms.values(), pa.string())]), codes)


def _with_tokens(reordered: Reordered, column: DictColumn, forms: Forms) -> tuple[DictColumn, Flags]:
    """Put the form of each kept multiword token at its first word. Mark its words but the last."""
    tokens, surface_forms = reordered.words.tokens, {}
    has_next_in_token = np.zeros(len(reordered.words.sentence), bool)
    for index in np.flatnonzero(reordered.kept_tokens).tolist():
        first, last = int(tokens.first[index]), int(tokens.last[index])
        surface_forms[first] = token_form(tokens.form[index], range(first, last + 1), forms)
        surface_forms |= dict.fromkeys(range(first + 1, last + 1), "")
        has_next_in_token[first:last] = True
    return _with_forms(column, surface_forms), has_next_in_token


def _joined(surface_column: DictColumn, space: Flags, ends: Flags) -> Any:
    """Return a text for each sentence: its forms, each followed by a space if `space` is set and it is not the last."""
    spaced_forms = [surface_column.dictionary, pc.binary_join_element_wise(surface_column.dictionary, " ", "")]
    codes = surface_column.codes + len(surface_column.dictionary) * (space & ~ends)
    pieces = pa.concat_arrays(spaced_forms).take(pa.array(codes))
    offsets = np.frombuffer(pieces.buffers()[1], np.int32)[: len(pieces) + 1]
    text_ends = np.append(offsets[:1], offsets[1:][ends])
    return pa.StringArray.from_buffers(len(text_ends) - 1, pa.py_buffer(text_ends), pieces.buffers()[2])


def _adapted_case(reordered: Reordered) -> Forms:
    words, form = reordered.words, reordered.words.form
    letter_mask = form.where(has_letter)
    old_order = np.flatnonzero(letter_mask & (reordered.position >= 0))
    new_order = reordered.order[letter_mask[reordered.order]]
    old_firsts, new_firsts = (order[_first_of_runs(words.sentence[order])] for order in (old_order, new_order))
    changed = (old_firsts != new_firsts) & form.where(begins_with_capital)[old_firsts]
    forms: Forms = {}
    for old_first, new_first in zip(old_firsts[changed].tolist(), new_firsts[changed].tolist(), strict=True):
        forms[new_first] = capitalized(_value(form, new_first))
        if not keeps_capital(*(_value(column, old_first) for column in (form, words.lemma, words.upos))):
            forms[old_first] = uncapitalized(_value(form, old_first))
    return {word: text for word, text in forms.items() if text != _value(form, word)}


def _adapted_articles(reordered: Reordered, forms: Forms) -> Forms:
    words, order = reordered.words, reordered.order
    articles = words.form.where(is_article) & words.lemma.where("a".__eq__) & words.upos.where("DET".__eq__)
    articles &= ~words.feats.where(is_definite)
    kept_tokens = reordered.kept_tokens
    for first, last in zip(words.tokens.first[kept_tokens], words.tokens.last[kept_tokens], strict=True):
        articles[first : last + 1] = False
    has_new_successor = articles[order[:-1]] & ~reordered.ends[:-1] & (np.diff(order) != 1)
    pronounced_positions = np.append(np.flatnonzero(~words.punct[order]), len(order))
    article_forms: Forms = {}
    for position in np.flatnonzero(has_new_successor).tolist():
        next_position = int(pronounced_positions[np.searchsorted(pronounced_positions, position + 1)])
        if next_position == len(order) or words.sentence[order[next_position]] != words.sentence[order[position]]:
            continue
        word, next_word = int(order[position]), int(order[next_position])
        form = forms.get(word) or _value(words.form, word)
        article_forms[word] = with_case_of(form, indefinite(forms.get(next_word) or _value(words.form, next_word)))
    return article_forms


def _first_of_runs(values: Ints) -> Flags:
    return np.append(True, np.diff(values) != 0)[: len(values)]


def _value(column: DictColumn, word: int) -> str:
    return str(column.values[column.codes[word]])


def _spaces(reordered: Reordered, form: DictColumn) -> Flags:
    """Return a mask of the words in order with a space after them. `form` has their new forms."""
    words, left, right = reordered.words, reordered.order, np.append(reordered.order[1:], 0)
    no_space_before = ~words.is_first & ~np.append(True, words.space[:-1])
    space_after = words.is_last | words.space
    is_quote = form.where(QUOTES.__contains__)
    low = _closing_low_quotes(words, form)
    closes = words.punct & np.where(is_quote, no_space_before & space_after, low | form.where(CLOSING.issuperset))
    opens = words.punct & np.where(is_quote, ~no_space_before & ~space_after, ~low & form.where(OPENING.issuperset))
    is_attached_clitic = no_space_before & form.where(is_clitic)
    had_space = (words.space & ~words.is_last)[left] | (~words.is_first & ~no_space_before)[right]
    unspaced = (form.where(ends_unspaced)[left] | form.where(begins_unspaced)[right]) & ~had_space
    glued = closes[right] | opens[left] | is_attached_clitic[right] | unspaced
    return np.where(right == left + 1, words.space[left], ~glued)


def _closing_low_quotes(words: Words, form: DictColumn) -> Flags:
    """Return a mask of the quotation marks that close what a low mark of their sentence opens."""
    closing = np.zeros(len(words.sentence), bool)
    for mark, low_mark in LOW_QUOTES.items():
        if low_mark in form.values and mark in form.values:
            has_low_mark = np.zeros(len(words.first), bool)
            has_low_mark[words.sentence[form.where(low_mark.__eq__)]] = True
            closing |= form.where(mark.__eq__) & has_low_mark[words.sentence]
    return closing


@dataclass(frozen=True, slots=True)
class ReorderedTexts:
    """The texts of sentences, and masks of those that changed and those that must be rewritten one by one."""

    texts: Any
    changed: Flags
    remaining: Flags
    words: Words
    undone: int

    def count(self, counts: Counts, rewrite_index: int, other_indices: Iterable[int]) -> None:
        """Add the sentences that are not `remaining` to `counts`. The matches of the other rewrites are overlapping."""
        sentence_count, changed = int((~self.remaining).sum()), self.changed
        counts.rewrites[rewrite_index].taken += sentence_count
        counts.rewrites[rewrite_index].sentences += sentence_count
        for index in other_indices:
            counts.rewrites[index].overlapping += sentence_count
        counts.changed += int(changed.sum())
        counts.losses["multiword tokens undone"] += self.undone
        counts.losses["empty nodes dropped"] += int(self.words.empty_nodes[changed].sum())
        counts.losses["words whose enhanced edges were dropped"] += int(self.words.enhanced[changed].sum())


def reordered_texts(
    rows: pa.RecordBatch, trees: pa.RecordBatch, rewrite: CompiledRewrite, seed: int, excluded: Flags
) -> ReorderedTexts:
    """Rewrite all sentences except the `excluded` ones and those whose text cannot be rebuilt from their words."""
    words = read_words(trees.column("conllu"))
    remaining = excluded | words.padded | trees.column("rebuilt").is_valid().to_numpy(zero_copy_only=False)

    def chances(action: int) -> Sequence[Chance]:
        positions = zip(rows.column("source").to_pylist(), rows.column("number").to_pylist(), strict=True)
        return [Chance(seed, rewrite.name, action, source, number) for source, number in positions]

    order = reordered(words, rewrite.operations, chances)
    changed = np.zeros(len(words.first), bool)
    changed[words.sentence[order != np.arange(len(order))]] = True
    changed &= ~remaining
    reordered_words = Reordered.of(words, order[changed[words.sentence]])
    texts = exact_texts(rows)
    if changed.any():
        texts = pc.replace_with_mask(texts, pa.array(changed), _texts(reordered_words, rewrite.as_is))
    undone = changed[words.sentence[words.tokens.first]] & ~reordered_words.kept_tokens
    return ReorderedTexts(texts, changed, remaining, words, int(undone.sum()))
