"""Noun phrases for attributes, such as `the form of S, in lower case,`."""

from __future__ import annotations

from fictdsl.glossary.attributes import ALL, KEYED, WITH_LENGTH, Kind
from fictdsl.syntax import nodes


def is_feature(attribute: nodes.Attribute) -> bool:
    """Return whether the attribute is a morphological feature."""
    return attribute.name[:1].isupper()


def is_number(attribute: nodes.Attribute) -> bool:
    """Return whether the attribute is a number for every word or sentence."""
    entry = ALL.get(attribute.name)
    return entry is not None and (entry.kind is Kind.NUMBER or has_length(attribute))


def has_length(attribute: nodes.Attribute) -> bool:
    """Return whether the attribute is the length of a word's form or lemma."""
    return attribute.key == "length" and attribute.name in WITH_LENGTH


def noun_phrase(attribute: nodes.Attribute) -> str:
    """Return the noun phrase without the word: `the form`, `the feature Number[psor]`, `the MISC entry Gloss`."""
    name, key = attribute.name, attribute.key
    if key is not None and not key.replace("_", "").isalnum():
        key = f"“{key}”"
    if name in KEYED:
        return f"the {ALL[name].noun} {key}"
    if has_length(attribute):
        return f"the length of the {name}"
    return f"the {ALL[name].noun}" if name in ALL else f"the feature {feature_name(attribute)}"


def feature_name(attribute: nodes.Attribute) -> str:
    """Return the name of a feature, with its layer if it has one: `Number`, `Number[psor]`."""
    return attribute.name if attribute.key is None else f"{attribute.name}[{attribute.key}]"


def phrase_of(attribute: nodes.Attribute, owner: str) -> str:
    """Return the noun phrase with `owner`, the word or sentence that has the attribute: `the form of S`."""
    return f"{noun_phrase(attribute)} of {owner}{', in lower case,' if attribute.lower else ''}"


def mentions_absence(attribute: nodes.Attribute) -> bool:
    """Return whether the description of a negated test should mention that it is true of absent attributes."""
    return is_feature(attribute) or ALL[attribute.name].often_absent
