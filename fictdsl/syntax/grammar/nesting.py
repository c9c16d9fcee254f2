"""A parse tree into the diagnostic that it nests too deep for anything that walks it recursively."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.source import Source, Span

if TYPE_CHECKING:
    from lark import Token, Tree

# Well above what the language allows (that limit is checked, with better words, on the syntax tree), and well
# below what Python's stack bears.
LIMIT = 100
_NESTING = frozenset({"block", "group", "not_"})


def too_deep(tree: Tree[Token], source: Source) -> Diagnostic | None:
    """The diagnostic for the first part beyond the limit, or None. Needs no stack itself."""
    from lark import Tree as LarkTree

    waiting: list[tuple[Tree[Token], int]] = [(tree, 0)]
    while waiting:
        part, depth = waiting.pop()
        depth += part.data in _NESTING
        if depth > LIMIT:
            return diagnostic("FICT126", source, _first_place(part), limit=LIMIT)
        waiting += [(child, depth) for child in reversed(part.children) if isinstance(child, LarkTree)]
    return None


def _first_place(tree: Tree[Token]) -> Span:
    from lark import Tree as LarkTree

    first: Tree[Token] | Token = tree
    while isinstance(first, LarkTree):
        first = first.children[0]
    return Span(first.start_pos or 0, first.end_pos or 0)
