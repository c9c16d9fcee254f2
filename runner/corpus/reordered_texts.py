"""Compute the texts of many sentences after a rewrite that only reorders their words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fictdsl.compiler import CompiledRewrite
from runner.corpus.byte_columns import DictColumn, Flags, Ints
from runner.corpus.reordered_words import Words, read_words, reordered
from runner.corpus.rewrite_actions import Chance, Counts
from runner.corpus.rewrite_spelling import (
    CLOSING,
    LOW_QUOTES,
    OPENING,
    QUOTES,
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
from runner.corpus.sentence_texts import exact_texts

Forms = dict[int, str]  # the new forms of words, by index


@dataclass(frozen=True, slots=True)
class Reordered:
    """The words of some sentences in their new order.

    `order` has the words, sentence by sentence. `position` is the index of each word in `order`, or -1 for words of
    other sentences. `kept_tokens` is a mask of the multiword tokens whose words are still adjacent and in order.
    """

    words: Words
    order: Ints
    position: Ints
    kept_tokens: Flags

    @property
    def ends(self) -> Flags:
        return np.append(np.diff(self.words.sentence[self.order]) != 0, True)


def reorder(words: Words, order: Ints) -> Reordered:
    position = np.full(len(words.sentence), -1)
    position[order] = np.arange(len(order))
    breaks = np.cumsum(np.append(0, np.diff(position) != 1))  # number of breaks before each word
    tokens = words.tokens
    kept_tokens = (position[tokens.first] >= 0) & (breaks[tokens.first] == breaks[tokens.last])
    return Reordered(words, order, position, kept_tokens)


def sentence_texts(reordered: Reordered, as_is: frozenset[str]) -> Any:
    """Return the texts of the sentences as an Arrow array. `as_is` names what is not adapted: `case`, `article`."""
    words = reordered.words
    forms = {} if "case" in as_is else _adapted_case(reordered)
    if "article" not in as_is:
        forms = forms | _adapted_articles(reordered, forms)
    column = _with_forms(words.form, forms)
    space = _spaces(replace_form(reordered, column))
    surface_column, has_next_in_token = _with_tokens(reordered, column, forms)
    space_after = space & ~has_next_in_token[reordered.order]
    return _joined(surface_column.take(reordered.order), space_after, reordered.ends)


def replace_form(reordered: Reordered, column: DictColumn) -> Reordered:
    return replace(reordered, words=replace(reordered.words, form=column))


def _with_forms(column: DictColumn, forms: Forms) -> DictColumn:
    if not forms:
        return column
    codes = column.codes.copy()
    codes[list(forms)] = len(column.dictionary) + np.arange(len(forms), dtype=codes.dtype)
    return DictColumn(pa.concat_arrays([column.dictionary, pa.array(forms.values(), pa.string())]), codes)


def _with_tokens(reordered: Reordered, column: DictColumn, forms: Forms) -> tuple[DictColumn, Flags]:
    """Return the column with the form of each kept multiword token at its first word, and "" at its other words.

    Also return a mask of the words that are followed by another word of their token.
    """
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


# --- case and articles


def _adapted_case(reordered: Reordered) -> Forms:
    """Return the new forms of the old and the new first words, as defined by `adapt.adapted_case`."""
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
    """Return the forms of articles that are followed by a different word than before; see `adapt.adapted_articles`."""
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
    value: str = column.values[column.codes[word]]
    return value


# --- space


def _spaces(reordered: Reordered) -> Flags:
    words, form = reordered.words, reordered.words.form
    left, right = reordered.order, np.append(reordered.order[1:], 0)
    no_space_before = ~words.is_first & ~np.append(True, words.space[:-1])
    space_after = words.is_last | words.space
    is_quote = form.where(QUOTES.__contains__)
    low = _closing_low_quotes(words)
    closes = words.punct & np.where(is_quote, no_space_before & space_after, low | form.where(CLOSING.issuperset))
    opens = words.punct & np.where(is_quote, ~no_space_before & ~space_after, ~low & form.where(OPENING.issuperset))
    is_attached_clitic = no_space_before & form.where(is_clitic)
    had_space = (words.space & ~words.is_last)[left] | (~words.is_first & ~no_space_before)[right]
    unspaced = (form.where(ends_unspaced)[left] | form.where(begins_unspaced)[right]) & ~had_space
    glued = closes[right] | opens[left] | is_attached_clitic[right] | unspaced
    return np.where(right == left + 1, words.space[left], ~glued)


def _closing_low_quotes(words: Words) -> Flags:
    """Return a mask of the quotation marks that close what a low mark of their sentence opens."""
    closing = np.zeros(len(words.sentence), bool)
    for mark, low_mark in LOW_QUOTES.items():
        if low_mark in words.form.values and mark in words.form.values:
            has_low_mark = np.zeros(len(words.first), bool)
            has_low_mark[words.sentence[words.form.where(low_mark.__eq__)]] = True
            closing |= words.form.where(mark.__eq__) & has_low_mark[words.sentence]
    return closing


@dataclass(frozen=True, slots=True)
class ReorderedTexts:
    """The texts of some sentences after a reordering.

    `changed` is a mask of the sentences that changed. `remaining` is a mask of the sentences that must be rewritten one
    by one. `undone` is the number of multiword tokens that are not kept.
    """

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
    """Rewrite all sentences except the `excluded` ones and those whose text cannot be rebuilt from their words.

    `rows` has the columns `surface`, `text`, `source` and `number`; `trees` has the columns `conllu` and `rebuilt`.
    """
    words = read_words(trees.column("conllu"))
    remaining = excluded | words.padded | trees.column("rebuilt").is_valid().to_numpy(zero_copy_only=False)

    def chances(action: int) -> Sequence[Chance]:
        positions = zip(rows.column("source").to_pylist(), rows.column("number").to_pylist(), strict=True)
        return [Chance(seed, rewrite.name, action, source, number) for source, number in positions]

    order = reordered(words, rewrite.operations, chances)
    changed = np.zeros(len(words.first), bool)
    changed[words.sentence[order != np.arange(len(order))]] = True
    changed &= ~remaining
    reordered_words = reorder(words, order[changed[words.sentence]])
    texts = exact_texts(rows)
    if changed.any():
        texts = pc.replace_with_mask(texts, pa.array(changed), sentence_texts(reordered_words, rewrite.as_is))
    return ReorderedTexts(texts, changed, remaining, words, _undone(reordered_words, changed))


def _undone(reordered_words: Reordered, changed: Flags) -> int:
    words = reordered_words.words
    return int((changed[words.sentence[words.tokens.first]] & ~reordered_words.kept_tokens).sum())
