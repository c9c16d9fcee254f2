"""The attributes of words and sentences, and their types."""

from __future__ import annotations

from enum import Enum

from fictdsl.semantics.walk import Level
from fictdsl.syntax import nodes


class Kind(Enum):
    """The type of an attribute's values, which determines the tests that it supports."""

    STRING = "a string"
    LABEL = "a relation label"  # `=` includes subtypes, `==` does not
    FEATURE = "a feature"  # the value may be a comma-separated list
    TEXT_OR_NUMBER = "a string that may be a number"  # also supports `<` and `>`
    NUMBER = "a number"
    PHRASE = "a phrase"


WORD: dict[str, Kind] = {
    "form": Kind.STRING,
    "lemma": Kind.STRING,
    "upos": Kind.STRING,
    "xpos": Kind.STRING,
    "deprel": Kind.LABEL,
    "id": Kind.NUMBER,
    "misc": Kind.TEXT_OR_NUMBER,
    "phrase": Kind.PHRASE,
}
SENTENCE: dict[str, Kind] = {
    "text": Kind.STRING,
    "length": Kind.NUMBER,
    "sent_id": Kind.STRING,
    "doc": Kind.STRING,
    "meta": Kind.TEXT_OR_NUMBER,
}
KEYED = ("misc", "meta")  # require a key, which may be any
WITH_LENGTH = ("form", "lemma")
LOWERED = ("form", "lemma", "phrase")


def columns(level: Level) -> dict[str, Kind]:
    """Return the attributes with fixed names, of words or of sentences."""
    return WORD if level == "word" else SENTENCE


def is_feature(name: str) -> bool:
    """Return whether a word attribute of this name is a morphological feature."""
    return name[:1].isupper()


def kind_of(attribute: nodes.Attribute, level: Level) -> Kind | None:
    """Return the type of an attribute, or None if there is no such attribute at that level."""
    name, key = attribute.name, attribute.key
    if level == "word" and is_feature(name):
        return Kind.FEATURE
    kind = columns(level).get(name)
    if kind is None or (name in KEYED) != (key is not None and name not in WITH_LENGTH):
        return None
    if key is not None and name in WITH_LENGTH:
        return Kind.NUMBER if key == "length" else None
    return kind


def full_name(attribute: nodes.Attribute) -> str:
    """Return the attribute in surface syntax: `lower(form)`, `Number[psor]`, `misc."a b"`."""
    name, key = attribute.name, attribute.key
    if key is not None and is_feature(name):
        name = f"{name}[{key}]"
    elif key is not None and attribute.key_quoted:
        escaped = key.replace("\\", "\\\\").replace('"', '\\"')
        name = f'{name}."{escaped}"'
    elif key is not None:
        name = f"{name}.{key}"
    return f"lower({name})" if attribute.lower else name
