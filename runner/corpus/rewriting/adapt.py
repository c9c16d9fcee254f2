"""Adapt capital letters and English articles to a new order of words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from runner.article import article
from runner.corpus.rewriting.draft import Draft
from runner.corpus.rewriting.stored import FORM, LEMMA, UPOS

Forms = dict[int, str]  # the forms that differ from those of the draft

# Letters whose names begin with a vowel sound, for words in capitals that are spelt letter by letter.
_SPELT_WITH_AN = frozenset("AEFHILMNORSX")
_VOWELS = frozenset("AEIOU")
_DIGITS = re.compile("[0-9]+")


def adapted_case(draft: Draft) -> Forms:
    """Return the new forms of the old and the new first word, if they differ and the old one began with a capital.

    The first word is the first that holds a letter.
    """
    rows = draft.stored.rows
    old = next((word for word in range(1, len(rows)) if has_letter(rows[word][1])), None)
    new = next((word for word in draft.order if has_letter(draft.form(word))), None)
    if old is None or new is None or old == new or not begins_with_capital(rows[old][1]):
        return {}
    forms = {new: capitalized(draft.form(new))}
    row = draft.row(old)
    if old not in draft.deleted and not keeps_capital(row[FORM], row[LEMMA], row[UPOS]):
        forms[old] = uncapitalized(draft.form(old))
    return {word: form for word, form in forms.items() if form != draft.form(word)}


def capitalized(form: str) -> str:
    """Return a form with its first letter in upper case."""
    place = _first_letter(form)
    return form if place is None else form[:place] + form[place].upper() + form[place + 1 :]


def uncapitalized(form: str) -> str:
    """Return a form with its first letter in lower case."""
    place = _first_letter(form)
    return form if place is None else form[:place] + form[place].lower() + form[place + 1 :]


def keeps_capital(form: str, lemma: str, upos: str) -> bool:
    """Return whether a word that loses the first place is a name, *I* or has other capitals."""
    place = _first_letter(form)
    if upos == "PROPN" or lemma[:1].isupper() or form == "I" or form.startswith(("I'", "I’")):
        return True
    return place is not None and any(map(str.isupper, form[place + 1 :]))


def has_letter(form: str) -> bool:
    """Return whether a form holds a letter."""
    return _first_letter(form) is not None


@lru_cache(65_536)
def _first_letter(form: str) -> int | None:
    return next((place for place, char in enumerate(form) if char.isalpha()), None)


def begins_with_capital(form: str) -> bool:
    """Return whether the first letter of a form is upper case."""
    place = _first_letter(form)
    return place is not None and form[place].isupper()


# --- articles


def adapted_articles(draft: Draft, forms: Forms, fixed: frozenset[int]) -> Forms:
    """Return the new forms of the articles before a new neighbour.

    `forms` are the forms that have changed already; `fixed` are words whose form cannot change.
    """
    adapted: Forms = {}
    size = draft.stored.size
    for place, (word, following) in enumerate(pairwise(draft.order)):
        if following == word + 1 <= size or word in fixed:
            continue
        row, form = draft.row(word), forms.get(word, draft.form(word))
        if row[UPOS] != "DET" or row[LEMMA] != "a" or not is_article(form):
            continue
        sounded = _next_sounded(draft, draft.order[place + 1 :])
        if sounded is not None:
            adapted[word] = with_case_of(form, indefinite(forms.get(sounded, draft.form(sounded))))
    return {word: form for word, form in adapted.items() if form != forms.get(word, draft.form(word))}


def _next_sounded(draft: Draft, words: Sequence[int]) -> int | None:
    return next((word for word in words if not draft.is_punct(word)), None)


def is_article(form: str) -> bool:
    """Return whether a form is *a* or *an*."""
    return form.lower() in ("a", "an")


def with_case_of(form: str, new: str) -> str:
    """Return the article `new` in the case of an article."""
    if not form[0].isupper():
        return new
    return new.upper() if form.isupper() and len(form) > 1 else new.capitalize()


def indefinite(following: str) -> str:
    """Return the article, `a` or `an`, before a word, by its sound.

    A number takes *an* if it is 11 or 18 or begins with 8. A word in capitals without a vowel after its first letter is
    spelt letter by letter; any other is read as a word.
    """
    if digits := _DIGITS.match(following):
        return "an" if digits[0] in ("11", "18") or digits[0].startswith("8") else "a"
    if following.isupper() and not _VOWELS.intersection(following[1:]):
        return "an" if following[0] in _SPELT_WITH_AN else "a"
    return article(following.lower())
