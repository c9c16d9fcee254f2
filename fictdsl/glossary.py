"""One-line descriptions of the words of the language and of Universal Dependencies, from `grammar/glossary.md`."""

from __future__ import annotations

from fictdsl.installation import shipped


def _sections(text: str) -> dict[str, dict[str, str]]:
    sections: dict[str, dict[str, str]] = {}
    for section in text.split("\n# ")[1:]:
        title, *lines = section.split("\n")
        entries = (line.removeprefix("- `").partition("`: ") for line in lines if line.startswith("- `"))
        sections[title] = {term: description for term, _, description in entries}
    return sections


def _by_feature(values: dict[str, str]) -> dict[str, dict[str, str]]:
    by_feature: dict[str, dict[str, str]] = {}
    for term, description in values.items():
        feature, _, value = term.partition("=")
        by_feature.setdefault(feature, {})[value] = description
    return by_feature


_SECTIONS = _sections(shipped("grammar/glossary.md").read_text(encoding="utf-8"))

KEYWORDS = _SECTIONS["Keywords"]
REWRITE_WORDS = _SECTIONS["Words of rewrites"]
MEASURES = _SECTIONS["Measures"]
SIGNS = _SECTIONS["Signs"]
OPERATORS = _SECTIONS["Operators"]
REPLACEMENTS = _SECTIONS["Replacements"]
WORD_ATTRIBUTES = _SECTIONS["Attributes of words"]
SENTENCE_ATTRIBUTES = _SECTIONS["Attributes of sentences"]

UPOS = _SECTIONS["UPOS tags"]
RELATIONS = _SECTIONS["Relations"]
SUBTYPES = _SECTIONS["Subtypes"]
FEATURES = _SECTIONS["Features"]
LAYERS = _SECTIONS["Layers"]
VALUES = _by_feature(_SECTIONS["Values of features"])
PENN = _SECTIONS["Penn tags"]
MISC = _SECTIONS["MISC keys"]
OTHER_MISC = "an entry of the MISC column"


def describe_value(feature: str, name: str) -> str | None:
    return VALUES.get(feature, {}).get(name)


def describe_relation(label: str) -> str | None:
    if label in RELATIONS or label in SUBTYPES:
        return RELATIONS.get(label) or SUBTYPES[label]
    base, colon, subtype = label.partition(":")
    return f"subtype `{subtype}` of `{base}`, {RELATIONS[base]}" if colon and base in RELATIONS else None
