"""The text of a rewritten sentence, and its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fictdsl.words import article
from tests.support.rewriting.words import Multi, Tree, Word

if TYPE_CHECKING:
    from collections.abc import Sequence

TEXTUAL = {"SpaceAfter", "SpacesAfter", "SpacesBefore", "start_char", "end_char", "TokenRange", "Entity"}
Row = tuple[str, str, str, str, frozenset[str], int, str, frozenset[str]]


@dataclass
class Spelt:
    """A sentence that has changed: its text, its rows without spacing, and its multiword tokens (first, last, form)."""

    text: str
    rows: list[Row]
    tokens: list[tuple[int, int, str]]
    undone: int


def spell(tree: Tree, as_is: set[str]) -> Spelt:
    kept = [token for token in tree.tokens if _whole(tree, token)]
    surface = {id(token): token.form for token in kept}
    if "case" not in as_is:
        _adapt_case(tree, kept, surface)
    if "article" not in as_is:
        _adapt_articles(tree, kept)
    text = tree.before + _text(tree, kept, surface) + tree.after
    places = {id(word): place for place, word in enumerate(tree.order, start=1)}
    tokens = [(places[id(t.words[0])], places[id(t.words[-1])], surface[id(t)]) for t in kept]
    rows = [_row(tree, word, places) for word in tree.order]
    return Spelt(text, rows, sorted(tokens), len(tree.tokens) - len(kept))


def _row(tree: Tree, word: Word, places: dict[int, int]) -> Row:
    from tests.support.rewriting.reference import head_left

    head = head_left(tree, word)
    _, form, lemma, upos, xpos, feats, _, label, _, misc = word.columns
    if head is None and (word.inserted or word.head is not None):
        label = "root"
    entries = frozenset(entry for entry in misc.split("|") if entry.partition("=")[0] not in TEXTUAL | {"_"})
    number = 0 if head is None else places[id(head)]
    return form, lemma, upos, xpos, frozenset(feats.split("|")) - {"_"}, number, label, entries


def _whole(tree: Tree, token: Multi) -> bool:
    if any(word.deleted or word.form != word.form_in_file for word in token.words):
        return False
    start = tree.order.index(token.words[0])
    return tree.order[start : start + len(token.words)] == token.words


# --- case and articles


def _letters(form: str) -> list[int]:
    return [place for place, char in enumerate(form) if char.isalpha()]


def _adapt_case(tree: Tree, kept: Sequence[Multi], surface: dict[int, str]) -> None:
    file = sorted((word for word in tree.all if not word.inserted), key=lambda word: word.number)
    was = [word for word in file if _letters(word.form_in_file)]
    is_ = [word for word in tree.order if _letters(word.form)]
    if not was or not is_ or was[0] is is_[0]:
        return
    old, new = was[0], is_[0]
    if not old.form_in_file[_letters(old.form_in_file)[0]].isupper():
        return
    keeps = (
        old.columns[3] == "PROPN"
        or old.columns[2][0].isupper()
        or old.form == "I"
        or old.form[:2] in ("I'", "I’")
        or any(old.form[place].isupper() for place in _letters(old.form)[1:])
    )
    _recase(new, str.upper, kept, surface)
    if not old.deleted and not keeps:
        _recase(old, str.lower, kept, surface)


def _recase(word: Word, change: object, kept: Sequence[Multi], surface: dict[int, str]) -> None:
    before = word.form
    word.columns = [*word.columns[:1], _with_first_letter(before, change), *word.columns[2:]]
    if word.form != before and word.token in kept:
        surface[id(word.token)] = _with_first_letter(surface[id(word.token)], change)


def _with_first_letter(form: str, change: object) -> str:
    letters = _letters(form)
    if not letters:
        return form
    return form[: letters[0]] + change(form[letters[0]]) + form[letters[0] + 1 :]  # type: ignore[operator]


def _adapt_articles(tree: Tree, kept: Sequence[Multi]) -> None:
    for place, word in enumerate(tree.order[:-1]):
        right = tree.order[place + 1]
        if right is word.following or word.token in kept:
            continue
        if word.columns[3] != "DET" or word.columns[2] != "a" or word.form.lower() not in ("a", "an"):
            continue
        if "Definite=Def" in word.columns[5].split("|"):
            continue
        sounded = [other for other in tree.order[place + 1 :] if not other.is_punct]
        if sounded:
            new = _article(sounded[0].form)
            if word.form in ("AN", "aN"):
                new = new.upper() if word.form == "AN" else new
            elif word.form[0] == "A":
                new = new[0].upper() + new[1:]
            word.columns = [*word.columns[:1], new, *word.columns[2:]]


def _article(form: str) -> str:
    if form[0] in "0123456789":
        number = ""
        for char in form:
            if char not in "0123456789":
                break
            number += char
        return "an" if number[0] == "8" or number in ("11", "18") else "a"
    capitals = form == form.upper() and form != form.lower()
    if capitals and not any(char in "AEIOU" for char in form[1:]):
        return "an" if form[0] in "AEFHILMNORSX" else "a"
    return article(form.lower())


# --- space


def _text(tree: Tree, kept: Sequence[Multi], surface: dict[int, str]) -> str:
    text = ""
    for place, word in enumerate(tree.order):
        if word.token in kept and word is not word.token.words[0]:
            continue
        if place:
            text += _space(tree, tree.order[place - 1], word)
        text += surface[id(word.token)] if word.token in kept else word.form
    return text


def _space(tree: Tree, left: Word, right: Word) -> str:
    if left.following is right:
        return right.space_before or ""
    glued_left = not right.inserted and right.previous is not None and right.space_before == ""
    closes = right.is_punct and (
        all(char in ".,;:!?)]}…”’،؛؟۔।॥" for char in right.form)
        or _after_low(tree, right)
        or (right.form in SIDED and glued_left and _spaced_after(right))
    )
    opens = left.is_punct and (
        (all(char in "([{“‘„‚" for char in left.form) and not _after_low(tree, left))
        or (left.form in SIDED and _spaced_before(left) and not _spaced_after(left))
    )
    clitic = glued_left and (right.form[0] in "'’" or right.form in ("n't", "n’t"))
    unspaced = (_unspaced(left.form[-1]) or _unspaced(right.form[0])) and not _spaced_inside(left, right)
    return "" if closes or opens or clitic or unspaced else " "


SIDED = ('"', "'", "«", "»", "‹", "›")
UNSPACED = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x2E80, 0x312F),
    (0x3190, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFF9F),
    (0x20000, 0x3FFFF),
)


def _unspaced(char: str) -> bool:
    return any(first <= ord(char) <= last for first, last in UNSPACED)


def _spaced_inside(left: Word, right: Word) -> bool:
    after = not left.inserted and left.following is not None and left.following.space_before != ""
    return after or (not right.inserted and right.previous is not None and right.space_before != "")


def _after_low(tree: Tree, word: Word) -> bool:
    low = {"“": "„", "‘": "‚"}.get(word.form)
    return low is not None and any(other.form_in_file == low for other in tree.all if not other.inserted)


def _spaced_before(word: Word) -> bool:
    return not word.inserted and (word.previous is None or word.space_before != "")


def _spaced_after(word: Word) -> bool:
    return not word.inserted and (word.following is None or word.following.space_before != "")
