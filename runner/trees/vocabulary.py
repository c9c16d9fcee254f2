"""The words of a vocabulary with the tags that templates give them, and sentences as such words."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path

from runner.errors import InputError
from runner.readers import read_text, text_reason
from runner.trees.templates import HEAD, Templates

_CLITIC = re.compile(r"(?<=.)(n't|'s|')$")
_COLUMNS = ("expression", "category", "root")


@dataclass(frozen=True, slots=True)
class Token:
    """What white space surrounds: a word, or words that are written as one, such as *is* and *n't*."""

    text: str
    words: tuple[str, ...]
    space_after: bool


class Vocabulary:
    """A table of words. Each row is a form of a word, which may have several parts, with its features."""

    def __init__(self, path: Path) -> None:
        """Read BLiMP's vocabulary. Raises InputError (FICT880) for another file."""
        self._rows: dict[str, list[Mapping[str, str]]] = {}
        try:
            rows = csv.DictReader(io.StringIO(read_text(path)))
            if missing := [name for name in _COLUMNS if name not in (rows.fieldnames or ())]:
                raise InputError.of("FICT880", path=path, reason=f"it has no column `{missing[0]}`")
            for row in rows:
                self._rows.setdefault(row["category"], []).append(
                    {key: row[key] or "" for key in rows.fieldnames or ()}
                )
        except (OSError, UnicodeDecodeError) as error:
            raise InputError.of("FICT880", path=path, reason=text_reason(error)) from error
        except csv.Error as error:
            raise InputError.of("FICT880", path=path, reason=str(error)) from error

    @cache  # noqa: B019 - one vocabulary is read by a process
    def forms(self, pattern: str, query: tuple[str, ...]) -> list[tuple[str, str]]:
        """Return the forms and lemmas of the word `*` of the rows with these features that fit a pattern."""
        parts = pattern.split()
        place = next(place for place, part in enumerate(parts) if part.startswith(HEAD))
        terms = [(key, value.split("|")) for key, _, value in (term.partition("=") for term in query)]
        categories = next((values for key, values in terms if key == "category"), self._rows)
        found = []
        for row in chain.from_iterable(self._rows.get(category, ()) for category in categories):
            expression = row["expression"].split()
            if all((row.get(key) or "0") in values for key, values in terms) and _fits(parts, expression):
                lemmas = row["root"].partition("_")[0] or row.get("singularform") or row["expression"]
                found.append((expression[place], lemmas.split()[place]))
        return found


class Lexicon:
    """The words of the templates: the slots of each form, and its analyses there."""

    def __init__(self, templates: Templates, vocabulary: Vocabulary) -> None:
        slots = {slot: number for number, slot in enumerate(templates.slots)}
        self._analyses: dict[str, dict[int, dict[str, str]]] = {}  # form → slot → columns after the lemma → lemma
        for tag in templates.tags:
            columns = f"{tag.upos}\t{tag.xpos}\t{tag.feats}"
            listed = tag.words.items() if tag.words is not None else vocabulary.forms(tag.pattern, tag.query)
            for form, lemma in listed:
                of_form = self._analyses.setdefault(form, {})
                of_form.setdefault(slots[tag.symbol, tag.cost], {}).setdefault(columns, lemma)

    @cache  # noqa: B019 - there is one lexicon for a field
    def slots(self, form: str, *, first: bool) -> frozenset[int]:
        """Return the slots of a form, which may begin with a capital if it is the `first` of its sentence."""
        forms = (form, _uncapitalized(form)) if first else (form,)
        return frozenset(slot for each in forms for slot in self._analyses.get(each, ()))

    @cache  # noqa: B019
    def columns(self, form: str, slot: int) -> tuple[str, ...]:
        """Return LEMMA, UPOS, XPOS and FEATS of a form in a slot, separated by tabs, for each analysis."""
        of_form = self._analyses.get(form, {})
        analyses = of_form[slot] if slot in of_form else self._analyses[_uncapitalized(form)][slot]
        return tuple(f"{lemma}\t{columns}" for columns, lemma in analyses.items())


def _uncapitalized(form: str) -> str:
    return form[0].lower() + form[1:]


def _fits(pattern: Sequence[str], expression: Sequence[str]) -> bool:
    return len(pattern) == len(expression) and all(
        word == HEAD or re.fullmatch(word.removeprefix(HEAD), form)
        for word, form in zip(pattern, expression, strict=True)
    )


def tokens(sentence: str) -> list[Token]:
    """Split a sentence at white space, clitics and the last punctuation mark: *can't* is *ca* and *n't*."""
    texts = re.findall(r"[^\s.?]+|[.?]", sentence)
    found = []
    for text, following in zip_longest(texts, texts[1:]):
        clitic = _CLITIC.search(text)
        words = (text,) if clitic is None else (text[: clitic.start()], clitic[0])
        found.append(Token(text, words, space_after=following not in (".", "?")))
    return found
