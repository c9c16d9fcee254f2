"""The types of attributes of words and sentences, and their surface syntax."""

from __future__ import annotations

from fictdsl.glossary.attributes import KEYED, SENTENCE, WITH_LENGTH, WORD, AttributeEntry, Kind
from fictdsl.semantics.walk import Level
from fictdsl.syntax import nodes
from fictdsl.syntax.text.strings import quote


def fixed_attributes(level: Level) -> dict[str, AttributeEntry]:
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
    entry = fixed_attributes(level).get(name)
    if entry is None or (name in KEYED) != (key is not None and name not in WITH_LENGTH):
        return None
    if key is not None and name in WITH_LENGTH:
        return Kind.NUMBER if key == "length" else None
    return entry.kind


def full_name(attribute: nodes.Attribute) -> str:
    """Return the attribute in surface syntax: `lower(form)`, `Number[psor]`, `misc."a b"`."""
    name, key = attribute.name, attribute.key
    if key is not None and is_feature(name):
        name = f"{name}[{key}]"
    elif key is not None and attribute.key_quoted:
        name = f"{name}.{quote(key)}"
    elif key is not None:
        name = f"{name}.{key}"
    return f"lower({name})" if attribute.lower else name
