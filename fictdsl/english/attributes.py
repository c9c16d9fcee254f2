"""Noun phrases for attributes, such as `the form of S, in lower case,`."""

from __future__ import annotations

from fictdsl.syntax import nodes

_KNOWN = {
    "form": "the form",
    "lemma": "the lemma",
    "upos": "the part of speech",
    "xpos": "the XPOS tag",
    "deprel": "the relation label",
    "id": "the position",
    "text": "the text",
    "sent_id": "the sent_id",
    "doc": "the document",
}


def is_feature(attribute: nodes.Attribute) -> bool:
    """Return whether the attribute is a morphological feature."""
    return attribute.name[:1].isupper()


def is_number(attribute: nodes.Attribute) -> bool:
    """Return whether the attribute is a number for every word or sentence."""
    return attribute.name in ("id", "length") or (attribute.name in ("form", "lemma") and attribute.key == "length")


def bare(attribute: nodes.Attribute) -> str:
    """Return the attribute without its word: `the form`, `the feature Number[psor]`, `the MISC entry Gloss`."""
    name, key = attribute.name, attribute.key
    if key is not None and not key.replace("_", "").isalnum():
        key = f"“{key}”"
    if name in ("misc", "meta"):
        return f"the {'MISC entry' if name == 'misc' else 'comment'} {key}"
    if attribute.key == "length" and name in ("form", "lemma"):
        return f"the length of the {name}"
    return _KNOWN.get(name, f"the feature {feature(attribute)}")


def feature(attribute: nodes.Attribute) -> str:
    """Return the name of a feature, with its layer if it has one: `Number`, `Number[psor]`."""
    return attribute.name if attribute.key is None else f"{attribute.name}[{attribute.key}]"


def of(attribute: nodes.Attribute, subject: str) -> str:
    """Return the attribute of a word or of the sentence: `the form of S`."""
    return f"{bare(attribute)} of {subject}{', in lower case,' if attribute.lower else ''}"


def may_lack(attribute: nodes.Attribute) -> bool:
    """Return whether the description of a negated test should mention that it is true of absent attributes."""
    return attribute.name in ("misc", "meta", "doc", "sent_id", "xpos", "lemma") or is_feature(attribute)
