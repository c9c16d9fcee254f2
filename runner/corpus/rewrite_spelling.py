"""Compute the surface of a changed sentence: capitals, articles, spaces, multiword tokens, CoNLL-U."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import add

from fictdsl.words import article
from runner.corpus.rewrite_draft import (
    FEATS,
    FORM,
    HEAD,
    LEMMA,
    SPACE_AFTER_KEYS,
    UPOS,
    EditedTree,
    spacing,
)
from runner.corpus.surface import MultiwordToken, Token

Forms = dict[int, str]  # word → its form, if it differs from the form in the draft

# Letters whose names begin with a vowel sound, for words in capitals that are pronounced letter by letter.
_LETTERS_WITH_AN = frozenset("AEFHILMNORSX")
_VOWELS = frozenset("AEIOU")
_DIGITS = re.compile("[0-9]+")


def adapted_case(draft: EditedTree) -> Forms:
    """Return the changed forms of the old and the new first word with a letter, if the old one has a capital."""
    rows = draft.stored.rows
    old_first = next((word for word in range(1, len(rows)) if has_letter(rows[word][1])), None)
    new_first = next((word for word in draft.order if has_letter(draft.form(word))), None)
    if old_first is None or new_first is None or old_first == new_first or not begins_with_capital(rows[old_first][1]):
        return {}
    forms = {new_first: capitalized(draft.form(new_first))}
    row = draft.row(old_first)
    if old_first not in draft.deleted and not keeps_capital(row[FORM], row[LEMMA], row[UPOS]):
        forms[old_first] = uncapitalized(draft.form(old_first))
    return {word: form for word, form in forms.items() if form != draft.form(word)}


def capitalized(form: str) -> str:
    index = _first_letter(form)
    return form if index is None else form[:index] + form[index].upper() + form[index + 1 :]


def uncapitalized(form: str) -> str:
    index = _first_letter(form)
    return form if index is None else form[:index] + form[index].lower() + form[index + 1 :]


def keeps_capital(form: str, lemma: str, upos: str) -> bool:
    """Return whether a word that is no longer first keeps its capital: a name, *I*, or a word with more capitals."""
    index = _first_letter(form)
    if upos == "PROPN" or lemma[:1].isupper() or form == "I" or form.startswith(("I'", "I’")):
        return True
    return index is not None and any(map(str.isupper, form[index + 1 :]))


def with_case_of(form: str, new_form: str) -> str:
    """Return `new_form`, capitalized if `form` is, or in capitals if `form` is and has several letters."""
    if not begins_with_capital(form):
        return new_form
    return new_form.upper() if form.isupper() and sum(map(str.isalpha, form)) > 1 else capitalized(new_form)


def has_letter(form: str) -> bool:
    return _first_letter(form) is not None


@lru_cache(65_536)
def _first_letter(form: str) -> int | None:
    return next((index for index, char in enumerate(form) if char.isalpha()), None)


def begins_with_capital(form: str) -> bool:
    index = _first_letter(form)
    return index is not None and form[index].isupper()


def adapted_articles(
    draft: EditedTree, forms: Forms, new_neighbours: Iterable[int], fixed_words: frozenset[int]
) -> Forms:
    """Return the changed forms of the articles before new words. The forms of `fixed_words` do not change."""
    article_forms: Forms = {}
    for index in new_neighbours:
        word = draft.order[index]
        row = draft.row(word)
        if row[UPOS] != "DET" or row[LEMMA] != "a" or is_definite(row[FEATS]) or word in fixed_words:
            continue
        form = forms.get(word, row[FORM])
        if not is_article(form):
            continue
        pronounced_word = next((word for word in draft.order[index + 1 :] if not draft.is_punct(word)), None)
        if pronounced_word is not None:
            article_forms[word] = with_case_of(
                form, indefinite(forms.get(pronounced_word, draft.form(pronounced_word)))
            )
    return {word: form for word, form in article_forms.items() if form != forms.get(word, draft.form(word))}


def is_article(form: str) -> bool:
    return form.lower() in ("a", "an")


def is_definite(feats: str) -> bool:
    return "Definite=Def" in feats.split("|")


def indefinite(next_word: str) -> str:
    """Return the article before a word, by the word's pronunciation.

    *11*, *18* and numbers that begin with 8 take *an*. A word in capitals without a vowel after its first letter is
    pronounced letter by letter.
    """
    if digits := _DIGITS.match(next_word):
        return "an" if digits[0] in ("11", "18") or digits[0].startswith("8") else "a"
    if next_word.isupper() and not _VOWELS.intersection(next_word[1:]):
        return "an" if next_word[0] in _LETTERS_WITH_AN else "a"
    return article(next_word.lower())


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
    """The surface of a changed sentence, by the words of the draft.

    `forms` has the forms that differ from the draft, and `new_gaps` the white space after each word that is followed by
    another word than before.
    """

    draft: EditedTree
    kept_tokens: Sequence[MultiwordToken]
    forms: Forms
    new_gaps: Mapping[int, str]

    @property
    def undone(self) -> int:
        return len(self.draft.stored.tokens) - len(self.kept_tokens)

    @property
    def text(self) -> str:
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
        return self.new_gaps[word] if word in self.new_gaps else self.draft.stored.gaps[word]


def spell(draft: EditedTree, as_is: frozenset[str]) -> Spelling:
    """`as_is` names what is not adapted: `case`, `article`."""
    kept_tokens, new_neighbours = _kept_tokens(draft), draft.new_neighbours()
    forms = {} if "case" in as_is else adapted_case(draft)
    if "article" not in as_is:
        token_words = frozenset(word for token in kept_tokens for word in range(token.start, token.end + 1))
        forms |= adapted_articles(draft, forms, new_neighbours, token_words)
    order = draft.order
    new_gaps = {order[index]: _new_gap(draft, order[index], order[index + 1], forms) for index in new_neighbours}
    return Spelling(draft, kept_tokens, forms, new_gaps)


def _kept_tokens(draft: EditedTree) -> list[MultiwordToken]:
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


def _new_gap(draft: EditedTree, left: int, right: int, forms: Forms) -> str:
    left_row, right_row = draft.row(left), draft.row(right)
    left_form, right_form = forms.get(left, left_row[FORM]), forms.get(right, right_row[FORM])
    if right_row[UPOS] == "PUNCT" and _closes(draft, right, right_form):
        return ""
    if left_row[UPOS] == "PUNCT" and _opens(draft, left, left_form):
        return ""
    if _had_no_space_before(draft, right) and is_clitic(right_form):
        return ""
    if not (ends_unspaced(left_form) or begins_unspaced(right_form)):
        return " "
    size, gaps = draft.stored.size, draft.stored.gaps
    had_space = (left < size and gaps[left]) or (1 < right <= size and gaps[right - 1])
    return " " if had_space else ""


def ends_unspaced(form: str) -> bool:
    return not form.isascii() and _UNSPACED.match(form[-1:]) is not None


def begins_unspaced(form: str) -> bool:
    return not form.isascii() and _UNSPACED.match(form) is not None


def _closes(draft: EditedTree, word: int, form: str) -> bool:
    if form in QUOTES:
        return _had_no_space_before(draft, word) and _had_space_after(draft, word)
    return CLOSING.issuperset(form) or _closes_low_quote(draft, form)


def _closes_low_quote(draft: EditedTree, form: str) -> bool:
    low_quote = LOW_QUOTES.get(form)
    return low_quote is not None and any(row[FORM] == low_quote for row in draft.stored.rows[1:])


def _opens(draft: EditedTree, word: int, form: str) -> bool:
    if form in QUOTES:
        no_space_before = _had_no_space_before(draft, word) or word > draft.stored.size
        return not no_space_before and not _had_space_after(draft, word)
    return OPENING.issuperset(form) and not _closes_low_quote(draft, form)


def _had_no_space_before(draft: EditedTree, word: int) -> bool:
    return 1 < word <= draft.stored.size and not draft.stored.gaps[word - 1]


def _had_space_after(draft: EditedTree, word: int) -> bool:
    size = draft.stored.size
    return word == size or (word < size and bool(draft.stored.gaps[word]))


def is_clitic(form: str) -> bool:
    return form.startswith(("'", "’")) or form in ("n't", "n’t")


_TEXT = re.compile(r"#[ \t]*text[ \t]*=")
_SPACE_BEFORE_KEYS = ("SpacesBefore",)
_STALE_KEYS = ("start_char", "end_char", "TokenRange", "Entity")  # entries of MISC that describe the old text


def as_conllu(draft: EditedTree, spelling: Spelling) -> str:
    """Return the lines with new ids, without empty nodes, enhanced edges and entries that describe the old text."""
    numbers = {word: number for number, word in enumerate(draft.order, start=1)} | {0: 0}
    heads = draft.heads()
    lines = _comments(draft.stored.comments, spelling.text)
    tokens = spelling.tokens()
    for index, token in enumerate(tokens):
        if token.first != token.last:
            misc = _misc(spelling, tokens, index, draft.stored.token_miscs[token.last])
            token_id = f"{numbers[token.first]}-{numbers[token.last]}"
            lemma_to_feats = draft.stored.token_rows[token.first][LEMMA:HEAD]
            lines.append("\t".join([token_id, token.form, *lemma_to_feats, *"___", misc]))
        for word in range(token.first, token.last + 1):
            row = list(draft.row(word))
            row[0], row[1] = str(numbers[word]), spelling.forms.get(word, row[1])
            row[6], row[8] = str(numbers[heads[word]]), "_"
            if heads[word] == 0 and (word in draft.inserted or draft.stored.heads[word]):
                row[7] = "root"
            row[9] = (
                _misc(spelling, tokens, index, row[9]) if token.first == token.last else _without_stale_entries(row[9])
            )
            lines.append("\t".join(row))
    line_end = draft.stored.end
    return "\n".join(line + line_end for line in lines)


def _comments(comments: Sequence[str], text: str) -> list[str]:
    lines = list(comments)
    for index, comment in enumerate(lines):
        if match := _TEXT.match(comment):
            lines[index] = f"{match[0]} {text}"
            break
    return lines


def _without_stale_entries(misc: str) -> str:
    entries = [entry for entry in misc.split("|") if entry.partition("=")[0] not in _STALE_KEYS]
    return "|".join(entries) or "_"


def _misc(spelling: Spelling, tokens: Sequence[Token], index: int, misc: str) -> str:
    """Return the MISC of a surface token, with entries about spaces as between old neighbours and at the edges."""
    stored, last_index = spelling.draft.stored, len(tokens) - 1
    token = tokens[index]
    misc = _without_stale_entries(misc)
    if index == last_index:
        entries = spacing(stored.token_miscs[stored.size])
    elif tokens[index + 1].first == token.last + 1 <= stored.size and token.last in stored.token_miscs:
        entries = spacing(stored.token_miscs[token.last])
    else:
        entries = [] if spelling.gap_after(token.last) else ["SpaceAfter=No"]
    misc = _with_spacing(misc, SPACE_AFTER_KEYS, entries)
    if index == 0:
        first_misc = next(iter(stored.token_miscs.values()))
        return _with_spacing(misc, _SPACE_BEFORE_KEYS, spacing(first_misc, _SPACE_BEFORE_KEYS))
    was_adjacent = tokens[index - 1].last + 1 == token.first
    return misc if was_adjacent else _with_spacing(misc, _SPACE_BEFORE_KEYS, [])


def _with_spacing(misc: str, keys: Sequence[str], new_entries: Sequence[str]) -> str:
    if spacing(misc, keys) == list(new_entries):
        return misc
    entries = [entry for entry in misc.split("|") if entry != "_" and entry.partition("=")[0] not in keys]
    return "|".join([*entries, *new_entries]) or "_"
