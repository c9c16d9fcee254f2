"""What the language itself offers at a place: its words, signs, attributes and codes, whatever the document says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from fictdsl.glossary import features, language
from fictdsl.lint.benchmarks import PARADIGMS
from fictdsl.lint.discover import RULES
from fictdsl.syntax.vocabulary import ACTIONS, TAG_COLUMNS
from runner.lsp.complete.context import Context

ProposalKind = Literal[
    "keyword",
    "tag",
    "relation",
    "feature",
    "value",
    "attribute",
    "list",
    "pattern",
    "node",
    "parameter",
    "file",
    "sign",
]


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something that can be written. `snippet` is what is put in, with places to fill in, where it is not the label."""

    label: str
    kind: ProposalKind
    about: str = ""
    snippet: str | None = None


BLOCK = "{\n\t$0\n}"
_SNIPPETS: dict[str, str] = {
    "filter": 'filter ${1:name} {\n\tabout "${2:what it finds}"\n\tmatch {\n\t\t$0\n\t}\n}',
    "pattern": "pattern ${1:name}(${2:A}) " + BLOCK,
    "list": "list ${1:name} = {$0}",
    "use": 'use "$0"',
    "file": 'file "$0"',
    "for": "for ${1:p} in {${2:a, b}} ",
    "match": "match " + BLOCK,
    "without": "without " + BLOCK,
    "either": "either {\n\t$1\n} or {\n\t$0\n}",
    "or": "or " + BLOCK,
    "sentence": "sentence[$0]",
    "lower": "lower(${1|form,lemma,phrase|})",
    "node": "node($0)",
    "subtree": "subtree($0)",
    "span": "span($1, $0)",
    **{word: f'{word} "$0"' for word in ("about", "source", "note")},
}

Offer: TypeAlias = Callable[[Context], Iterator[Proposal]]


def words_of(*words: str, snippets: bool = True) -> Iterator[Proposal]:
    """Keywords, with the snippets that they open unless they are wanted bare."""
    for word in words:
        yield Proposal(word, "keyword", language.KEYWORDS[word], _SNIPPETS.get(word) if snippets else None)


def _header(_: Context) -> Iterator[Proposal]:
    yield Proposal("fict 1", "keyword", language.KEYWORDS["fict"], "fict 1\n\n$0")


def _items(_: Context) -> Iterator[Proposal]:
    yield from words_of("filter", "pattern", "list", "use")


def _body(_: Context) -> Iterator[Proposal]:
    yield from words_of("about", "source", "note", "targets", "match")


def _targets(found: Context) -> Iterator[Proposal]:
    for suite, names in PARADIGMS.items():
        yield from (Proposal(f"{suite}/{name}", "value", f"a paradigm of {suite}") for name in sorted(names))
    yield from _body(found)


def _actions(found: Context) -> Iterator[Proposal]:
    yield from words_of(*ACTIONS)
    if found.about == "mask":
        yield from words_of("with")


def _of(found: Context) -> Iterator[Proposal]:
    if found.about != "mask":
        yield from words_of("sentence", snippets=False)
    if found.about != "keep":
        yield from words_of("node", "subtree", "span")


def _tag_columns(_: Context) -> Iterator[Proposal]:
    yield from (Proposal(word, "value", language.TAGS[word]) for word in TAG_COLUMNS)
    yield Proposal('"<mask>"', "value", "one string for each run of words", '"${1:<mask>}"')


def _attributes(found: Context) -> Iterator[Proposal]:
    if found.about == "sentence":
        for name, about in language.SENTENCE_ATTRIBUTES.items():
            yield Proposal(name, "attribute", about, "meta." if name == "meta" else None)
    else:
        for name, about in language.WORD_ATTRIBUTES.items():
            yield Proposal(name, "attribute", about, "misc." if name == "misc" else None)
        yield from (Proposal(name, "feature", about) for name, about in features.FEATURES.items())
        yield from words_of("lower")
    if found.about != "node":
        yield from words_of("has", "not", snippets=False)


def _lowered(_: Context) -> Iterator[Proposal]:
    yield from (Proposal(name, "attribute", language.WORD_ATTRIBUTES[name]) for name in ("form", "lemma", "phrase"))


def _layers(_: Context) -> Iterator[Proposal]:
    yield from (Proposal(name, "value", about) for name, about in features.LAYERS.items())


def _keys(found: Context) -> Iterator[Proposal]:
    if found.about in ("form", "lemma"):
        yield Proposal("length", "attribute", language.LENGTH)
    elif found.about == "misc":
        yield Proposal("SpaceAfter", "attribute", "`No` where no space follows the word")


def _operators(_: Context) -> Iterator[Proposal]:
    yield from (Proposal(sign, "sign", language.SIGNS[sign]) for sign in ("=", "!="))
    yield from words_of("in", "not", snippets=False)
    yield Proposal("not in", "keyword", "the value is none of these")


def _codes(_: Context) -> Iterator[Proposal]:
    yield from (Proposal(rule.code, "value", rule.name) for rule in RULES)


def _only(*words: str) -> Offer:
    return lambda _: words_of(*words)


OFFERS: dict[str, Offer] = {
    "header": _header,
    "item": _items,
    "list": _only("file"),
    "for": _only("for"),
    "in": _only("in"),
    "code": _codes,
    "body": _body,
    "target": _targets,
    "action": _actions,
    "of": _of,
    "tag": _tag_columns,
    "amount": _only("least", "most"),
    "attribute": _attributes,
    "lowered": _lowered,
    "layer": _layers,
    "key": _keys,
    "operator": _operators,
    "more": _only("or"),
}
