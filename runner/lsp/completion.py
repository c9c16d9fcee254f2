"""Completions at a position of a document: names, keywords, signs, attributes and codes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from fictdsl import glossary
from fictdsl.lint.rules import RULES
from fictdsl.lint.vocabulary import PARADIGMS
from fictdsl.schema import TAGS, numbers_of
from fictdsl.semantics import ud
from fictdsl.semantics.check import INFLECTED_TAGS, TEXT_ENTRIES
from fictdsl.semantics.scopes import ResolvedDefinition
from fictdsl.source import Span
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
class _NamedItem:
    """A list or pattern with a detail for display. `parameters` are the parameters of a pattern."""

    name: str
    detail: str
    parameters: tuple[str, ...] = ()


def _item_at(text: str, offset: int) -> tuple[int, str]:
    """Return the start and the text of the item that contains an offset, or "". The item may have syntax errors."""
    region = reparse_span(text, offset + 1, offset)
    text, offset = text[region.start : region.end], offset - region.start
    spans = reversed(list(item_spans(text, 0)))
    span = next((span for span in spans if span.start <= offset), Span(0, 0))
    return region.start + span.start, text[span.start : span.end]


def _nodes_at(text: str, offset: int, typed_start: int) -> list[str]:
    """Return the node names in the item at an offset in text order, except the one being typed."""
    start, item = _item_at(text, offset)
    names = (
        lexeme.text
        for lexeme in _node_tokens(list(lexemes(item)))
        if not typed_start <= start + lexeme.span.start <= offset or typed_start == offset
    )
    return list(dict.fromkeys(names))


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


def _visible_lists(snapshot: Snapshot) -> list[_NamedItem]:
    items = {name: _NamedItem(name, "list") for name in _LIST.findall(snapshot.document.text)}
    for name, definition in snapshot.resolution.visible(snapshot.module).lists.items():
        items[name] = _NamedItem(name, _list_detail(snapshot, definition))
    return list(items.values())


def _visible_patterns(snapshot: Snapshot) -> list[_NamedItem]:
    items = {}
    for name, parameters in _PATTERN.findall(snapshot.document.text):
        names = tuple(parameter.strip() for parameter in parameters.split(",") if parameter.strip())
        items[name] = _NamedItem(name, f"pattern {name}({', '.join(names)})", names)
    for name, definition in snapshot.resolution.visible(snapshot.module).patterns.items():
        names = tuple(parameter.text for parameter in definition.item.parameters)
        items[name] = _NamedItem(
            name, f"pattern {name}({', '.join(names)}){_origin(snapshot, definition.module.source.name)}", names
        )
    return list(items.values())


def _list_detail(snapshot: Snapshot, definition: ResolvedDefinition[nodes.ListDef]) -> str:
    origin = _origin(snapshot, definition.module.source.name)
    entries = definition.module.entries(definition.item)
    return f"list of {len(entries)}{origin}" if entries is not None else f"list{origin}"


def _origin(snapshot: Snapshot, name: str) -> str:
    return "" if name == snapshot.module.source.name else f", from {name.rpartition('/')[2]}"


# names of `CompletionItemKind` in the Language Server Protocol
CompletionKind = Literal[
    "Constant", "EnumMember", "Field", "File", "Function", "Keyword", "Operator", "Property", "TypeParameter", "Value",
    "Variable",
]  # fmt: skip


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
    "may": "may be ${1:A}",
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

Completer: TypeAlias = Callable[[Snapshot, Context], Iterator[Completion]]


def complete(snapshot: Snapshot, offset: int) -> tuple[Context, list[Completion]]:
    cursor = context(snapshot.document.text, offset)
    completer = _COMPLETERS.get(cursor.kind)
    return cursor, [] if completer is None else list(completer(snapshot, cursor))


def _keywords(*words: str, snippets: bool = True) -> Iterator[Completion]:
    for word in words:
        about = glossary.KEYWORDS.get(word) or glossary.REWRITE_WORDS[word]
        yield Completion(word, "Keyword", about, _SNIPPETS.get(word) if snippets else None)


def _described(kind: CompletionKind, about_by_label: Mapping[str, str]) -> Iterator[Completion]:
    return (Completion(label, kind, about) for label, about in about_by_label.items())


def _only(*words: str) -> Completer:
    return lambda _, __: _keywords(*words)


def _measures() -> Iterator[Completion]:
    yield Completion("length", "Keyword", glossary.MEASURES["length"], "length(subtree(${1:X}))")
    yield Completion("distance", "Keyword", glossary.MEASURES["distance"], "distance(${1:X}, ${2:Y})")


def _rewritings(_: Snapshot, cursor: Context) -> Iterator[Completion]:
    yield from _keywords(*REWRITINGS)
    yield from _keywords(*_CONTINUATIONS.get(cursor.subject, ()), snippets=False)


def _targets(_: Snapshot, __: Context) -> Iterator[Completion]:
    for suite, names in PARADIGMS.items():
        yield from (Completion(f"{suite}/{name}", "Value", f"a paradigm of {suite}") for name in sorted(names))
    yield from _keywords(*_METADATA, "match")


def _of(_: Snapshot, cursor: Context) -> Iterator[Completion]:
    if cursor.subject != "mask":
        yield from _keywords("sentence", snippets=False)
    if cursor.subject != "keep":
        yield from _keywords("node", "subtree", "span")


def _tag_columns(_: Snapshot, __: Context) -> Iterator[Completion]:
    yield from (Completion(word, "Value", glossary.REPLACEMENTS[word]) for word in TAGS)
    yield Completion('"<mask>"', "Value", "one string for each run of words", '"${1:<mask>}"')


def _attributes(_: Snapshot, cursor: Context) -> Iterator[Completion]:
    is_sentence = cursor.subject == "sentence"
    dotted = "meta" if is_sentence else "misc"
    attributes = glossary.SENTENCE_ATTRIBUTES if is_sentence else glossary.WORD_ATTRIBUTES
    for name, about in attributes.items():
        if "." not in name:
            yield Completion(name, "Field", about, f"{dotted}." if name == dotted else None)
    if not is_sentence:
        yield from _described("Property", glossary.FEATURES)
        yield from _keywords("lower")
    if cursor.subject != "node":
        yield from _keywords("has", "not", snippets=False)


def _keys(_: Snapshot, cursor: Context) -> Iterator[Completion]:
    for key in numbers_of(cursor.subject):
        yield Completion(key, "Field", glossary.WORD_ATTRIBUTES[f"{cursor.subject}.{key}"])
    if cursor.subject in ("misc", "set misc"):
        refused = TEXT_ENTRIES if cursor.subject == "set misc" else ()
        yield from (Completion(key, "Field", about) for key, about in glossary.MISC.items() if key not in refused)


def _operators(_: Snapshot, __: Context) -> Iterator[Completion]:
    yield from (Completion(sign, "Operator", glossary.SIGNS[sign]) for sign in ("=", "!="))
    yield from _keywords("in", "not", snippets=False)
    for operator, about in glossary.OPERATORS.items():
        yield Completion(operator, "Keyword", about, f'{operator} "$0"')
    yield Completion("not in", "Keyword", "the value is none of these")


def _memberships(_: Snapshot, __: Context) -> Iterator[Completion]:
    yield from _keywords("in", "not", snippets=False)
    yield Completion("not in", "Keyword", "the row of values is none of these")


def _clauses(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    yield from _node_names(snapshot, cursor)
    for pattern in _visible_patterns(snapshot):
        yield Completion(pattern.name, "Function", pattern.detail, _call_snippet(pattern.name, pattern.parameters))
    if cursor.subject == "either":
        yield from _keywords("or")
    if cursor.subject == "node":
        yield from _keywords("may")
    yield from _keywords("without", "either", "maybe", "sentence", "between", "crossing")
    yield from _keywords("lower", "at", snippets=False)
    yield from (replace(measure, snippet=f"{measure.snippet} > ${{9:5}}") for measure in _measures())
    for quantifier in ("at least", "at most", "exactly"):
        about = glossary.KEYWORDS[quantifier.rpartition(" ")[2]]
        yield Completion(quantifier, "Keyword", about, f"{quantifier} ${{1:2}} ${{2:X}} {BLOCK}")


def _call_snippet(name: str, parameters: tuple[str, ...]) -> str:
    placeholders = (f"${{{index}:{parameter}}}" for index, parameter in enumerate(parameters, 1))
    return f"{name}({', '.join(placeholders)})"


def _node_names(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    text = snapshot.document.text
    yield from (Completion(name, "Variable", "a node") for name in _nodes_at(text, cursor.span.end, cursor.span.start))
    yield Completion("_", "Variable", glossary.SIGNS["_"])
    if cursor.kind == "node":
        yield from _keywords("lower", snippets=False)


def _upos(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    yield from _described("EnumMember", glossary.UPOS)
    yield from _parameter_completions(snapshot, cursor)


def _relations(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    enhanced = ud.ENHANCED if cursor.subject == "enhanced" else ()
    subtypes = [*ud.ENGLISH_SUBTYPES, *ud.OTHER_SUBTYPES, *enhanced]
    yield from (
        Completion(label, "EnumMember", glossary.describe_relation(label) or "") for label in (*ud.RELATIONS, *subtypes)
    )
    yield from _parameter_completions(snapshot, cursor)


def _parameter_completions(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    family = _FAMILY.search(_item_at(snapshot.document.text, cursor.span.end)[1])
    if family is not None:
        name, dollar = family[1], "" if cursor.kind == "parameter" else "$"
        yield Completion(
            dollar + name, "TypeParameter", "the parameter of this family", f"\\{dollar}{name}" if dollar else None
        )


def _values(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    name, _, layer = cursor.subject.partition("[")
    if name == "upos":
        yield from _upos(snapshot, cursor)
    elif name == "deprel":
        yield from _relations(snapshot, cursor)
    elif name == "inflect":
        yield from (Completion(tag, "EnumMember", glossary.PENN[tag]) for tag in INFLECTED_TAGS)
    else:
        if name == "xpos":
            yield from _described("EnumMember", glossary.PENN)
        for value in ud.FEATURES.get(name, ()):
            about = glossary.describe_value(name, value) or glossary.UPOS.get(value, f"{name}={value}")
            layer_meaning = glossary.LAYERS.get(layer.rstrip("]"))
            yield Completion(value, "Value", f"{about}, {layer_meaning}" if layer_meaning else about)
        if cursor.subject == "misc.SpaceAfter":
            yield Completion("No", "Value", "no space follows the word")
        yield from _parameter_completions(snapshot, cursor)


def _collections(snapshot: Snapshot, _: Context) -> Iterator[Completion]:
    yield from (Completion(f"@{item.name}", "Constant", item.detail) for item in _visible_lists(snapshot))
    yield Completion("{…}", "Operator", "a list written in place", "{$0}")


_METADATA = ("about", "source", "note", "targets")
_CONTINUATIONS = {
    "move": ("before", "after"),
    "insert": ("as", "of", "before", "after"),
    "swap": ("with",),
    "order": ("by", "desc", "head-final"),
    "shuffle": ("by", "in"),
}
_COMPLETERS: dict[str, Completer] = {
    "header": lambda _, __: iter([Completion("fict 1", "Keyword", glossary.KEYWORDS["fict"], "fict 1\n\n$0")]),
    "item": _only("filter", "rewrite", "pattern", "list", "use"),
    "list": _only("file"),
    "for": _only("for"),
    "in": _only("in"),
    "code": lambda _, __: (Completion(rule.code, "Value", rule.name) for rule in RULES),
    "path": lambda snapshot, cursor: (
        Completion(path, "File") for path in paths_for(snapshot.module.path, cursor.subject)
    ),
    "body": _only(*_METADATA, "match"),
    "target": _targets,
    "action": lambda _, cursor: _keywords(*ACTIONS, *(("with",) if cursor.subject == "mask" else ())),
    "rewrite-body": _only(*_METADATA, "as-is", "match"),
    "rewriting": _rewritings,
    "as-is": _only("case", "article"),
    "by": lambda _, cursor: _keywords("length", *(("chance",) if cursor.subject == "order" else ())),
    "of": _of,
    "tag": _tag_columns,
    "clause": _clauses,
    "node": _node_names,
    "upos": _upos,
    "relation": _relations,
    "number": lambda _, __: _measures(),
    "measured": _only("subtree", "span"),
    "amount": _only("least", "most"),
    "attribute": _attributes,
    "lowered": lambda _, __: _described(
        "Field", {name: glossary.WORD_ATTRIBUTES[name] for name in ("form", "lemma", "phrase")}
    ),
    "layer": lambda _, __: _described("Value", glossary.LAYERS),
    "key": _keys,
    "operator": _operators,
    "membership": _memberships,
    "more": _only("or"),
    "value": _values,
    "collection": _collections,
    "reference": lambda snapshot, _: (
        Completion(item.name, "Constant", item.detail) for item in _visible_lists(snapshot)
    ),
    "parameter": _parameter_completions,
}
