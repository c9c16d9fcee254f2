"""Hover: the meaning of a name, keyword or UD value, in Markdown."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fictdsl import glossary
from fictdsl.english.describe import describe, describe_rewrite
from fictdsl.source import Span
from fictdsl.syntax import nodes
from fictdsl.syntax.files import TAB
from fictdsl.syntax.nodes import REWRITINGS, VALUE_FUNCTIONS
from fictdsl.words import counted
from runner.lsp.completion_context import Context, context
from runner.lsp.documents import Snapshot
from runner.lsp.occurrences import Occurrence, occurrence_at

_TOKEN = re.compile(r"-\[|\]->>|\]->|->>|<-\[?|->|==>|=\[|\]=>|<<|==|!=|[<~=^|+-]|\w+")
_SUBTYPE = re.compile(r"(?::\w+)+")
_ARROWS = {"-[": "->", "]->": "->", "]->>": "->>", "<-[": "<-", "=[": "==>", "]=>": "==>"}
_MEANINGS = {
    "lowered": glossary.WORD_ATTRIBUTES,
    "layer": glossary.LAYERS,
    "operator": glossary.OPERATORS,
    "tag": glossary.REPLACEMENTS,
}
_MAX_ENTRIES = 8  # entries of a list that are shown
_BLOCKS = {
    "match": "a word that a match binds",
    "either": "a word that a match binds where it takes this branch",
    "maybe": "a word that a match binds if there is one",
}
_REWRITE_KINDS = ("item", "rewrite-body", "as-is", "rewriting", "by", "of", "node")  # contexts that occur in rewrites


@dataclass(frozen=True, slots=True)
class Hover:
    span: Span
    markdown: str


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    occurrence = occurrence_at(snapshot.occurrences, offset)
    if occurrence is not None:
        markdown = _name_meaning(snapshot, occurrence)
        return None if markdown is None else Hover(occurrence.span, markdown)
    token = _token_at(snapshot.document.text, offset)
    if token is None:
        return None
    markdown = _token_meaning(snapshot.document.text, token)
    return None if markdown is None else Hover(token, markdown)


def _token_at(text: str, offset: int) -> Span | None:
    """Return the word, with subtypes, or sign at an offset. Between two of them, return the one that starts there."""
    line = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    span = None
    for match in _TOKEN.finditer(text, line, len(text) if end < 0 else end):
        if match.start() <= offset < match.end() or (match.end() == offset and match[0][-1].isalnum()):
            span = Span(match.start(), match.end())
    if span is None or not text[span.start].isalnum() or context(text, span.start).kind not in ("relation", "value"):
        return span
    subtype = _SUBTYPE.match(text, span.end)
    return Span(context(text, span.start).span.start, subtype.end() if subtype else span.end)


# --- words and signs


def _token_meaning(text: str, span: Span) -> str | None:
    word = text[span.start : span.end]
    cursor = context(text, span.start)
    if cursor.kind in ("nothing", "path", "code"):
        return None
    sign = _ARROWS.get(word, word)
    if word in VALUE_FUNCTIONS and text.startswith("(", span.end):
        return f"`{word}` {glossary.KEYWORDS.get(word) or glossary.REWRITE_WORDS[word]}"
    if word in glossary.MEASURES and text.startswith("(", span.end):
        return f"`{word}` {glossary.MEASURES[word]}"
    meaning = _meaning_in_context(cursor, word)
    if meaning is None and cursor.kind not in ("value", "upos", "relation"):
        in_rewrite = cursor.kind in _REWRITE_KINDS or word == "rewrite"
        meaning = glossary.KEYWORDS.get(word) or (glossary.REWRITE_WORDS.get(word) if in_rewrite else None)
    if meaning is None and not word[0].isalnum():
        meaning = glossary.SIGNS.get(sign)
    if meaning is None:
        return None
    is_action = cursor.kind in _REWRITE_KINDS and word in REWRITINGS
    return f"`{sign}` {meaning}" + (f"\n\ndocs/actions.md#{word}" if is_action else "")


def _meaning_in_context(cursor: Context, word: str) -> str | None:
    name, _, layer = cursor.subject.partition("[")
    match cursor.kind, name:
        case ("upos", _) | ("value", "upos"):
            return glossary.UPOS.get(word)
        case ("relation", _) | ("value", "deprel"):
            return glossary.describe_relation(word)
        case "value", "xpos" | "inflect":
            return glossary.PENN.get(word)
        case "value", _:
            meaning, layer_meaning = glossary.describe_value(name, word), glossary.LAYERS.get(layer.rstrip("]"))
            return f"{meaning}, {layer_meaning}" if meaning and layer_meaning else meaning
        case "attribute", "sentence":
            return glossary.SENTENCE_ATTRIBUTES.get(word)
        case "attribute", _:
            return glossary.WORD_ATTRIBUTES.get(word) or glossary.FEATURES.get(word)
        case "key", "misc" | "set misc":
            return glossary.MISC.get(word, glossary.OTHER_MISC)
        case "key", _:
            return glossary.WORD_ATTRIBUTES.get(f"{name}.{word}")
    return _MEANINGS[cursor.kind].get(word) if cursor.kind in _MEANINGS else None


# --- names


def _name_meaning(snapshot: Snapshot, occurrence: Occurrence) -> str | None:
    match occurrence.kind:
        case "node":
            return _node_meaning(snapshot, occurrence)
        case "list":
            return _list_meaning(occurrence)
        case "pattern" if occurrence.item_module is not None and occurrence.item is not None:
            span = occurrence.item.span
            return _fenced(occurrence.item_module.source.text[span.start : span.end])
        case "filter" | "rewrite":
            return _query_meaning(snapshot, occurrence)
        case "parameter" if (
            isinstance(occurrence.item, nodes.FilterDef | nodes.RewriteDef) and occurrence.item.family is not None
        ):
            values = ", ".join(f"`{value.text}`" for value in occurrence.item.family.values)
            return f"`${occurrence.name}`, in turn {values}"
        case _:
            return f"`{occurrence.path}`" if occurrence.path is not None else None


def _list_meaning(occurrence: Occurrence) -> str | None:
    if not isinstance(occurrence.item, nodes.ListDef) or occurrence.item_module is None:
        return None
    entries = occurrence.item_module.entries(occurrence.item)
    if entries is None:
        return f"list `@{occurrence.name}`, whose file cannot be read"
    count, shown = counted(len(entries), "entry", "entries"), list(entries[:_MAX_ENTRIES])
    if occurrence.item.has_rows:
        count, shown = counted(len(entries), "row"), [f"({row.replace(TAB, ', ')})" for row in shown]
    suffix = ", …" if len(entries) > _MAX_ENTRIES else ""
    return f"list `@{occurrence.name}`, {count}" + (f": {', '.join(shown)}{suffix}" if entries else "")


def _query_meaning(snapshot: Snapshot, occurrence: Occurrence) -> str | None:
    compilation, item = snapshot.compilation, occurrence.item
    if compiled := next((each for each in compilation.filters if each.definition is item), None):
        about, lines = compiled.metadata.about, describe(compiled)
    elif rewrite := next((each for each in compilation.rewrites if each.definition is item), None):
        about, lines = rewrite.matching.metadata.about, describe_rewrite(rewrite)
    else:
        return None
    return (f"{about}\n\n" if about else "") + _fenced("\n".join(lines), "text")


def _node_meaning(snapshot: Snapshot, occurrence: Occurrence) -> str:
    terms = [
        other.term
        for other in snapshot.occurrences
        if other.definition_key == occurrence.definition_key and other.term is not None
    ]
    tested = sorted(term.span for term in terms if term.upos or term.test is not None)
    tests = dict.fromkeys(snapshot.document.text[span.start : span.end] for span in tested)
    description = _BLOCKS.get(occurrence.block, f"a word of the `{occurrence.block}` block, not part of a match")
    parameters = occurrence.item.parameters if isinstance(occurrence.item, nodes.PatternDef) else ()
    if occurrence.block == "pattern" and occurrence.definition in [parameter.span for parameter in parameters]:
        description = "a parameter of this pattern"
    return f"node `{occurrence.name}`, {description}" + (f"\n\n{_fenced(chr(10).join(tests))}" if tests else "")


def _fenced(text: str, language_name: str = "fict") -> str:
    return f"```{language_name}\n{text}\n```"
