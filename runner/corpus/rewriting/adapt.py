"""Adapt capital letters and English articles to a new order of words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from runner.article import article
from runner.corpus.rewriting.draft import Draft
from runner.corpus.rewriting.stored import FEATS, FORM, LEMMA, UPOS

Forms = dict[int, str]  # word → its form, if it differs from the form in the draft

# Letters whose names begin with a vowel sound, for words in capitals that are pronounced letter by letter.
_LETTERS_WITH_AN = frozenset("AEFHILMNORSX")
_VOWELS = frozenset("AEIOU")
_DIGITS = re.compile("[0-9]+")


def adapted_case(draft: Draft) -> Forms:
    """Return the changed forms of the old and the new first word.

    They change only if these are different words and the old one began with a capital. The first word of a sentence is
    the first one that contains a letter.
    """
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
    """Return a form with its first letter in upper case."""
    index = _first_letter(form)
    return form if index is None else form[:index] + form[index].upper() + form[index + 1 :]


def uncapitalized(form: str) -> str:
    """Return a form with its first letter in lower case."""
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
    """Return whether a form contains a letter."""
    return _first_letter(form) is not None


@lru_cache(65_536)
def _first_letter(form: str) -> int | None:
    return next((index for index, char in enumerate(form) if char.isalpha()), None)


def begins_with_capital(form: str) -> bool:
    """Return whether the first letter of a form is upper case."""
    index = _first_letter(form)
    return index is not None and form[index].isupper()


# --- articles


def adapted_articles(draft: Draft, forms: Forms, new_neighbours: Iterable[int], fixed_words: frozenset[int]) -> Forms:
    """Return the new forms of the articles that are followed by a different word than before.

    `forms` are the forms that have already changed, and `new_neighbours` is the result of `Draft.new_neighbours`. The
    forms of `fixed_words` do not change.
    """
    article_forms: Forms = {}
    for index in new_neighbours:
        word = draft.order[index]
        row = draft.row(word)
        if row[UPOS] != "DET" or row[LEMMA] != "a" or is_definite(row[FEATS]) or word in fixed_words:
            continue
        form = forms.get(word, row[FORM])
        if not is_article(form):
            continue
        pronounced_word = _first_pronounced(draft, draft.order[index + 1 :])
        if pronounced_word is not None:
            article_forms[word] = with_case_of(
                form, indefinite(forms.get(pronounced_word, draft.form(pronounced_word)))
            )
    return {word: form for word, form in article_forms.items() if form != forms.get(word, draft.form(word))}


def _first_pronounced(draft: Draft, words: Sequence[int]) -> int | None:
    return next((word for word in words if not draft.is_punct(word)), None)


def is_article(form: str) -> bool:
    """Return whether a form is *a* or *an*."""
    return form.lower() in ("a", "an")


def is_definite(feats: str) -> bool:
    """Return whether a FEATS column has `Definite=Def`, as for the article *a* of Hungarian."""
    return "Definite=Def" in feats.split("|")


def indefinite(next_word: str) -> str:
    """Return the article, `a` or `an`, before a word, by the word's pronunciation.

    A number takes *an* if it is 11 or 18, or begins with 8. A word in capitals without a vowel after its first letter
    is pronounced letter by letter. Any other word is pronounced as a word.
    """
    if digits := _DIGITS.match(next_word):
        return "an" if digits[0] in ("11", "18") or digits[0].startswith("8") else "a"
    if next_word.isupper() and not _VOWELS.intersection(next_word[1:]):
        return "an" if next_word[0] in _LETTERS_WITH_AN else "a"
    return article(next_word.lower())
