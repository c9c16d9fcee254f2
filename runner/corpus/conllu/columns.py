"""The text of one CoNLL-U column into its parts: features, enhanced edges, MISC entries, comments."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import normalize

_TAGS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
UPOS = frozenset(_TAGS.split(" "))
COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")

_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
_DEPS_HEAD = re.compile(r"(0|[1-9][0-9]*)(\.[1-9][0-9]*)?")


@lru_cache(maxsize=1 << 16)
def features(text: str) -> tuple[tuple[str, str], ...] | None:
    """FEATS as (name, value) pairs in NFC, in the order of the file; None where it is malformed."""
    if text == "_":
        return ()
    pairs = []
    for entry in text.split("|"):
        name, equals, value = entry.partition("=")
        if not (name and equals and value):
            return None
        pairs.append((normalize("NFC", name), normalize("NFC", value)))
    if len({name for name, _ in pairs}) != len(pairs):
        return None
    return tuple(pairs)


@lru_cache(maxsize=1 << 16)
def misc(text: str) -> tuple[tuple[str, str, float | None], ...]:
    """MISC as (key, value, value read as a number) in NFC; an entry without `=` has the empty value."""
    if text == "_":
        return ()
    return tuple(keyed(entry) for entry in text.split("|") if entry)


def keyed(entry: str) -> tuple[str, str, float | None]:
    """`key = value` or `key` as key, value and number, without white space around, in NFC."""
    name, _, value = entry.partition("=")
    value = normalize("NFC", value.strip())
    return normalize("NFC", name.strip()), value, number(value)


def number(value: str) -> float | None:
    """The decimal number that a value spells, or None."""
    return float(value) if _NUMBER.fullmatch(value) else None


def edges(text: str) -> list[tuple[str, str]] | None:
    """DEPS as (head, label) pairs, heads as written; None where it is malformed."""
    if text == "_":
        return []
    pairs = []
    for entry in text.split("|"):
        head, colon, label = entry.partition(":")
        if not (colon and label and _DEPS_HEAD.fullmatch(head)):
            return None
        pairs.append((head, label))
    return pairs
