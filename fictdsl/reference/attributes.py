"""Evaluate attributes of words and sentences for the reference interpreter.

An attribute evaluates to a tuple of strings: empty if it is absent, several for a multi-valued feature or a repeated
key. Numeric attributes are evaluated separately, since they are compared as numbers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from fictdsl.reference.sentence import Sentence, Word
from fictdsl.syntax.nodes import Attribute

Values = Callable[[Sentence, Word | None], tuple[str, ...]]
Number = Callable[[Sentence, Word | None], int | None]

_DECIMAL = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


@lru_cache(maxsize=100_000)
def lower(text: str) -> str:
    """Return the lower case of a text as the language defines it: `str.lower`, then NFC."""
    return unicodedata.normalize("NFC", text.lower())


def decimal(text: str) -> Fraction | None:
    """Return the exact value of a decimal number; None if the text is not one."""
    return Fraction(Decimal(text)) if _DECIMAL.fullmatch(text) else None  # Fraction(text) fails beyond 4,300 digits


def is_number(attribute: Attribute) -> bool:
    """Return whether all values of the attribute are numbers: `id`, `form.length`, `sentence[length]`."""
    return attribute.name in _NUMBERS or (attribute.name in {"form", "lemma"} and attribute.key == "length")


def number_of(attribute: Attribute) -> Number:
    """Return a function that evaluates a numeric attribute; it returns None if the word lacks it."""
    match attribute.name:
        case "form":
            return lambda _, word: len(_required(word).form)
        case "lemma":
            return lambda _, word: None if (lemma := _required(word).lemma) is None else len(lemma)
    return _NUMBERS[attribute.name]


def values_of(attribute: Attribute) -> Values:
    """Return a function that evaluates the attribute of a word or of the sentence, with `lower(…)` applied."""
    values = _unlowered(attribute)
    if not attribute.lower:
        return values
    return lambda sentence, word: tuple(lower(value) for value in values(sentence, word))


def _unlowered(attribute: Attribute) -> Values:
    key = attribute.key or ""
    match attribute.name:
        case "form" | "lemma" | "upos" | "xpos" | "deprel" as column:
            return lambda _, word: _as_tuple(getattr(word, column))
        case "token":
            return lambda _, word: _as_tuple(_required(word).token)
        case "feats":
            return lambda _, word: _as_tuple(_feats(_required(word)))
        case "misc":
            return lambda _, word: _required(word).misc.get(key, ())
        case "text" | "sent_id" | "doc" as field:
            return lambda sentence, _: _as_tuple(getattr(sentence, field))
        case "meta":
            return lambda sentence, _: sentence.meta.get(key, ())
        case feature:
            name = feature if attribute.key is None else f"{feature}[{attribute.key}]"
            return lambda _, word: _required(word).feats.get(name, ())


def _feats(word: Word) -> str | None:
    """Return the FEATS column with the features sorted by name, as UD does, without regard to case."""
    names = sorted(word.feats, key=lambda name: (name.lower(), name))
    return "|".join(f"{name}={','.join(word.feats[name])}" for name in names) or None


def runs(sentence: Sentence, word: Word, max_length: int, lowered: bool) -> Iterator[str]:
    """Yield the values of `phrase`: the runs of words that start at `word`, with forms joined by a space.

    Runs with so many words that they must exceed `max_length` characters are omitted.
    """
    run = ""
    for next_word in sentence.words[word.id - 1 : word.id - 1 + (max_length + 1) // 2]:
        run = f"{run} {next_word.form}" if run else next_word.form
        yield lower(run) if lowered else run


_NUMBERS: dict[str, Number] = {
    "id": lambda _, word: _required(word).id,
    "length": lambda sentence, _: len(sentence.words),
}


def _as_tuple(value: str | None) -> tuple[str, ...]:
    return () if value is None else (value,)


def _required(word: Word | None) -> Word:
    assert word is not None, "tests of words occur in nodes only"
    return word
