"""Spell many reordered sentences, as `runner.corpus.rewriting.spelling` does for one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from runner.corpus.files.byte_strings import DictColumn, Flags, Ints
from runner.corpus.rewriting.adapt import (
    begins_with_capital,
    capitalized,
    has_letter,
    indefinite,
    is_article,
    keeps_capital,
    uncapitalized,
    with_case_of,
)
from runner.corpus.rewriting.arrays.words import Words
from runner.corpus.rewriting.spelling import CLOSING, OPENING, QUOTES, is_clitic, token_form

Forms = dict[int, str]  # the new forms of words, by index


@dataclass(frozen=True, slots=True)
class Reordered:
    """The words of some sentences in their new order.

    `order` has the words of each sentence in turn, and `place` the place of each word in it, -1 for words of other
    sentences. `kept` is a mask of the multiword tokens that stay whole.
    """

    words: Words
    order: Ints
    place: Ints
    kept: Flags

    @property
    def ends(self) -> Flags:
        """A mask of the places at which sentences end."""
        return np.append(np.diff(self.words.sentence[self.order]) != 0, True)


def reorder(words: Words, order: Ints) -> Reordered:
    """Return the words in their new order. `order` may lack sentences."""
    place = np.full(len(words.sentence), -1)
    place[order] = np.arange(len(order))
    torn = np.cumsum(np.append(0, np.diff(place) != 1))  # between a word and the next one
    tokens = words.tokens
    return Reordered(words, order, place, (place[tokens.first] >= 0) & (torn[tokens.first] == torn[tokens.last]))


def spelt(new: Reordered, as_is: frozenset[str]) -> Any:
    """Return the texts of the sentences as an Arrow array. `as_is` holds what is not adapted: case, article."""
    words = new.words
    forms = {} if "case" in as_is else _adapted_case(new)
    if "article" not in as_is:
        forms = forms | _adapted_articles(new, forms)
    column = _with_forms(words.form, forms)
    space = _spaces(replace_form(new, column))
    shown, inside = _with_tokens(new, column, forms)
    inner = inside[new.order]
    return _joined(shown.take(new.order), space & ~inner, new.ends)


def replace_form(new: Reordered, column: DictColumn) -> Reordered:
    """Return the same words with other forms."""
    return replace(new, words=replace(new.words, form=column))


def _with_forms(column: DictColumn, forms: Forms) -> DictColumn:
    """Return a column with other values for some words."""
    if not forms:
        return column
    codes = column.codes.copy()
    codes[list(forms)] = len(column.dictionary) + np.arange(len(forms), dtype=codes.dtype)
    return DictColumn(pa.concat_arrays([column.dictionary, pa.array(forms.values(), pa.string())]), codes)


def _with_tokens(new: Reordered, column: DictColumn, forms: Forms) -> tuple[DictColumn, Flags]:
    """Return the column with each whole multiword token in place of its first word and nothing for the others.

    Return a mask of the words that another word of their token follows, too.
    """
    tokens, spellings = new.words.tokens, {}
    inside = np.zeros(len(new.words.sentence), bool)
    for number in np.flatnonzero(new.kept).tolist():
        first, last = int(tokens.first[number]), int(tokens.last[number])
        spellings[first] = token_form(tokens.form[number], range(first, last + 1), forms)
        spellings |= dict.fromkeys(range(first + 1, last + 1), "")
        inside[first:last] = True
    return _with_forms(column, spellings), inside


def _joined(shown: DictColumn, space: Flags, ends: Flags) -> Any:
    """Return the concatenation of forms and spaces up to each end."""
    spellings = pa.concat_arrays([shown.dictionary, pc.binary_join_element_wise(shown.dictionary, " ", "")])
    pieces = spellings.take(pa.array(shown.codes + len(shown.dictionary) * (space & ~ends)))
    offsets = np.frombuffer(pieces.buffers()[1], np.int32)[: len(pieces) + 1]
    stops = np.append(offsets[:1], offsets[1:][ends])
    return pa.StringArray.from_buffers(len(stops) - 1, pa.py_buffer(stops), pieces.buffers()[2])


# --- case and articles


def _adapted_case(new: Reordered) -> Forms:
    """Return the new forms of the old and the new first words, as `adapt.adapted_case` defines them."""
    words, form = new.words, new.words.form
    lettered = form.where(has_letter)
    in_file, now = np.flatnonzero(lettered & (new.place >= 0)), new.order[lettered[new.order]]
    old, first = (each[_first_of_runs(words.sentence[each])] for each in (in_file, now))
    changed = (old != first) & form.where(begins_with_capital)[old]
    forms: Forms = {}
    for was, becomes in zip(old[changed].tolist(), first[changed].tolist(), strict=True):
        forms[becomes] = capitalized(_value(form, becomes))
        if not keeps_capital(*(_value(column, was) for column in (form, words.lemma, words.upos))):
            forms[was] = uncapitalized(_value(form, was))
    return {word: text for word, text in forms.items() if text != _value(form, word)}


def _adapted_articles(new: Reordered, forms: Forms) -> Forms:
    """Return the new forms of articles before a new neighbour, as `adapt.adapted_articles` defines them."""
    words, order = new.words, new.order
    articles = words.form.where(is_article) & words.lemma.where("a".__eq__) & words.upos.where("DET".__eq__)
    for first, last in zip(words.tokens.first[new.kept], words.tokens.last[new.kept], strict=True):
        articles[first : last + 1] = False
    followed = articles[order[:-1]] & ~new.ends[:-1] & (np.diff(order) != 1)
    sounded = np.append(np.flatnonzero(~words.punct[order]), len(order))
    adapted: Forms = {}
    for place in np.flatnonzero(followed).tolist():
        after = int(sounded[np.searchsorted(sounded, place + 1)])
        if after == len(order) or words.sentence[order[after]] != words.sentence[order[place]]:
            continue
        word, following = int(order[place]), int(order[after])
        form = forms.get(word) or _value(words.form, word)
        adapted[word] = with_case_of(form, indefinite(forms.get(following) or _value(words.form, following)))
    return adapted


def _first_of_runs(values: Ints) -> Flags:
    return np.append(True, np.diff(values) != 0)[: len(values)]


def _value(column: DictColumn, word: int) -> str:
    value: str = column.values[column.codes[word]]
    return value


# --- space


def _spaces(new: Reordered) -> Flags:
    """Return whether a space follows at each place."""
    words, form = new.words, new.words.form
    left, right = new.order, np.append(new.order[1:], 0)
    written_on = ~words.is_first & ~np.append(True, words.space[:-1])
    spaced = words.is_last | words.space
    quote = form.where(QUOTES.__contains__)
    closes = words.punct & np.where(quote, written_on & spaced, form.where(CLOSING.issuperset))
    opens = words.punct & np.where(quote, ~written_on & ~spaced, form.where(OPENING.issuperset))
    clitic = written_on & form.where(is_clitic)
    return np.where(right == left + 1, words.space[left], ~(closes[right] | opens[left] | clitic[right]))
