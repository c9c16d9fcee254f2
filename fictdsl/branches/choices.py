"""A part of a syntax tree to the alternatives it offers, and to the conditions that could be left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from fictdsl.branches.walk import NOTHING, changed
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes


def choices(value: Any, source: Source) -> Iterator[tuple[str, str, Span, Any, Any]]:
    """Kind, text and place of each thing to choose or to leave out, with what stands there without it, and with it
    alone (None where there is nothing to choose)."""

    def written(part: Any) -> str:
        return source.text[part.span.start : part.span.end]

    def each(kind: str, name: str, texts: Sequence[str], *, negated: bool = False) -> Any:
        every: tuple[Any, ...] = getattr(value, name)
        for place, text in enumerate(texts):
            without = replace(value, **{name: changed(every, place, NOTHING)})
            alone = None if negated else replace(value, **{name: (every[place],)})
            yield kind, text, every[place].span, without, alone

    match value:
        case nodes.Either(branches=branches):
            yield from each("branch", "branches", [written(branch) for branch in branches])
        case nodes.Or(tests=tests):
            yield from each("side", "tests", [written(test) for test in tests])
        case nodes.Compare(attribute=attribute, op=op, values=values) if len(values) > 1:
            texts = [f"{written(attribute)} {op} {written(one)}" for one in values]
            yield from each("value", "values", texts, negated=op == "!=")
        case nodes.NodeTerm(name=name, upos=upos) if len(upos) > 1:
            yield from each("value", "upos", [f"{'_' if name is None else name.text}:{written(tag)}" for tag in upos])
        case nodes.Labels(labels=labels, negated=negated) if len(labels) > 1:
            texts = [f"[{'^' if negated else ''}{written(one)}]" for one in labels]
            yield from each("value", "labels", texts, negated=negated)
        case nodes.Without() | nodes.Count() | nodes.Call():
            yield type(value).__name__.lower(), written(value), value.span, NOTHING, None


def short(text: str, most: int = 72) -> str:
    """The text on one line, cut where it is long."""
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 2]} …"
