"""A filter to what it asks for that the columns of CoNLL-U alone do not hold."""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.semantics import ir


def missing_from_raw(filter_: ir.Filter) -> tuple[str, ...]:
    """What a plan for a raw layout cannot find, in the words of a filter; each once, in order of the alphabet."""
    return tuple(sorted(set(_asked(filter_))))


def _asked(filter_: ir.Filter) -> Iterator[str]:
    for part in ir.walk(filter_):
        match part:
            case ir.Misc(key=key):
                yield f"misc.{key}"
            case ir.Meta(key=key):
                yield f"meta.{key}"
            case ir.SentenceColumn(name=name) | ir.NumberColumn(name="length" as name):
                yield f"sentence.{name}"
            case ir.EnhancedEdge():
                yield "enhanced edges"
            case ir.Action(target="subtree"):
                yield "the words of a subtree"
            case _:
                pass
