"""Names that can be used at a position of a text that may not parse: nodes, lists, patterns, parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fictdsl.semantics.scopes import ResolvedDefinition
from fictdsl.syntax import nodes
from fictdsl.syntax.nodes import RESERVED
from fictdsl.syntax.scan import PARTNER, Lexeme, item_spans, lexemes, reparse_span
from runner.lsp.documents.documents import Snapshot

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
    """Return the lists that the document can name, defined or imported."""
    items = {name: NamedItem(name, "list") for name in _LIST.findall(snapshot.document.text)}
    for name, definition in snapshot.resolution.visible(snapshot.module).lists.items():
        items[name] = NamedItem(name, _list_detail(snapshot, definition))
    return list(items.values())


def visible_patterns(snapshot: Snapshot) -> list[NamedItem]:
    """Return the patterns that the document can call, defined or imported."""
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
