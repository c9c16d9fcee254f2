"""A place in a document into what stands there and what it means, in Markdown."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fictdsl.english.describe import describe
from fictdsl.glossary import features, language, tags
from fictdsl.source import Span
from fictdsl.syntax import nodes
from runner.lsp.complete.context import Context, context
from runner.lsp.documents.documents import Study
from runner.lsp.documents.occurrences import Occurrence, at

_TOKEN = re.compile(r"-\[|\]->>|\]->|->>|<-\[?|->|==>|=\[|\]=>|<<|==|!=|[<~=^|]|\w+")
_SUBTYPE = re.compile(r"(?::\w+)+")
_ARROWS = {"-[": "->", "]->": "->", "]->>": "->>", "<-[": "<-", "=[": "==>", "]=>": "==>"}
_SHOWN = 8  # entries of a list


@dataclass(frozen=True, slots=True)
class Hover:
    """What is said of a span."""

    span: Span
    markdown: str


def hover(study: Study, offset: int) -> Hover | None:
    """What stands at an offset: a name that is defined somewhere, else a word or sign of the language or of UD."""
    named = at(study.occurrences, offset)
    if named is not None:
        said = _named(study, named)
        return None if said is None else Hover(named.span, said)
    token = _token(study.page.text, offset)
    if token is None:
        return None
    said = _token_means(study.page.text, token)
    return None if said is None else Hover(token, said)


def _token(text: str, offset: int) -> Span | None:
    """The word or sign that an offset touches; of two, the one that begins there."""
    line = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    found = None
    for match in _TOKEN.finditer(text, line, len(text) if end < 0 else end):
        if match.start() <= offset < match.end() or (match.end() == offset and match[0][-1].isalnum()):
            found = Span(match.start(), match.end())
    if found is None or not text[found.start].isalnum() or context(text, found.start).kind not in ("relation", "value"):
        return found
    rest = _SUBTYPE.match(text, found.end)
    return Span(context(text, found.start).span.start, rest.end() if rest else found.end)


# --- words and signs


def _token_means(text: str, span: Span) -> str | None:
    word = text[span.start : span.end]
    found = context(text, span.start)
    if found.kind in ("nothing", "path", "code"):
        return None
    sign = _ARROWS.get(word, word)
    about = _in_context(found, word)
    if about is None and found.kind not in ("value", "upos", "relation"):
        about = language.KEYWORDS.get(word)
    if about is None and not word[0].isalnum():
        about = language.SIGNS.get(sign)
    return None if about is None else f"`{sign}` {about}"


def _in_context(found: Context, word: str) -> str | None:
    """What a word means where only words of one kind may stand."""
    match found.kind:
        case "upos":
            return tags.UPOS.get(word)
        case "relation":
            return tags.relation(word)
        case "value":
            return _value(found.about, word)
        case "attribute":
            return _attribute(found.about, word)
        case "lowered":
            return language.WORD_ATTRIBUTES.get(word)
        case "layer":
            return features.LAYERS.get(word)
        case "key":
            return language.LENGTH if word == "length" else None
        case "tag":
            return language.TAGS.get(word)
        case _:
            return None


def _value(attribute: str, word: str) -> str | None:
    name, _, layer = attribute.partition("[")
    if name == "upos":
        return tags.UPOS.get(word)
    if name == "deprel":
        return tags.relation(word)
    about, of = features.value(name, word), features.LAYERS.get(layer.rstrip("]"))
    return about if about is None or of is None else f"{about}, {of}"


def _attribute(place: str, word: str) -> str | None:
    if place == "sentence":
        return language.SENTENCE_ATTRIBUTES.get(word)
    return language.WORD_ATTRIBUTES.get(word) or features.FEATURES.get(word)


# --- names


def _named(study: Study, named: Occurrence) -> str | None:
    match named.kind:
        case "node":
            return _node(study, named)
        case "list":
            return _list(named)
        case "pattern" if named.home is not None and named.item is not None:
            span = named.item.span
            return _fenced(named.home.source.text[span.start : span.end])
        case "filter":
            return _filter(study, named)
        case "parameter" if isinstance(named.item, nodes.FilterDef) and named.item.family is not None:
            values = ", ".join(f"`{value.text}`" for value in named.item.family.values)
            return f"`${named.name}`, in turn {values}"
        case _:
            return f"`{named.path}`" if named.path is not None else None


def _list(named: Occurrence) -> str | None:
    if not isinstance(named.item, nodes.ListDef) or named.home is None:
        return None
    found = named.home.entries(named.item)
    if found is None:
        return f"list `@{named.name}`, whose file cannot be read"
    count = "1 entry" if len(found) == 1 else f"{len(found)} entries"
    more = ", …" if len(found) > _SHOWN else ""
    return f"list `@{named.name}`, {count}" + (f": {', '.join(found[:_SHOWN])}{more}" if found else "")


def _filter(study: Study, named: Occurrence) -> str | None:
    for compiled in study.compilation.filters:
        if compiled.definition is named.item:
            about = f"{compiled.metadata.about}\n\n" if compiled.metadata.about else ""
            return about + _fenced("\n".join(describe(compiled)), "text")
    return None


def _node(study: Study, named: Occurrence) -> str:
    """Where it is bound, and what is tested of it, in the order of the text."""
    same = [one.term for one in study.occurrences if one.key == named.key and one.term is not None]
    tested = sorted(term.span for term in same if term.upos or term.test is not None)
    shown = dict.fromkeys(study.page.text[span.start : span.end] for span in tested)
    where = "a parameter of this pattern" if named.block == "pattern" and _is_parameter(named) else _bound(named.block)
    return f"node `{named.name}`, {where}" + (f"\n\n{_fenced(chr(10).join(shown))}" if shown else "")


def _is_parameter(named: Occurrence) -> bool:
    item = named.item
    return isinstance(item, nodes.PatternDef) and any(parameter.span == named.place for parameter in item.parameters)


def _bound(block: str) -> str:
    if block == "match":
        return "a word that a match binds"
    if block == "either":
        return "a word that a match binds where it takes this branch"
    return f"a word of the `{block}` block, not part of a match"


def _fenced(text: str, language_name: str = "fict") -> str:
    return f"```{language_name}\n{text}\n```"
