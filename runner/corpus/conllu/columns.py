"""Parse single values of the columns FEATS, DEPS and MISC, and comments."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import normalize

_TAGS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
UPOS = frozenset(_TAGS.split(" "))

_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
_DEPS_HEAD = re.compile(r"(0|[1-9][0-9]*)(\.[1-9][0-9]*)?")


@lru_cache(maxsize=1 << 16)
def parse_feats(text: str) -> tuple[tuple[str, str], ...] | None:
    """Return FEATS as (name, value) pairs in NFC, in the order of the file, or None if the value is malformed."""
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
def parse_misc(text: str) -> tuple[tuple[str, str, float | None], ...]:
    """Return MISC as (key, value, number) triples in NFC.

    The value of an entry without `=` is empty. The number is None unless the value is a decimal number.
    """
    if text == "_":
        return ()
    return tuple(parse_entry(entry) for entry in text.split("|") if entry)


def parse_entry(entry: str) -> tuple[str, str, float | None]:
    """Split `key = value` or `key` into key, value and number, in NFC and without surrounding white space."""
    key, _, value = entry.partition("=")
    value = normalize("NFC", value.strip())
    return normalize("NFC", key.strip()), value, parse_number(value)


def parse_comment(comment: str) -> tuple[str, str, float | None]:
    """Split a comment as `parse_entry` does. White space within the key is one space: `newdoc  id`."""
    key, value, number = parse_entry(comment)
    return " ".join(key.split()), value, number


def parse_number(value: str) -> float | None:
    """Return the value of a decimal number, or None if `value` is not a decimal number."""
    return float(value) if _NUMBER.fullmatch(value) else None


def parse_deps(text: str) -> list[tuple[str, str]] | None:
    """Return DEPS as (head, label) pairs, with heads as in the file, or None if the value is malformed."""
    if text == "_":
        return []
    pairs = []
    for entry in text.split("|"):
        head, colon, label = entry.partition(":")
        if not (colon and label and _DEPS_HEAD.fullmatch(head)):
            return None
        pairs.append((head, label))
    return pairs
