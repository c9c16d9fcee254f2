"""An attribute as written into what it is: a string, a number, a feature… of a word or of the sentence."""

from __future__ import annotations

from enum import Enum

from fictdsl.semantics.walk import Level
from fictdsl.syntax import nodes


class Kind(Enum):
    """What the values of an attribute are, and so which tests it takes."""

    STRING = "a string"
    LABEL = "a relation label"  # a string whose `=` knows subtypes, and that takes `==`
    FEATURE = "a feature"  # a string, one of several where the value has commas
    TEXT_OR_NUMBER = "a string that may be a number"  # takes `<` as well
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
KEYED = ("misc", "meta")  # these need a key, which may be any
WITH_LENGTH = ("form", "lemma")
LOWERED = ("form", "lemma", "phrase")


def columns(place: Level) -> dict[str, Kind]:
    """The attributes of a word, or of the sentence, that have a fixed name."""
    return WORD if place == "word" else SENTENCE


def is_feature(name: str) -> bool:
    """Whether an attribute of a word with this name is a morphological feature."""
    return name[:1].isupper()


def kind_of(attribute: nodes.Attribute, place: Level) -> Kind | None:
    """What an attribute is, None if there is no such attribute there."""
    name, key = attribute.name, attribute.key
    if place == "word" and is_feature(name):
        return Kind.FEATURE
    kind = columns(place).get(name)
    if kind is None or (name in KEYED) != (key is not None and name not in WITH_LENGTH):
        return None
    if key is not None and name in WITH_LENGTH:
        return Kind.NUMBER if key == "length" else None
    return kind


def full_name(attribute: nodes.Attribute) -> str:
    """The attribute as it is written in its shortest form: `lower(form)`, `Number[psor]`, `misc."a b"`."""
    name, key = attribute.name, attribute.key
    if key is not None and is_feature(name):
        name = f"{name}[{key}]"
    elif key is not None and attribute.key_quoted:
        escaped = key.replace("\\", "\\\\").replace('"', '\\"')
        name = f'{name}."{escaped}"'
    elif key is not None:
        name = f"{name}.{key}"
    return f"lower({name})" if attribute.lower else name
