"""Completions that do not depend on the document: keywords, signs, attributes and codes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from fictdsl.glossary import terms
from fictdsl.lint.engine import RULES
from fictdsl.lint.vocabulary import PARADIGMS
from fictdsl.schema import TAGS
from fictdsl.semantics.check_rewrites import TEXT_ENTRIES
from fictdsl.syntax.nodes import ACTIONS, REWRITINGS
from runner.lsp.complete.context import Context

CompletionKind = Literal[
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
class Completion:
    """A text to insert: `snippet`, which may have placeholders, or `label` if there is no snippet."""

    label: str
    kind: CompletionKind
    about: str = ""
    snippet: str | None = None


BLOCK = "{\n\t$0\n}"
_SNIPPETS: dict[str, str] = {
    "filter": 'filter ${1:name} {\n\tabout "${2:what it finds}"\n\tmatch {\n\t\t$0\n\t}\n}',
    "rewrite": 'rewrite ${1:name} {\n\tabout "${2:what it changes}"\n\tmatch {\n\t\t$0\n\t}\n\tdelete node(${3:X})\n}',
    "pattern": "pattern ${1:name}(${2:A}) " + BLOCK,
    "list": "list ${1:name} = {$0}",
    "use": 'use "$0"',
    "file": 'file "$0"',
    "for": "for ${1:p} in {${2:a, b}} ",
    "match": "match " + BLOCK,
    "without": "without " + BLOCK,
    "maybe": "maybe " + BLOCK,
    "either": "either {\n\t$1\n} or {\n\t$0\n}",
    "or": "or " + BLOCK,
    "sentence": "sentence[$0]",
    "lower": "lower(${1|form,lemma,phrase|})",
    "node": "node($0)",
    "subtree": "subtree($0)",
    "span": "span($1, $0)",
    **{word: f'{word} "$0"' for word in ("about", "source", "note")},
}

Completer: TypeAlias = Callable[[Context], Iterator[Completion]]


def keywords(*words: str, snippets: bool = True) -> Iterator[Completion]:
    """Yield keywords, with their snippets unless `snippets` is False."""
    for word in words:
        about = terms.KEYWORDS.get(word) or terms.REWRITE_WORDS[word]
        yield Completion(word, "keyword", about, _SNIPPETS.get(word) if snippets else None)


def measures() -> Iterator[Completion]:
    """Yield the numbers of words."""
    yield Completion("length", "keyword", terms.MEASURES["length"], "length(subtree(${1:X}))")
    yield Completion("distance", "keyword", terms.MEASURES["distance"], "distance(${1:X}, ${2:Y})")


def _header(_: Context) -> Iterator[Completion]:
    yield Completion("fict 1", "keyword", terms.KEYWORDS["fict"], "fict 1\n\n$0")


def _items(_: Context) -> Iterator[Completion]:
    yield from keywords("filter", "rewrite", "pattern", "list", "use")


def _body(_: Context) -> Iterator[Completion]:
    yield from keywords("about", "source", "note", "targets", "match")


def _rewrite_body(_: Context) -> Iterator[Completion]:
    yield from keywords("about", "source", "note", "targets", "as-is", "match")


def _rewritings(cursor: Context) -> Iterator[Completion]:
    """Yield the actions, and the words that may continue the last action."""
    yield from keywords(*REWRITINGS)
    continuations = {"move": ("before", "after"), "insert": ("as", "of", "before", "after"), "swap": ("with",)}
    continuations |= {"order": ("by", "desc", "head-final"), "shuffle": ("by", "in")}
    yield from keywords(*continuations.get(cursor.subject, ()), snippets=False)


def _by(cursor: Context) -> Iterator[Completion]:
    yield from keywords("length", *(("chance",) if cursor.subject == "order" else ()))


def _targets(cursor: Context) -> Iterator[Completion]:
    for suite, names in PARADIGMS.items():
        yield from (Completion(f"{suite}/{name}", "value", f"a paradigm of {suite}") for name in sorted(names))
    yield from _body(cursor)


def _actions(cursor: Context) -> Iterator[Completion]:
    yield from keywords(*ACTIONS)
    if cursor.subject == "mask":
        yield from keywords("with")


def _of(cursor: Context) -> Iterator[Completion]:
    if cursor.subject != "mask":
        yield from keywords("sentence", snippets=False)
    if cursor.subject != "keep":
        yield from keywords("node", "subtree", "span")


def _tag_columns(_: Context) -> Iterator[Completion]:
    yield from (Completion(word, "value", terms.REPLACEMENTS[word]) for word in TAGS)
    yield Completion('"<mask>"', "value", "one string for each run of words", '"${1:<mask>}"')


def _attributes(cursor: Context) -> Iterator[Completion]:
    if cursor.subject == "sentence":
        for name, about in terms.SENTENCE_ATTRIBUTES.items():
            yield Completion(name, "attribute", about, "meta." if name == "meta" else None)
    else:
        for name, about in terms.WORD_ATTRIBUTES.items():
            yield Completion(name, "attribute", about, "misc." if name == "misc" else None)
        yield from (Completion(name, "feature", about) for name, about in terms.FEATURES.items())
        yield from keywords("lower")
    if cursor.subject != "node":
        yield from keywords("has", "not", snippets=False)


def _lowered(_: Context) -> Iterator[Completion]:
    yield from (Completion(name, "attribute", terms.WORD_ATTRIBUTES[name]) for name in ("form", "lemma", "phrase"))


def _layers(_: Context) -> Iterator[Completion]:
    yield from (Completion(name, "value", about) for name, about in terms.LAYERS.items())


def _keys(cursor: Context) -> Iterator[Completion]:
    if cursor.subject in ("form", "lemma"):
        yield Completion("length", "attribute", terms.LENGTH)
    elif cursor.subject in ("misc", "set misc"):
        refused = TEXT_ENTRIES if cursor.subject == "set misc" else ()
        yield from (Completion(key, "attribute", about) for key, about in terms.MISC.items() if key not in refused)


def _operators(_: Context) -> Iterator[Completion]:
    yield from (Completion(sign, "sign", terms.SIGNS[sign]) for sign in ("=", "!="))
    yield from keywords("in", "not", snippets=False)
    for operator, about in terms.OPERATORS.items():
        yield Completion(operator, "keyword", about, f'{operator} "$0"')
    yield Completion("not in", "keyword", "the value is none of these")


def _memberships(_: Context) -> Iterator[Completion]:
    yield from keywords("in", "not", snippets=False)
    yield Completion("not in", "keyword", "the row of values is none of these")


def _codes(_: Context) -> Iterator[Completion]:
    yield from (Completion(rule.code, "value", rule.name) for rule in RULES)


def _keyword_completer(*words: str) -> Completer:
    return lambda _: keywords(*words)


STATIC_COMPLETIONS: dict[str, Completer] = {
    "header": _header,
    "item": _items,
    "list": _keyword_completer("file"),
    "for": _keyword_completer("for"),
    "in": _keyword_completer("in"),
    "code": _codes,
    "body": _body,
    "target": _targets,
    "action": _actions,
    "rewrite-body": _rewrite_body,
    "rewriting": _rewritings,
    "as-is": _keyword_completer("case", "article"),
    "by": _by,
    "of": _of,
    "tag": _tag_columns,
    "number": lambda _: measures(),
    "measured": _keyword_completer("subtree", "span"),
    "amount": _keyword_completer("least", "most"),
    "attribute": _attributes,
    "lowered": _lowered,
    "layer": _layers,
    "key": _keys,
    "operator": _operators,
    "membership": _memberships,
    "more": _keyword_completer("or"),
}
