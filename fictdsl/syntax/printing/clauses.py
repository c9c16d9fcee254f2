"""Lay out blocks and clauses, with the comments between them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import assert_never

from fictdsl.syntax import nodes
from fictdsl.syntax.printing.document import Break, Doc, Group, Indent, Join, Line, Rows, ends_with_comment, flat, join
from fictdsl.syntax.printing.terms import (
    bracketed,
    node,
    node_attribute,
    node_without_test,
    on_one_line,
    relation,
    sum_text,
)
from fictdsl.syntax.printing.trivia import Trivia


def block(head: str, block_node: nodes.Block, start: int, trivia: Trivia, max_inline: int = 2) -> Doc:
    """Lay out `head { clauses }`, on one line if it fits, has at most `max_inline` clauses and no nested block.

    `start` is the offset of `head` in the text.
    """
    leading, content = _block(head, block_node, start, trivia, max_inline)
    return join(leading, Group(content), trivia.trailing_comment(block_node.span.end))


def _block(head: str, block_node: nodes.Block, start: int, trivia: Trivia, max_inline: int) -> tuple[Doc, Join]:
    """Return the comments before a block, and the block without its trailing comment."""
    leading, trailing = trivia.comments_around(start, block_node.span.start + 1)
    multiline = len(block_node.clauses) > max_inline or any(
        isinstance(clause, _BLOCK_CLAUSES) for clause in block_node.clauses
    )
    clause_docs: list[Doc] = []
    for clause, following in zip_longest(block_node.clauses, block_node.clauses[1:]):
        position = clause.span.start
        gap = "   " if clause_docs else " "
        if trivia.is_pinned(position):
            clause_docs.append(gap)
        elif clause_docs and trivia.blank_line_before(position):
            clause_docs.append(Break(blank=True))
        else:
            clause_docs.append(Break() if multiline else Line(gap))
        needs_semicolon = isinstance(following, nodes.TupleMember) and _is_bare(clause)
        clause_docs += [
            trivia.leading_comments(position),
            _with_semicolon(clause, trivia) if needs_semicolon else _clause(clause, trivia),
        ]
    closing = block_node.span.end - 1
    body = Indent(join(*clause_docs, trivia.remaining_comments(closing)))
    return leading, join(f"{head} {{", trailing, body, trivia.line_break(closing), "}")


def _is_bare(clause: nodes.Clause) -> bool:
    """Return whether a clause is a single name. Before a tuple it needs a semicolon: `V (` begins a pattern call."""
    match clause:
        case nodes.Chain(first=nodes.NodeTerm(name=nodes.Name(), upos=(), test=None), links=()):
            return True
    return False


def _with_semicolon(clause: nodes.Clause, trivia: Trivia) -> Doc:
    """Lay out a bare name with a semicolon."""
    assert isinstance(clause, nodes.Chain)
    return on_one_line(f"{node_without_test(clause.first)};", clause.span.start, clause.span.end, trivia)


_BLOCK_CLAUSES = (nodes.Without, nodes.Either, nodes.Maybe, nodes.Count)


def _clause(clause: nodes.Clause, trivia: Trivia) -> Doc:
    start, end = clause.span.start, clause.span.end
    match clause:
        case nodes.Chain(first, links):
            return _chain(first, links, trivia)
        case nodes.Between():
            return _between(clause, trivia)
        case nodes.AttributeComparison(left, op, right):
            return on_one_line(f"{node_attribute(left)} {op} {node_attribute(right)}", start, end, trivia)
        case nodes.SumComparison(left, op, right):
            return on_one_line(f"{sum_text(left)} {op} {sum_text(right)}", start, end, trivia)
        case nodes.TupleMember(attributes, negated, reference):
            names = ", ".join(map(node_attribute, attributes))
            return on_one_line(f"({names}) {'not in' if negated else 'in'} @{reference.name}", start, end, trivia)
        case nodes.Crossing():
            return _crossing(clause, trivia)
        case nodes.Coincide(left_name, right_name):
            return on_one_line(f"{left_name.text} may be {right_name.text}", start, end, trivia)
        case nodes.Maybe(inner_block):
            return block("maybe", inner_block, start, trivia)
        case nodes.Without(inner_block):
            return block("without", inner_block, start, trivia)
        case nodes.Either(branches):
            return _either(branches, start, trivia)
        case nodes.Count(quantifier, number, counted, inner_block):
            return block(f"{quantifier} {number} {flat(node(counted, Trivia()))}", inner_block, start, trivia)
        case nodes.SentenceTest(test):
            return bracketed("sentence", test, start, trivia.end_of("[", start), end, trivia)
        case nodes.Call(pattern, arguments):
            names = ", ".join("_" if argument is None else argument.text for argument in arguments)
            return on_one_line(f"{pattern.text}({names})", start, end, trivia)
        case _:
            assert_never(clause)


def _chain(first: nodes.NodeTerm, links: Sequence[nodes.Link], trivia: Trivia) -> Doc:
    head = node(first, trivia)
    steps: list[Doc] = []
    for link in links:
        position = link.span.start
        steps += [trivia.line_break(position), node(link.target, trivia, f"{relation(link.relation)} ", position)]
    return Group(join(head, Indent(join(*steps)))) if steps else head


def _between(clause: nodes.Between, trivia: Trivia) -> Doc:
    head = node(clause.middle, trivia)
    steps: list[Doc] = []
    for keyword, term in (("between", clause.left), ("and", clause.right)):
        position = trivia.previous_start(term.span.start)
        steps += [trivia.line_break(position), node(term, trivia, f"{keyword} ", position)]
    return Group(join(head, Indent(join(*steps))))


def _crossing(clause: nodes.Crossing, trivia: Trivia) -> Doc:
    position = clause.right.span.start
    head = node(clause.left, trivia, "crossing ", clause.span.start)
    return Group(join(head, ",", Indent(join(trivia.line_break(position), node(clause.right, trivia)))))


def _either(branches: Sequence[nodes.Block], start: int, trivia: Trivia) -> Doc:
    """Lay out branches below each other if each fits on a line, else as blocks joined by `} or {`."""
    tight: list[Doc] = []
    loose: list[Doc] = []
    rows: list[Doc] = []
    for index, branch in enumerate(branches):
        position = trivia.previous_start(branch.span.start) if index else start
        is_pinned = index > 0 and trivia.is_pinned(position)
        leading, content = _block("or" if index else "either", branch, position, trivia, max_inline=2)
        trailing = trivia.trailing_comment(branch.span.end)
        if index:
            # `}` and the next `or` share a line, unless there is a comment between them.
            loose.append(Break() if leading or ends_with_comment(loose[-1]) else " ")
        loose.append(join(leading, content, trailing))
        branch_doc = join(leading, Group(content), trailing)
        tight.append(Indent(join(" " if is_pinned else Break(), branch_doc), by=4) if index else branch_doc)
        rows.append(content)
    return Rows(tuple(rows), join(*tight), join(*loose))
