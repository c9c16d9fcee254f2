"""Spell a changed sentence: its multiword tokens, the space between its words, its text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from runner.corpus.rewriting.adapt import Forms, adapted_articles, adapted_case, capitalized, uncapitalized
from runner.corpus.rewriting.draft import Draft
from runner.corpus.text.surface import MultiwordToken, Token

CLOSING = frozenset(".,;:!?)]}…”’")
OPENING = frozenset("([{“‘")
QUOTES = ('"', "'")


@dataclass(frozen=True, slots=True)
class Spelling:
    """The surface tokens of a sentence in order.

    A `Token` names the first and last word of each. `gaps` are before, between and after the tokens. `forms` are the
    forms of words that differ from those of the draft. `undone` is the number of multiword tokens that were lost.
    """

    tokens: Sequence[Token]
    gaps: Sequence[str]
    forms: Forms
    undone: int

    @property
    def text(self) -> str:
        """The text of the sentence."""
        pieces = [self.gaps[0]]
        for token, gap in zip(self.tokens, self.gaps[1:], strict=True):
            pieces += (token.form, gap)
        return "".join(pieces)


def spell(draft: Draft, as_is: frozenset[str]) -> Spelling:
    """Spell a sentence after all actions. `as_is` holds what is not adapted: case, article."""
    kept = _kept_tokens(draft)
    cased = {} if "case" in as_is else adapted_case(draft)
    inside = frozenset(word for token in kept for word in range(token.start, token.end + 1))
    forms = cased if "article" in as_is else {**cased, **adapted_articles(draft, cased, inside)}
    tokens = _tokens(draft, kept, forms)
    return Spelling(tokens, _gaps(draft, tokens, forms), forms, len(draft.stored.tokens) - len(kept))


def _kept_tokens(draft: Draft) -> list[MultiwordToken]:
    """Return the multiword tokens whose words are neighbours in their order, with the forms that they had."""
    tokens, rows = draft.stored.tokens, draft.stored.rows
    if not tokens:
        return []
    position = {word: place for place, word in enumerate(draft.order)}
    kept = []
    for token in tokens:
        words = range(token.start, token.end + 1)
        first = position.get(token.start)
        if first is not None and all(
            position.get(word) == first + offset and draft.form(word) == rows[word][1]
            for offset, word in enumerate(words)
        ):
            kept.append(token)
    return kept


def _tokens(draft: Draft, kept: Sequence[MultiwordToken], forms: Forms) -> list[Token]:
    if not kept:
        return [Token(forms.get(word) or draft.form(word), word, word) for word in draft.order]
    tokens: list[Token] = []
    starts = {token.start: token for token in kept}
    inside = {word for token in kept for word in range(token.start + 1, token.end + 1)}
    for word in draft.order:
        if word in starts:
            token = starts[word]
            tokens.append(
                Token(token_form(token.form, range(token.start, token.end + 1), forms), token.start, token.end)
            )
        elif word not in inside:
            tokens.append(Token(forms.get(word, draft.form(word)), word, word))
    return tokens


def token_form(spelt: str, words: Iterable[int], forms: Forms) -> str:
    """Return the form of a multiword token, with the capital of the first of its words in `forms`."""
    for word in words:
        if word in forms:
            form = forms[word]
            return capitalized(spelt) if form == capitalized(form) else uncapitalized(spelt)
    return spelt


def _gaps(draft: Draft, tokens: Sequence[Token], forms: Forms) -> list[str]:
    """Return the space before, between and after tokens: between old neighbours what it was."""
    stored, size = draft.stored.gaps, draft.stored.size
    gaps = [stored[0]]
    for (_, _, left), (_, right, _) in pairwise(tokens):
        gaps.append(stored[left] if right == left + 1 <= size else _new_gap(draft, left, right, forms))
    gaps.append(stored[size])
    return gaps


def _new_gap(draft: Draft, left: int, right: int, forms: Forms) -> str:
    """Return the space between two new neighbours, by their forms."""
    before, after = forms.get(left, draft.form(left)), forms.get(right, draft.form(right))
    if draft.is_punct(right) and _closes(draft, right, after):
        return ""
    if draft.is_punct(left) and _opens(draft, left, before):
        return ""
    return "" if _was_written_on(draft, right) and is_clitic(after) else " "


def _closes(draft: Draft, word: int, form: str) -> bool:
    if form in QUOTES:
        return _was_written_on(draft, word) and _space_after(draft, word)
    return CLOSING.issuperset(form)


def _opens(draft: Draft, word: int, form: str) -> bool:
    if form in QUOTES:
        written_on = _was_written_on(draft, word) or word > draft.stored.size
        return not written_on and not _space_after(draft, word)
    return OPENING.issuperset(form)


def _was_written_on(draft: Draft, word: int) -> bool:
    """Return whether a stored word followed another one without a space."""
    return 1 < word <= draft.stored.size and not draft.stored.gaps[word - 1]


def _space_after(draft: Draft, word: int) -> bool:
    """Return whether a stored word had a space or the end of the sentence after it."""
    size = draft.stored.size
    return word == size or (word < size and bool(draft.stored.gaps[word]))


def is_clitic(form: str) -> bool:
    """Return whether a form is a clitic if it follows a word without a space."""
    return form.startswith(("'", "’")) or form in ("n't", "n’t")
