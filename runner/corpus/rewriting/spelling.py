"""Compute the surface of a changed sentence: its multiword tokens, the space between its tokens, and its text."""

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
    """The surface tokens of a changed sentence, in order.

    `gaps` has the white space before, between and after the tokens. `forms` has the forms of words that differ from
    their forms in the draft. `undone` is the number of multiword tokens whose words are no longer adjacent.
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
    """Return the surface of a sentence after all actions. `as_is` has `case` and `article` if these are not adapted."""
    kept_tokens = _kept_tokens(draft)
    case_forms = {} if "case" in as_is else adapted_case(draft)
    token_words = frozenset(word for token in kept_tokens for word in range(token.start, token.end + 1))
    forms = case_forms if "article" in as_is else {**case_forms, **adapted_articles(draft, case_forms, token_words)}
    tokens = _tokens(draft, kept_tokens, forms)
    return Spelling(tokens, _gaps(draft, tokens, forms), forms, len(draft.stored.tokens) - len(kept_tokens))


def _kept_tokens(draft: Draft) -> list[MultiwordToken]:
    """Return the multiword tokens whose words are still adjacent, in the same order and with the same forms."""
    tokens, rows = draft.stored.tokens, draft.stored.rows
    if not tokens:
        return []
    positions = {word: index for index, word in enumerate(draft.order)}
    kept_tokens = []
    for token in tokens:
        words = range(token.start, token.end + 1)
        first = positions.get(token.start)
        if first is not None and all(
            positions.get(word) == first + offset and draft.form(word) == rows[word][1]
            for offset, word in enumerate(words)
        ):
            kept_tokens.append(token)
    return kept_tokens


def _tokens(draft: Draft, kept_tokens: Sequence[MultiwordToken], forms: Forms) -> list[Token]:
    if not kept_tokens:
        return [Token(form, word, word) for word, form in zip(draft.order, draft.forms(forms), strict=True)]
    tokens: list[Token] = []
    starts = {token.start: token for token in kept_tokens}
    non_initial_words = {word for token in kept_tokens for word in range(token.start + 1, token.end + 1)}
    for word in draft.order:
        if word in starts:
            token = starts[word]
            tokens.append(
                Token(token_form(token.form, range(token.start, token.end + 1), forms), token.start, token.end)
            )
        elif word not in non_initial_words:
            tokens.append(Token(forms.get(word, draft.form(word)), word, word))
    return tokens


def token_form(old_form: str, words: Iterable[int], forms: Forms) -> str:
    """Return the form of a multiword token. Its case is determined by its first word in `forms`, if there is one."""
    for word in words:
        if word in forms:
            form = forms[word]
            return capitalized(old_form) if form == capitalized(form) else uncapitalized(old_form)
    return old_form


def _gaps(draft: Draft, tokens: Sequence[Token], forms: Forms) -> list[str]:
    """Return the space before, between and after tokens. Between tokens that were adjacent before, it is unchanged."""
    stored, size = draft.stored.gaps, draft.stored.size
    gaps = [stored[0]]
    for (_, _, left), (_, right, _) in pairwise(tokens):
        gaps.append(stored[left] if right == left + 1 <= size else _new_gap(draft, left, right, forms))
    gaps.append(stored[size])
    return gaps


def _new_gap(draft: Draft, left: int, right: int, forms: Forms) -> str:
    """Return the space between two words that are now adjacent, which depends on their forms."""
    left_form, right_form = forms.get(left, draft.form(left)), forms.get(right, draft.form(right))
    if draft.is_punct(right) and _closes(draft, right, right_form):
        return ""
    if draft.is_punct(left) and _opens(draft, left, left_form):
        return ""
    return "" if _had_no_space_before(draft, right) and is_clitic(right_form) else " "


def _closes(draft: Draft, word: int, form: str) -> bool:
    if form in QUOTES:
        return _had_no_space_before(draft, word) and _had_space_after(draft, word)
    return CLOSING.issuperset(form)


def _opens(draft: Draft, word: int, form: str) -> bool:
    if form in QUOTES:
        no_space_before = _had_no_space_before(draft, word) or word > draft.stored.size
        return not no_space_before and not _had_space_after(draft, word)
    return OPENING.issuperset(form)


def _had_no_space_before(draft: Draft, word: int) -> bool:
    """Return whether a stored word followed another word without a space."""
    return 1 < word <= draft.stored.size and not draft.stored.gaps[word - 1]


def _had_space_after(draft: Draft, word: int) -> bool:
    """Return whether a stored word had a space or the end of the sentence after it."""
    size = draft.stored.size
    return word == size or (word < size and bool(draft.stored.gaps[word]))


def is_clitic(form: str) -> bool:
    """Return whether a form is a clitic if it follows a word without a space."""
    return form.startswith(("'", "’")) or form in ("n't", "n’t")
