"""Blocks and clauses into documents, with the comments between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from fictdsl.syntax import nodes
from fictdsl.syntax.printing.document import Break, Doc, Group, Indent, Join, Line, Rows, flat, join, noted
from fictdsl.syntax.printing.tests import atomic, bracketed, node, node_attribute, relation
from fictdsl.syntax.printing.trivia import Margin


def block(head: str, part: nodes.Block, start: int, margin: Margin, most: int = 2) -> Doc:
    """`head { clauses }`: on one line if there is room and there are at most so many, none with a block of its own."""
    above, content = _block(head, part, start, margin, most)
    return join(above, Group(content), margin.beside(part.span.end))


def _block(head: str, part: nodes.Block, start: int, margin: Margin, most: int) -> tuple[Doc, Join]:
    """What stands above a block, and the block."""
    above, beside = margin.around(start, part.span.start + 1)
    opens = len(part.clauses) > most or any(isinstance(c, _WITH_BLOCK) for c in part.clauses)
    inner: list[Doc] = []
    for clause in part.clauses:
        at = clause.span.start
        flat = "   " if inner else " "
        if margin.held(at):
            inner.append(flat)
        elif inner and margin.gap(at):
            inner.append(Break(blank=True))
        else:
            inner.append(Break() if opens else Line(flat))
        inner += [margin.above(at), _clause(clause, margin)]
    closing = part.span.end - 1
    inside = Indent(join(*inner, margin.below(closing)))
    return above, join(f"{head} {{", beside, inside, margin.line(closing), "}")


_WITH_BLOCK = (nodes.Without, nodes.Either, nodes.Count)


def _clause(clause: nodes.Clause, margin: Margin) -> Doc:
    start, end = clause.span.start, clause.span.end
    match clause:
        case nodes.Chain(first, links):
            return _chain(first, links, margin)
        case nodes.Between():
            return _between(clause, margin)
        case nodes.Relate(left, op, right):
            return atomic(f"{node_attribute(left)} {op} {node_attribute(right)}", start, end, margin)
        case nodes.Without(inner):
            return block("without", inner, start, margin)
        case nodes.Either(branches):
            return _either(branches, start, margin)
        case nodes.Count(quantifier, number, counted, inner):
            return block(f"{quantifier} {number} {flat(node(counted, Margin()))}", inner, start, margin)
        case nodes.SentenceTest(test):
            return bracketed("sentence", test, start, margin.after("[", start), end, margin)
        case nodes.Call(pattern, arguments):
            named = ", ".join("_" if argument is None else argument.text for argument in arguments)
            return atomic(f"{pattern.text}({named})", start, end, margin)
        case _:
            assert_never(clause)


def _chain(first: nodes.NodeTerm, links: Sequence[nodes.Link], margin: Margin) -> Doc:
    head = node(first, margin)
    steps: list[Doc] = []
    for link in links:
        at = link.span.start
        steps += [margin.line(at), node(link.target, margin, f"{relation(link.relation)} ", at)]
    return Group(join(head, Indent(join(*steps)))) if steps else head


def _between(clause: nodes.Between, margin: Margin) -> Doc:
    head = node(clause.middle, margin)
    steps: list[Doc] = []
    for word, term in (("between", clause.left), ("and", clause.right)):
        at = margin.before(term.span.start)
        steps += [margin.line(at), node(term, margin, f"{word} ", at)]
    return Group(join(head, Indent(join(*steps))))


def _either(branches: Sequence[nodes.Block], start: int, margin: Margin) -> Doc:
    """Branches of one line each below each other, `or` under the end of `either`; or all open, `} or {`."""
    tight: list[Doc] = []
    loose: list[Doc] = []
    rows: list[Doc] = []
    for index, branch in enumerate(branches):
        at = margin.before(branch.span.start) if index else start
        held = index > 0 and margin.held(at)
        above, content = _block("or" if index else "either", branch, at, margin, most=2)
        beside = margin.beside(branch.span.end)
        if index:
            # `}` and the next `or` share a line, unless a comment stands between them.
            loose.append(Break() if above or noted(loose[-1]) else " ")
        loose.append(join(above, content, beside))
        row = join(above, Group(content), beside)
        tight.append(Indent(join(" " if held else Break(), row), by=4) if index else row)
        rows.append(content)
    return Rows(tuple(rows), join(*tight), join(*loose))
