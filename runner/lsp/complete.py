"""A place in a document into what can be written there, each with what it means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from fictdsl.diagnostics.codes.lint import CODES
from fictdsl.glossary import features, language, tags
from fictdsl.lint.benchmarks import PARADIGMS
from fictdsl.semantics import ud
from fictdsl.syntax.vocabulary import ACTIONS, TAG_COLUMNS
from runner.lsp.context import Context, context
from runner.lsp.desk import Study
from runner.lsp.names import lists_at, nodes_at, parameter_at, patterns_at
from runner.lsp.paths import paths_for

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


_BLOCK = "{\n\t$0\n}"
_SNIPPETS: dict[str, str] = {
    "filter": 'filter ${1:name} {\n\tabout "${2:what it finds}"\n\tmatch {\n\t\t$0\n\t}\n}',
    "pattern": "pattern ${1:name}(${2:A}) " + _BLOCK,
    "list": "list ${1:name} = {$0}",
    "use": 'use "$0"',
    "file": 'file "$0"',
    "for": "for ${1:p} in {${2:a, b}} ",
    "match": "match " + _BLOCK,
    "without": "without " + _BLOCK,
    "either": "either {\n\t$1\n} or {\n\t$0\n}",
    "or": "or " + _BLOCK,
    "sentence": "sentence[$0]",
    "lower": "lower(${1|form,lemma,phrase|})",
    "node": "node($0)",
    "subtree": "subtree($0)",
    "span": "span($1, $0)",
    **{word: f'{word} "$0"' for word in ("about", "source", "note")},
}
_COUNTS = ("at least", "at most", "exactly")


def complete(study: Study, offset: int) -> tuple[Context, list[Proposal]]:
    """What can be written at an offset, and in the place of what."""
    found = context(study.page.text, offset)
    return found, [*_OFFERS[found.kind](study, found)] if found.kind in _OFFERS else []


def _words(*words: str, snippets: bool = True) -> Iterator[Proposal]:
    for word in words:
        yield Proposal(word, "keyword", language.KEYWORDS[word], _SNIPPETS.get(word) if snippets else None)


def _header(_: Study, __: Context) -> Iterator[Proposal]:
    yield Proposal("fict 1", "keyword", language.KEYWORDS["fict"], "fict 1\n\n$0")
    yield from _words("fict", snippets=False)


def _items(_: Study, __: Context) -> Iterator[Proposal]:
    yield from _words("filter", "pattern", "list", "use")


def _body(_: Study, __: Context) -> Iterator[Proposal]:
    yield from _words("about", "source", "note", "targets", "match")


def _targets(study: Study, found: Context) -> Iterator[Proposal]:
    for suite, names in PARADIGMS.items():
        yield from (Proposal(f"{suite}/{name}", "value", f"a paradigm of {suite}") for name in sorted(names))
    yield from _body(study, found)


def _actions(_: Study, found: Context) -> Iterator[Proposal]:
    yield from _words(*ACTIONS)
    if found.about == "mask":
        yield from _words("with")


def _of(_: Study, found: Context) -> Iterator[Proposal]:
    if found.about != "mask":
        yield from _words("sentence", snippets=False)
    if found.about != "keep":
        yield from _words("node", "subtree", "span")


def _tag_columns(_: Study, __: Context) -> Iterator[Proposal]:
    yield from (Proposal(word, "value", language.TAGS[word]) for word in TAG_COLUMNS)
    yield Proposal('"<mask>"', "value", "one string for each run of words", '"${1:<mask>}"')


def _clauses(study: Study, found: Context) -> Iterator[Proposal]:
    yield from _node_names(study, found)
    for pattern in patterns_at(study):
        yield Proposal(pattern.name, "pattern", pattern.detail, _call(pattern.name, pattern.parameters))
    if found.about == "either":
        yield from _words("or")
    yield from _words("without", "either", "sentence", "between")
    yield from _words("lower", "at", "exactly", snippets=False)
    for quantifier in _COUNTS:
        about = language.KEYWORDS[quantifier.rpartition(" ")[2]]
        yield Proposal(quantifier, "keyword", about, f"{quantifier} ${{1:2}} ${{2:X}} {_BLOCK}")


def _call(name: str, parameters: tuple[str, ...]) -> str:
    holes = (f"${{{number}:{parameter}}}" for number, parameter in enumerate(parameters, 1))
    return f"{name}({', '.join(holes)})"


def _node_names(study: Study, found: Context) -> Iterator[Proposal]:
    text = study.page.text
    yield from (Proposal(name, "node", "a node") for name in nodes_at(text, found.span.end, found.span.start))
    yield Proposal("_", "node", language.SIGNS["_"])
    if found.kind == "node":
        yield from _words("lower", snippets=False)


def _upos(study: Study, found: Context) -> Iterator[Proposal]:
    yield from (Proposal(tag, "tag", about) for tag, about in tags.UPOS.items())
    yield from _parameter(study, found)


def _relations(study: Study, found: Context) -> Iterator[Proposal]:
    enhanced = ud.ENHANCED if found.about == "enhanced" else ()
    subtypes = [*ud.ENGLISH_SUBTYPES, *ud.OTHER_SUBTYPES, *enhanced]
    yield from (Proposal(label, "relation", tags.relation(label) or "") for label in (*ud.RELATIONS, *subtypes))
    yield from _parameter(study, found)


def _parameter(study: Study, found: Context) -> Iterator[Proposal]:
    name = parameter_at(study.page.text, found.span.end)
    if name is not None:
        dollar = "" if found.kind == "parameter" else "$"
        yield Proposal(
            dollar + name, "parameter", "the parameter of this family", f"\\{dollar}{name}" if dollar else None
        )


def _attributes(_: Study, found: Context) -> Iterator[Proposal]:
    if found.about == "sentence":
        for name, about in language.SENTENCE_ATTRIBUTES.items():
            yield Proposal(name, "attribute", about, "meta." if name == "meta" else None)
    else:
        for name, about in language.WORD_ATTRIBUTES.items():
            yield Proposal(name, "attribute", about, "misc." if name == "misc" else None)
        yield from (Proposal(name, "feature", about) for name, about in features.FEATURES.items())
        yield from _words("lower")
    if found.about != "node":
        yield from _words("has", "not", snippets=False)


def _lowered(_: Study, __: Context) -> Iterator[Proposal]:
    yield from (Proposal(name, "attribute", language.WORD_ATTRIBUTES[name]) for name in ("form", "lemma", "phrase"))


def _layers(_: Study, __: Context) -> Iterator[Proposal]:
    yield from (Proposal(name, "value", about) for name, about in features.LAYERS.items())


def _keys(_: Study, found: Context) -> Iterator[Proposal]:
    if found.about in ("form", "lemma"):
        yield Proposal("length", "attribute", language.LENGTH)
    elif found.about == "misc":
        yield Proposal("SpaceAfter", "attribute", "`No` where no space follows the word")


def _operators(_: Study, __: Context) -> Iterator[Proposal]:
    yield from (Proposal(sign, "sign", language.SIGNS[sign]) for sign in ("=", "!="))
    yield from _words("in", "not", snippets=False)
    yield Proposal("not in", "keyword", "the value is none of these")


def _values(study: Study, found: Context) -> Iterator[Proposal]:
    name, _, layer = found.about.partition("[")
    if name == "upos":
        yield from _upos(study, found)
    elif name == "deprel":
        yield from _relations(study, found)
    else:
        for value in ud.FEATURES.get(name, ()):
            about = features.value(name, value) or tags.UPOS.get(value, f"{name}={value}")
            of = features.LAYERS.get(layer.rstrip("]"))
            yield Proposal(value, "value", f"{about}, {of}" if of else about)
        if found.about == "misc.SpaceAfter":
            yield Proposal("No", "value", "no space follows the word")
        yield from _parameter(study, found)


def _collections(study: Study, _: Context) -> Iterator[Proposal]:
    yield from (Proposal(f"@{known.name}", "list", known.detail) for known in lists_at(study))
    yield Proposal("{…}", "sign", "a list written in place", "{$0}")


def _references(study: Study, _: Context) -> Iterator[Proposal]:
    yield from (Proposal(known.name, "list", known.detail) for known in lists_at(study))


def _paths(study: Study, found: Context) -> Iterator[Proposal]:
    yield from (Proposal(path, "file") for path in paths_for(study.module.path, found.about))


def _codes(_: Study, __: Context) -> Iterator[Proposal]:
    yield from (Proposal(entry.code, "value", entry.name) for entry in CODES)


def _only(*words: str) -> Callable[[Study, Context], Iterator[Proposal]]:
    return lambda _, __: _words(*words)


_OFFERS: dict[str, Callable[[Study, Context], Iterator[Proposal]]] = {
    "header": _header,
    "item": _items,
    "list": _only("file"),
    "for": _only("for"),
    "in": _only("in"),
    "path": _paths,
    "code": _codes,
    "body": _body,
    "target": _targets,
    "action": _actions,
    "of": _of,
    "tag": _tag_columns,
    "clause": _clauses,
    "node": _node_names,
    "upos": _upos,
    "relation": _relations,
    "amount": _only("least", "most"),
    "attribute": _attributes,
    "lowered": _lowered,
    "layer": _layers,
    "key": _keys,
    "operator": _operators,
    "more": _only("or"),
    "value": _values,
    "collection": _collections,
    "reference": _references,
    "parameter": _parameter,
}
