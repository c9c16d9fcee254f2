"""The attributes of words and sentences: their types, columns, and descriptions in editors and in English."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """The type of an attribute's values, which determines the tests that it supports."""

    STRING = "a string"
    LABEL = "a relation label"  # `=` includes subtypes, `==` does not
    FEATURE = "a feature"  # the value may be a comma-separated list
    STRING_OR_NUMBER = "a string that may be a number"  # values that are numbers are also stored as numbers
    NUMBER = "a number"
    PHRASE = "a phrase"
    FLAG = "true or false"


@dataclass(frozen=True, slots=True)
class AttributeEntry:
    """An attribute with a fixed name.

    `about` is its description in editors, and `noun` its name in descriptions of filters. `column` is its column in the
    table `tokens` or `sentences`. It is None if there is no such column. A `required` attribute is never absent;
    numbers are required. The description of a negated test mentions that an `often_absent` attribute may be absent.
    """

    kind: Kind
    about: str
    noun: str
    column: str | None = None
    required: bool = False
    often_absent: bool = False


WORD: dict[str, AttributeEntry] = {
    "form": AttributeEntry(
        Kind.STRING, "the word as written, case-sensitive; `lower(form)` ignores case", "form", "form", required=True
    ),
    "lemma": AttributeEntry(Kind.STRING, "the lemma, the dictionary form", "lemma", "lemma", often_absent=True),
    "upos": AttributeEntry(Kind.STRING, "the UPOS tag, one of the 17 of UD", "part of speech", "upos"),
    "xpos": AttributeEntry(
        Kind.STRING, "the part-of-speech tag in the treebank's own tag set", "XPOS tag", "xpos", often_absent=True
    ),
    "deprel": AttributeEntry(
        Kind.LABEL, "the relation to the head; `=` includes subtypes, `==` does not", "relation label", "deprel"
    ),
    "id": AttributeEntry(
        Kind.NUMBER, "the position in the sentence, from 1; a number", "position", "id", required=True
    ),
    "misc": AttributeEntry(
        Kind.STRING_OR_NUMBER, "an entry of the MISC column: `misc.SpaceAfter = No`", "MISC entry", often_absent=True
    ),
    "token": AttributeEntry(
        Kind.STRING,
        'the form of the multiword token that the word is part of: `token = "don\'t"`',
        "multiword token",
        often_absent=True,
    ),
    "feats": AttributeEntry(
        Kind.STRING,
        'all features, sorted by name: `feats = "Case=Nom|Number=Sing"`',
        "FEATS value",
        often_absent=True,
    ),
    "phrase": AttributeEntry(
        Kind.PHRASE,
        "`lower(phrase) in @list`: a run of words that starts here, joined by spaces, is an entry",
        "phrase",
    ),
}
SENTENCE: dict[str, AttributeEntry] = {
    "text": AttributeEntry(Kind.STRING, "the text of the sentence", "text", "text"),
    "length": AttributeEntry(Kind.NUMBER, "the number of words; a number", "length", "length", required=True),
    "sent_id": AttributeEntry(Kind.STRING, "the identifier of the sentence", "sent_id", "sent_id", often_absent=True),
    "doc": AttributeEntry(
        Kind.STRING, "the identifier of the sentence's document", "document", "doc", often_absent=True
    ),
    "meta": AttributeEntry(
        Kind.STRING_OR_NUMBER, "a comment of the sentence: `meta.speaker = CHI`", "comment", often_absent=True
    ),
    "projective": AttributeEntry(
        Kind.FLAG, "`sentence[projective]`: no two edges of the tree cross", "projectivity", required=True
    ),
}
ALL = {**WORD, **SENTENCE}
KEYED = ("misc", "meta")  # require a key; any key is valid
WITH_LENGTH = ("form", "lemma")
LOWERABLE = ("form", "lemma", "phrase")
