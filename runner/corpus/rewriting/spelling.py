"""Compute the surface of a changed sentence: its multiword tokens, the space between its tokens, and its text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import add

from runner.corpus.rewriting.adapt import Forms, adapted_articles, adapted_case, capitalized, uncapitalized
from runner.corpus.rewriting.draft import Draft
from runner.corpus.rewriting.stored import FORM, UPOS
from runner.corpus.text.surface import MultiwordToken, Token

CLOSING = frozenset(".,;:!?)]}…”’،؛؟۔।॥")
OPENING = frozenset("([{“‘„‚")
QUOTES = ('"', "'", "«", "»", "‹", "›")  # open or close, as their spacing in the text says
LOW_QUOTES = {"“": "„", "‘": "‚"}  # marks that close in a sentence with the other one, such as „so“

# Scripts without spaces between words: Thai, Lao, Burmese, Khmer, Chinese and Japanese, with their full-width signs.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u312f\u3190-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"
    "\uff00-\uff9f\U00020000-\U0003ffff]"
)


@dataclass(frozen=True, slots=True)
class Spelling:
    """The surface of a changed sentence.

    `kept_tokens` are its multiword tokens. `forms` maps each word to its form if this differs from the draft.
    `new_gaps` maps each word that is followed by another word than before to the white space after it.
    """

    draft: Draft
    kept_tokens: Sequence[MultiwordToken]
    forms: Forms
    new_gaps: Mapping[int, str]

    @property
    def undone(self) -> int:
        """The number of stored multiword tokens that are not kept."""
        return len(self.draft.stored.tokens) - len(self.kept_tokens)

    @property
    def text(self) -> str:
        """The text of the sentence."""
        stored, order = self.draft.stored, self.draft.order
        surface_forms, gaps = dict(self.forms), {**self.new_gaps, order[-1]: stored.gaps[stored.size]}
        for token in self.kept_tokens:
            words = range(token.start, token.end + 1)
            surface_forms |= {**dict.fromkeys(words, ""), token.start: token_form(token.form, words, self.forms)}
            gaps |= dict.fromkeys(words[:-1], "")
        stored_gaps = stored.gaps
        spaces = [gaps[word] if word in gaps else stored_gaps[word] for word in order]
        return stored_gaps[0] + "".join(map(add, self.draft.forms(surface_forms), spaces))

    def tokens(self) -> list[Token]:
        """Return the surface tokens in order."""
        tokens, kept_tokens = [], {token.start: token for token in self.kept_tokens}
        non_initial_words = {word for token in self.kept_tokens for word in range(token.start + 1, token.end + 1)}
        for word, form in zip(self.draft.order, self.draft.forms(self.forms), strict=True):
            if token := kept_tokens.get(word):
                words = range(token.start, token.end + 1)
                tokens.append(Token(token_form(token.form, words, self.forms), token.start, token.end))
            elif word not in non_initial_words:
                tokens.append(Token(form, word, word))
        return tokens

    def gap_after(self, word: int) -> str:
        """Return the white space after a word that is the last one of its surface token."""
        return self.new_gaps[word] if word in self.new_gaps else self.draft.stored.gaps[word]


def spell(draft: Draft, as_is: frozenset[str]) -> Spelling:
    """Return the surface of a sentence after all actions. `as_is` names what is not adapted: `case`, `article`."""
    kept_tokens, new_neighbours = _kept_tokens(draft), draft.new_neighbours()
    forms = {} if "case" in as_is else adapted_case(draft)
    if "article" not in as_is:
        token_words = frozenset(word for token in kept_tokens for word in range(token.start, token.end + 1))
        forms |= adapted_articles(draft, forms, new_neighbours, token_words)
    order = draft.order
    new_gaps = {order[index]: _new_gap(draft, order[index], order[index + 1], forms) for index in new_neighbours}
    return Spelling(draft, kept_tokens, forms, new_gaps)


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
            positions.get(word) == first + offset and draft.form(word) == rows[word][FORM]
            for offset, word in enumerate(words)
        ):
            kept_tokens.append(token)
    return kept_tokens


def token_form(old_form: str, words: Iterable[int], forms: Forms) -> str:
    """Return the form of a multiword token. Its case is determined by its first word in `forms`, if there is one."""
    for word in words:
        if word in forms:
            form = forms[word]
            return capitalized(old_form) if form == capitalized(form) else uncapitalized(old_form)
    return old_form


def _new_gap(draft: Draft, left: int, right: int, forms: Forms) -> str:
    """Return the space between two words that have become adjacent. `forms` has their new forms, if any."""
    left_row, right_row = draft.row(left), draft.row(right)
    left_form, right_form = forms.get(left, left_row[FORM]), forms.get(right, right_row[FORM])
    if right_row[UPOS] == "PUNCT" and _closes(draft, right, right_form):
        return ""
    if left_row[UPOS] == "PUNCT" and _opens(draft, left, left_form):
        return ""
    if _had_no_space_before(draft, right) and is_clitic(right_form):
        return ""
    is_in_unspaced_script = ends_unspaced(left_form) or begins_unspaced(right_form)
    return "" if is_in_unspaced_script and not _had_space_between(draft, left, right) else " "


def ends_unspaced(form: str) -> bool:
    """Return whether a form ends with a character of a script without spaces between words."""
    return not form.isascii() and _UNSPACED.match(form[-1:]) is not None


def begins_unspaced(form: str) -> bool:
    """Return whether a form begins with a character of a script without spaces between words."""
    return not form.isascii() and _UNSPACED.match(form) is not None


def _had_space_between(draft: Draft, left: int, right: int) -> bool:
    """Return whether a stored word had a space after it, or another one before it, within the sentence."""
    size, gaps = draft.stored.size, draft.stored.gaps
    return (left < size and bool(gaps[left])) or (1 < right <= size and bool(gaps[right - 1]))


def _closes(draft: Draft, word: int, form: str) -> bool:
    if form in QUOTES:
        return _had_no_space_before(draft, word) and _had_space_after(draft, word)
    return CLOSING.issuperset(form) or _closes_low_quote(draft, form)


def _closes_low_quote(draft: Draft, form: str) -> bool:
    """Return whether a quotation mark closes, because the stored sentence has the low mark that opens."""
    low_quote = LOW_QUOTES.get(form)
    return low_quote is not None and any(row[FORM] == low_quote for row in draft.stored.rows[1:])


def _opens(draft: Draft, word: int, form: str) -> bool:
    if form in QUOTES:
        no_space_before = _had_no_space_before(draft, word) or word > draft.stored.size
        return not no_space_before and not _had_space_after(draft, word)
    return OPENING.issuperset(form) and not _closes_low_quote(draft, form)


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
