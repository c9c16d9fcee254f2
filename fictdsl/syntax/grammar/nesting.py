"""Limit the nesting depth of parse trees, to protect later recursive passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.source import Source, Span

if TYPE_CHECKING:
    from lark import Token, Tree

# Above the limit of the language, which `semantics.check.limits` reports with a better message, and well below
# Python's recursion limit.
LIMIT = 100
_NESTING = frozenset({"body", "block", "group", "not_"})


def nesting_problem(tree: Tree[Token], source: Source) -> Diagnostic | None:
    """Return a diagnostic for the first node nested too deeply, or None. The function is not recursive."""
    from lark import Tree as LarkTree

    stack: list[tuple[Tree[Token], int]] = [(tree, 0)]
    while stack:
        subtree, depth = stack.pop()
        depth += subtree.data in _NESTING
        if depth > LIMIT:
            return diagnostic("FICT126", source, _first_span(subtree), limit=LIMIT)
        stack += [(child, depth) for child in reversed(subtree.children) if isinstance(child, LarkTree)]
    return None


def _first_span(tree: Tree[Token]) -> Span:
    from lark import Tree as LarkTree

    first: Tree[Token] | Token = tree
    while isinstance(first, LarkTree):
        first = first.children[0]
    return Span(first.start_pos or 0, first.end_pos or 0)
