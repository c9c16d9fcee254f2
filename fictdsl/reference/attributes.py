"""From an attribute as written to the values a word, or the sentence around it, has for it.

Every attribute gives a tuple of values: none where it is absent, several for a multi-valued feature or a
repeated key. Numbers are apart, since they are compared as numbers.
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
    """Lower case as the language defines it: `str.lower`, then NFC."""
    return unicodedata.normalize("NFC", text.lower())


def decimal(text: str) -> Fraction | None:
    """The number a text reads as, exactly; None if it is no decimal number."""
    return Fraction(Decimal(text)) if _DECIMAL.fullmatch(text) else None  # Fraction reads at most 4,300 digits


def is_number(attribute: Attribute) -> bool:
    """Whether the attribute is a number for every word: `id`, `form.length`, `sentence[length]`…"""
    return attribute.name in {"id", "length"} or (attribute.name in {"form", "lemma"} and attribute.key == "length")


def number_of(attribute: Attribute) -> Number:
    """The number itself, or None where the word lacks it."""
    match attribute.name:
        case "id":
            return lambda _, word: _the(word).id
        case "length":
            return lambda sentence, _: len(sentence.words)
        case "form":
            return lambda _, word: len(_the(word).form)
        case "lemma":
            return lambda _, word: None if (lemma := _the(word).lemma) is None else len(lemma)
    raise AssertionError(f"{attribute.name} is no number")


def values_of(attribute: Attribute) -> Values:
    """The strings a word (or the sentence) has for the attribute; `lower(…)` applied."""
    plain = _plain(attribute)
    if not attribute.lower:
        return plain
    return lambda sentence, word: tuple(lower(value) for value in plain(sentence, word))


def _plain(attribute: Attribute) -> Values:
    key = attribute.key or ""
    match attribute.name:
        case "form" | "lemma" | "upos" | "xpos" | "deprel" as column:
            return lambda _, word: _one(getattr(word, column))
        case "misc":
            return lambda _, word: _the(word).misc.get(key, ())
        case "text" | "sent_id" | "doc" as field:
            return lambda sentence, _: _one(getattr(sentence, field))
        case "meta":
            return lambda sentence, _: sentence.meta.get(key, ())
        case feature:
            full = feature if attribute.key is None else f"{feature}[{attribute.key}]"
            return lambda _, word: _the(word).feats.get(full, ())


def runs(sentence: Sentence, word: Word, longest: int, lowered: bool) -> Iterator[str]:
    """`phrase`: the runs of words that start at `word`, forms joined by one space.

    Runs of so many words that they must be longer than `longest` characters are left out.
    """
    run = ""
    for next_word in sentence.words[word.id - 1 : word.id - 1 + (longest + 1) // 2]:
        run = f"{run} {next_word.form}" if run else next_word.form
        yield lower(run) if lowered else run


def _one(value: str | None) -> tuple[str, ...]:
    return () if value is None else (value,)


def _the(word: Word | None) -> Word:
    assert word is not None, "a test of a word stands in a node"
    return word
