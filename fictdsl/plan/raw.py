"""Find the parts of a filter that a raw layout does not support.

Its table has the columns ID to DEPREL of CoNLL-U, so it lacks comments, enhanced edges and entries of MISC.
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.schema import LENGTHS, LOWERED, WORD_STRINGS
from fictdsl.semantics import ir

_COLUMNS = {
    "id",
    *WORD_STRINGS,
    *LOWERED.values(),
    *LENGTHS.values(),
}  # columns of the table, and columns computed from them


def missing_from_raw(filter_: ir.Filter) -> tuple[str, ...]:
    """Return the names, for messages, of the parts of a filter that a raw layout does not support, sorted."""
    return tuple(sorted(set(_unsupported(filter_))))


def _unsupported(filter_: ir.Filter) -> Iterator[str]:
    for element in ir.walk(filter_):
        match element:
            case ir.Misc(key=key):
                yield f"misc.{key}"
            case ir.Computed(name=name):
                yield name
            case ir.Meta(key=key):
                yield f"meta.{key}"
            case ir.SentenceColumn(name=name) | ir.NumberColumn(name="length" as name):
                yield f"sentence.{name}"
            case ir.Column(name=name) | ir.NumberColumn(name=name) if name not in _COLUMNS:
                yield name
            case ir.EnhancedEdge():
                yield "enhanced edges"
            case ir.Action(target="subtree") | ir.SubtreeLength():
                yield "the words of a subtree"
            case _:
                pass
