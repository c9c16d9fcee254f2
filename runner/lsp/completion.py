"""Completions at a position of a document: names, keywords, signs, attributes and codes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from fictdsl import glossary
from fictdsl.lint.rules import RULES
from fictdsl.lint.vocabulary import PARADIGMS
from fictdsl.schema import TAGS
from fictdsl.semantics import ud
from fictdsl.semantics.check import INFLECTED_TAGS, TEXT_ENTRIES
from fictdsl.semantics.scopes import ResolvedDefinition
from fictdsl.syntax import nodes
from fictdsl.syntax.grammar import PARTNER, Lexeme, item_spans, lexemes, reparse_span
from fictdsl.syntax.nodes import ACTIONS, RESERVED, REWRITINGS
from runner.lsp.completion_context import Context, context
from runner.lsp.documents import Snapshot, paths_for

_CLOSING = frozenset(PARTNER.values())
_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")
_LIST = re.compile(r"^[ \t]*list\s+([A-Za-z]\w*)\s*(?:=|from\b)", re.MULTILINE)
_PATTERN = re.compile(r"^[ \t]*pattern\s+([A-Za-z]\w*)\s*\(([^)\n]*)\)?", re.MULTILINE)
_FAMILY = re.compile(r"\bfor\s+([A-Za-z]\w*)\s+in\b")


@dataclass(frozen=True, slots=True)
class NamedItem:
    """A list or pattern with a detail for display. `parameters` are the parameters of a pattern."""

    name: str
    detail: str
    parameters: tuple[str, ...] = ()


def item_text_at(text: str, offset: int) -> str:
    """Return the text of the item that contains an offset, or "". The item may have syntax errors."""
    region = reparse_span(text, offset + 1, offset)
    text, offset = text[region.start : region.end], offset - region.start
    spans = reversed(list(item_spans(text, 0)))
    return next((text[span.start : span.end] for span in spans if span.start <= offset), "")


def nodes_at(text: str, offset: int, typed_start: int) -> list[str]:
    """Return the node names in the item that contains an offset, in text order.

    The name that is being typed, from `typed_start` to `offset`, is omitted.
    """
    region = reparse_span(text, offset + 1, offset)
    text, offset, typed_start = text[region.start : region.end], offset - region.start, typed_start - region.start
    starts = [span.start for span in item_spans(text, 0) if span.start <= offset]
    if not starts:
        return []
    item_start = starts[-1]
    item = item_text_at(text, offset)
    node_tokens = _node_tokens(list(lexemes(item)))
    return list(
        dict.fromkeys(
            lexeme.text
            for lexeme in node_tokens
            if not typed_start <= item_start + lexeme.span.start <= offset or typed_start == offset
        )
    )


def _node_tokens(tokens: list[Lexeme]) -> Iterator[Lexeme]:
    """Yield the tokens of an item that name nodes: words in blocks and round brackets that have no other role."""
    stack: list[str] = []
    for index, lexeme in enumerate(tokens):
        previous_text = tokens[index - 1].text if index else ""
        next_text = tokens[index + 1].text if index + 1 < len(tokens) else ""
        bracket = lexeme.text[-1] if lexeme.kind == "sign" else ""
        if bracket in PARTNER:
            holds_values = bracket == "{" and previous_text in ("in", "=", "->>", "<<")
            stack.append("value" if holds_values else bracket)
        elif bracket in _CLOSING and stack:
            stack.pop()
        elif (
            lexeme.kind == "word"
            and stack
            and stack[-1] in ("{", "(")
            and "[" not in stack
            and (len(stack) > 1 or tokens[0].text == "pattern")
            and _NAME.fullmatch(lexeme.text)
            and lexeme.text not in RESERVED
            and next_text != "("
            and previous_text not in (":", "|", ".", "$", "@")
            and (previous_text, lexeme.text) != ("may", "be")
        ):
            yield lexeme


def visible_lists(snapshot: Snapshot) -> list[NamedItem]:
    items = {name: NamedItem(name, "list") for name in _LIST.findall(snapshot.document.text)}
    for name, definition in snapshot.resolution.visible(snapshot.module).lists.items():
        items[name] = NamedItem(name, _list_detail(snapshot, definition))
    return list(items.values())


def visible_patterns(snapshot: Snapshot) -> list[NamedItem]:
    items = {}
    for name, parameters in _PATTERN.findall(snapshot.document.text):
        names = tuple(parameter.strip() for parameter in parameters.split(",") if parameter.strip())
        items[name] = NamedItem(name, f"pattern {name}({', '.join(names)})", names)
    for name, definition in snapshot.resolution.visible(snapshot.module).patterns.items():
        names = tuple(parameter.text for parameter in definition.item.parameters)
        items[name] = NamedItem(
            name, f"pattern {name}({', '.join(names)}){_origin(snapshot, definition.module.source.name)}", names
        )
    return list(items.values())


def parameter_at(text: str, offset: int) -> str | None:
    """Return the parameter of the family that contains an offset, without the dollar sign, or None."""
    match = _FAMILY.search(item_text_at(text, offset))
    return match[1] if match else None


def _list_detail(snapshot: Snapshot, definition: ResolvedDefinition[nodes.ListDef]) -> str:
    origin = _origin(snapshot, definition.module.source.name)
    entries = definition.module.entries(definition.item)
    return f"list of {len(entries)}{origin}" if entries is not None else f"list{origin}"


def _origin(snapshot: Snapshot, name: str) -> str:
    return "" if name == snapshot.module.source.name else f", from {name.rpartition('/')[2]}"


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
        about = glossary.KEYWORDS.get(word) or glossary.REWRITE_WORDS[word]
        yield Completion(word, "keyword", about, _SNIPPETS.get(word) if snippets else None)


def measures() -> Iterator[Completion]:
    yield Completion("length", "keyword", glossary.MEASURES["length"], "length(subtree(${1:X}))")
    yield Completion("distance", "keyword", glossary.MEASURES["distance"], "distance(${1:X}, ${2:Y})")


def _header(_: Context) -> Iterator[Completion]:
    yield Completion("fict 1", "keyword", glossary.KEYWORDS["fict"], "fict 1\n\n$0")


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
    yield from (Completion(word, "value", glossary.REPLACEMENTS[word]) for word in TAGS)
    yield Completion('"<mask>"', "value", "one string for each run of words", '"${1:<mask>}"')


def _attributes(cursor: Context) -> Iterator[Completion]:
    if cursor.subject == "sentence":
        for name, about in glossary.SENTENCE_ATTRIBUTES.items():
            yield Completion(name, "attribute", about, "meta." if name == "meta" else None)
    else:
        for name, about in glossary.WORD_ATTRIBUTES.items():
            yield Completion(name, "attribute", about, "misc." if name == "misc" else None)
        yield from (Completion(name, "feature", about) for name, about in glossary.FEATURES.items())
        yield from keywords("lower")
    if cursor.subject != "node":
        yield from keywords("has", "not", snippets=False)


def _lowered(_: Context) -> Iterator[Completion]:
    yield from (Completion(name, "attribute", glossary.WORD_ATTRIBUTES[name]) for name in ("form", "lemma", "phrase"))


def _layers(_: Context) -> Iterator[Completion]:
    yield from (Completion(name, "value", about) for name, about in glossary.LAYERS.items())


def _keys(cursor: Context) -> Iterator[Completion]:
    if cursor.subject in ("form", "lemma"):
        yield Completion("length", "attribute", glossary.LENGTH)
    elif cursor.subject in ("misc", "set misc"):
        refused = TEXT_ENTRIES if cursor.subject == "set misc" else ()
        yield from (Completion(key, "attribute", about) for key, about in glossary.MISC.items() if key not in refused)


def _operators(_: Context) -> Iterator[Completion]:
    yield from (Completion(sign, "sign", glossary.SIGNS[sign]) for sign in ("=", "!="))
    yield from keywords("in", "not", snippets=False)
    for operator, about in glossary.OPERATORS.items():
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


_QUANTIFIERS = ("at least", "at most", "exactly")


def complete(snapshot: Snapshot, offset: int) -> tuple[Context, list[Completion]]:
    cursor = context(snapshot.document.text, offset)
    if cursor.kind in _COMPLETERS:
        return cursor, list(_COMPLETERS[cursor.kind](snapshot, cursor))
    return cursor, list(STATIC_COMPLETIONS[cursor.kind](cursor)) if cursor.kind in STATIC_COMPLETIONS else []


def _clauses(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    yield from _node_names(snapshot, cursor)
    for pattern in visible_patterns(snapshot):
        yield Completion(pattern.name, "pattern", pattern.detail, _call_snippet(pattern.name, pattern.parameters))
    if cursor.subject == "either":
        yield from keywords("or")
    yield from keywords("without", "either", "maybe", "sentence", "between", "crossing")
    yield from keywords("lower", "at", snippets=False)
    yield from (replace(measure, snippet=f"{measure.snippet} > ${{9:5}}") for measure in measures())
    for quantifier in _QUANTIFIERS:
        about = glossary.KEYWORDS[quantifier.rpartition(" ")[2]]
        yield Completion(quantifier, "keyword", about, f"{quantifier} ${{1:2}} ${{2:X}} {BLOCK}")


def _call_snippet(name: str, parameters: tuple[str, ...]) -> str:
    placeholders = (f"${{{index}:{parameter}}}" for index, parameter in enumerate(parameters, 1))
    return f"{name}({', '.join(placeholders)})"


def _node_names(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    text = snapshot.document.text
    yield from (Completion(name, "node", "a node") for name in nodes_at(text, cursor.span.end, cursor.span.start))
    yield Completion("_", "node", glossary.SIGNS["_"])
    if cursor.kind == "node":
        yield from keywords("lower", snippets=False)


def _upos(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    yield from (Completion(tag, "tag", about) for tag, about in glossary.UPOS.items())
    yield from _parameter_completions(snapshot, cursor)


def _relations(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    enhanced = ud.ENHANCED if cursor.subject == "enhanced" else ()
    subtypes = [*ud.ENGLISH_SUBTYPES, *ud.OTHER_SUBTYPES, *enhanced]
    yield from (
        Completion(label, "relation", glossary.describe_relation(label) or "") for label in (*ud.RELATIONS, *subtypes)
    )
    yield from _parameter_completions(snapshot, cursor)


def _parameter_completions(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    name = parameter_at(snapshot.document.text, cursor.span.end)
    if name is not None:
        dollar = "" if cursor.kind == "parameter" else "$"
        yield Completion(
            dollar + name, "parameter", "the parameter of this family", f"\\{dollar}{name}" if dollar else None
        )


def _values(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    name, _, layer = cursor.subject.partition("[")
    if name == "upos":
        yield from _upos(snapshot, cursor)
    elif name == "deprel":
        yield from _relations(snapshot, cursor)
    elif name == "inflect":
        yield from (Completion(tag, "tag", glossary.PENN[tag]) for tag in INFLECTED_TAGS)
    else:
        if name == "xpos":
            yield from (Completion(tag, "tag", about) for tag, about in glossary.PENN.items())
        for value in ud.FEATURES.get(name, ()):
            about = glossary.describe_value(name, value) or glossary.UPOS.get(value, f"{name}={value}")
            layer_meaning = glossary.LAYERS.get(layer.rstrip("]"))
            yield Completion(value, "value", f"{about}, {layer_meaning}" if layer_meaning else about)
        if cursor.subject == "misc.SpaceAfter":
            yield Completion("No", "value", "no space follows the word")
        yield from _parameter_completions(snapshot, cursor)


def _collections(snapshot: Snapshot, _: Context) -> Iterator[Completion]:
    yield from (Completion(f"@{item.name}", "list", item.detail) for item in visible_lists(snapshot))
    yield Completion("{…}", "sign", "a list written in place", "{$0}")


def _references(snapshot: Snapshot, _: Context) -> Iterator[Completion]:
    yield from (Completion(item.name, "list", item.detail) for item in visible_lists(snapshot))


def _paths(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    yield from (Completion(path, "file") for path in paths_for(snapshot.module.path, cursor.subject))


_COMPLETERS: dict[str, Callable[[Snapshot, Context], Iterator[Completion]]] = {
    "path": _paths,
    "clause": _clauses,
    "node": _node_names,
    "upos": _upos,
    "relation": _relations,
    "value": _values,
    "collection": _collections,
    "reference": _references,
    "parameter": _parameter_completions,
}
