"""The words of a vocabulary with the tags that templates give them, and sentences as such words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from runner.score.suite_files import csv_records, suite_text
from runner.trees.templates import HEAD, Tag, Templates

_CLITIC = re.compile(r"(?<=.)(n't|'s|')$")
_COLUMNS = ("expression", "category", "root")


@dataclass(frozen=True, slots=True)
class Token:
    """What white space surrounds: a word, or words that are written as one, such as *is* and *n't*."""

    text: str
    words: tuple[str, ...]
    space_after: bool


def read_vocabulary(path: Path) -> list[Mapping[str, str]]:
    """Return the rows of BLiMP's vocabulary. Raises InputError (FICT811, FICT812) for another table."""
    return [record for _, record in csv_records(path, suite_text(path), _COLUMNS)]


class Lexicon:
    """The tags of each form, by number, with the lemma that the form then has."""

    def __init__(self, templates: Templates, vocabulary: Iterable[Mapping[str, str]]) -> None:
        self._lemmas: dict[str, dict[int, str]] = {}
        by_category: dict[str, list[Mapping[str, str]]] = {}
        for row in vocabulary:
            by_category.setdefault(row["category"], []).append(row)
        for number, tag in enumerate(templates.tags):
            for form, lemma in _forms(tag, by_category):
                self._lemmas.setdefault(form, {}).setdefault(number, lemma)

    def tags(self, form: str, *, first: bool) -> frozenset[int]:
        """Return the tags of a form, which may begin with a capital if it is the `first` of its sentence."""
        return self._tags(form) | (self._tags(_uncapitalized(form)) if first else frozenset())

    @cache  # noqa: B019 - a lexicon lives as long as its process
    def _tags(self, form: str) -> frozenset[int]:
        return frozenset(self._lemmas.get(form, ()))

    def lemma(self, form: str, tag: int) -> str:
        lemmas = self._lemmas.get(form, {})
        return lemmas[tag] if tag in lemmas else self._lemmas[_uncapitalized(form)][tag]


def _uncapitalized(form: str) -> str:
    return form[0].lower() + form[1:]


def _forms(tag: Tag, by_category: Mapping[str, Sequence[Mapping[str, str]]]) -> Iterator[tuple[str, str]]:
    if tag.words is not None:
        yield from tag.words.items()
        return
    terms = [term.split("=", 1) for term in tag.query]
    categories = next((value.split("|") for key, value in terms if key == "category"), by_category)
    pattern = tag.pattern.split()
    for category in categories:
        for row in by_category.get(category, ()):
            expression = row["expression"].split()
            if all((row.get(key) or "0") in value.split("|") for key, value in terms) and _fits(pattern, expression):
                place = next(place for place, word in enumerate(pattern) if word.startswith(HEAD))
                lemma = (row["root"].partition("_")[0] or row.get("singularform") or row["expression"]).split()
                yield expression[place], lemma[place]


def _fits(pattern: Sequence[str], expression: Sequence[str]) -> bool:
    return len(pattern) == len(expression) and all(
        word == HEAD or re.fullmatch(word.removeprefix(HEAD), form)
        for word, form in zip(pattern, expression, strict=True)
    )


def tokens(sentence: str) -> list[Token]:
    """Split a sentence at white space, clitics and the last punctuation mark: *can't* is *ca* and *n't*."""
    found = []
    for text in re.findall(r"[^\s.?]+|[.?]", sentence):
        clitic = _CLITIC.search(text)
        words = (text,) if clitic is None else (text[: clitic.start()], clitic[0])
        found.append(Token(text, words, space_after=True))
    return [
        Token(token.text, token.words, space_after=following is None or following.text not in ".?")
        for token, following in zip(found, [*found[1:], None], strict=True)
    ]
