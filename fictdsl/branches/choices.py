"""Enumerate the alternatives of a syntax node, and the conditions that can be removed from a filter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from fictdsl.branches.walk import NOTHING, replaced_at
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes


def choices(node: Any, source: Source) -> Iterator[tuple[str, str, Span, Any, Any]]:
    """Yield the kind, text and span of each alternative or removable condition, and two replacements of `node`.

    The first replacement lacks the alternative; for a condition, it is NOTHING. The second has no other alternative; it
    is None for conditions and negated tests.
    """

    def text_of(part: Any) -> str:
        return source.text[part.span.start : part.span.end]

    def alternatives(kind: str, field: str, texts: Sequence[str], *, negated: bool = False) -> Any:
        items: tuple[Any, ...] = getattr(node, field)
        for index, text in enumerate(texts):
            removed = replace(node, **{field: replaced_at(items, index, NOTHING)})
            isolated = None if negated else replace(node, **{field: (items[index],)})
            yield kind, text, items[index].span, removed, isolated

    match node:
        case nodes.Either(branches=branches):
            yield from alternatives("branch", "branches", [text_of(branch) for branch in branches])
        case nodes.Or(tests=tests):
            yield from alternatives("side", "tests", [text_of(test) for test in tests])
        case nodes.Compare(attribute=attribute, op=op, values=values) if len(values) > 1:
            texts = [f"{text_of(attribute)} {op} {text_of(item)}" for item in values]
            yield from alternatives("value", "values", texts, negated=op == "!=")
        case nodes.NodeTerm(name=name, upos=upos) if len(upos) > 1:
            yield from alternatives(
                "value", "upos", [f"{'_' if name is None else name.text}:{text_of(tag)}" for tag in upos]
            )
        case nodes.Labels(labels=labels, negated=negated) if len(labels) > 1:
            texts = [f"[{'^' if negated else ''}{text_of(label)}]" for label in labels]
            yield from alternatives("value", "labels", texts, negated=negated)
        case nodes.Without() | nodes.Count() | nodes.Call():
            yield type(node).__name__.lower(), text_of(node), node.span, NOTHING, None


def shorten(text: str, max_length: int = 72) -> str:
    """Return the text on one line, truncated to `max_length` characters."""
    text = " ".join(text.split())
    return text if len(text) <= max_length else f"{text[: max_length - 2]} …"
