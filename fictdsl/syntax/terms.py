"""Lay out tests and nodes with the comments between them. Print values and relations as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from fictdsl.syntax import nodes
from fictdsl.syntax.document import FILL, Break, Doc, Group, Indent, Trivia, join
from fictdsl.syntax.nodes import quote


def value(literal: nodes.Value) -> str:
    return quote(literal.text) if literal.quoted else literal.text


def atom(item: nodes.Atom | nodes.RegexValue) -> str:
    match item:
        case nodes.Value():
            return value(item)
        case nodes.Param(name):
            return f"${name}"
        case nodes.RegexValue(text, ignore_case):
            return f"/{text}/{'i' if ignore_case else ''}"
        case _:
            assert_never(item)


# --- tests


def tests(test: nodes.Test, trivia: Trivia) -> Doc:
    printed: list[Doc] = []
    for conjunct in test.tests if isinstance(test, nodes.And) else (test,):
        start = conjunct.span.start
        printed += [",", trivia.line_break(start)] if printed else []
        # Comments stay outside the group, so that they do not break the alternatives over lines.
        leading = trivia.leading_comments(start)
        printed += [
            leading,
            _alternatives_doc(conjunct, trivia) if isinstance(conjunct, nodes.Or) else _test_doc(conjunct, trivia),
        ]
    return join(*printed)


def _alternatives_doc(disjunction: nodes.Or, trivia: Trivia) -> Doc:
    first_doc = _test_doc(disjunction.tests[0], trivia)
    other_docs: list[Doc] = []
    for alternative in disjunction.tests[1:]:
        position = trivia.previous_start(alternative.span.start, skip="(")
        other_docs += [trivia.line_break(position), _test_doc(alternative, trivia, "or ", position)]
    return Group(join(first_doc, Indent(join(*other_docs))))


def _test_doc(test: nodes.Test, trivia: Trivia, prefix: str = "", start: int | None = None) -> Doc:
    start = test.span.start if start is None else start
    match test:
        case nodes.Compare(attribute, op, values):
            return _values_doc(f"{prefix}{attribute.text()} {op} ", values, start, test.span.end, trivia)
        case nodes.Member(attribute, negated, values):
            head = f"{prefix}{attribute.text()} {'not in' if negated else 'in'} "
            if isinstance(values, nodes.ListLiteral):
                return braces(head, values, start, trivia)
            return on_one_line(f"{head}@{values.name}", start, test.span.end, trivia)
        case nodes.Has(attribute):
            return on_one_line(f"{prefix}has {attribute.text()}", start, test.span.end, trivia)
        case nodes.Flag(attribute):
            return on_one_line(f"{prefix}{attribute.text()}", start, test.span.end, trivia)
        case nodes.Not(negated_test):
            return _test_doc(negated_test, trivia, f"{prefix}not ", start)
        case nodes.Or() | nodes.And():
            opening, closing = trivia.previous_start(test.span.start), trivia.end_of(")", test.span.end) - 1
            leading, trailing = trivia.comments_around(min(start, opening), opening + 1)
            content = Indent(join(trivia.line_break(test.span.start, ""), tests(test, trivia)))
            return join(leading, Group(join(f"{prefix}(", trailing, content, trivia.line_break(closing, ""), ")")))
        case _:
            assert_never(test)


def _values_doc(
    head: str, values: Sequence[nodes.Atom | nodes.RegexValue], start: int, end: int, trivia: Trivia
) -> Doc:
    leading, trailing = trivia.comments_around(start, end)
    first_value, *other_values = values
    other_docs: list[Doc] = []
    for alternative in other_values:
        other_docs += [Group(trivia.line_break(alternative.span.start, "")), f"|{atom(alternative)}"]
    return join(leading, head, atom(first_value), Indent(join(*other_docs)), trailing)


def braces(head: str, literal: nodes.ListLiteral | nodes.ListRows, start: int, trivia: Trivia) -> Doc:
    """Lay out `{a, b}` or `{(a, b)}` after `head`, filling lines and keeping blank lines between entries."""
    leading, trailing = trivia.comments_around(start, literal.span.start + 1)
    parts: list[Doc] = []
    entries = literal.rows if isinstance(literal, nodes.ListRows) else literal.values
    for index, entry in enumerate(entries):
        position, end = entry.span.start, entry.span.end
        if index == 0:
            parts.append(trivia.line_break(position, ""))
        elif trivia.blank_line_before(position):
            parts.append(Break(blank=True))
        else:
            parts.append(" " if trivia.is_pinned(position) else FILL)
        parts.append(on_one_line(_entry(entry) + ("," if index + 1 < len(entries) else ""), position, end, trivia))
    closing = literal.span.end - 1
    content = Indent(join(*parts, trivia.remaining_comments(closing)))
    group = Group(join(head + "{", trailing, content, trivia.line_break(closing, ""), "}"))
    return join(leading, group, trivia.trailing_comment(literal.span.end))


def _entry(entry: nodes.Atom | nodes.Row) -> str:
    return f"({', '.join(map(atom, entry.values))})" if isinstance(entry, nodes.Row) else atom(entry)


def on_one_line(text: str, start: int, end: int, trivia: Trivia) -> Doc:
    leading, trailing = trivia.comments_around(start, end)
    return join(leading, text, trailing)


def node_attribute(part: nodes.NodeAttribute) -> str:
    return part.attribute.text(f"{part.node.text}.")


def sum_text(summands: Sequence[nodes.Summand]) -> str:
    first, *others = summands
    added = (f" {'-' if summand.negated else '+'} {_number(summand.number)}" for summand in others)
    return f"{'-' if first.negated else ''}{_number(first.number)}{''.join(added)}"


def _number(number: nodes.Measure | int) -> str:
    if isinstance(number, int):
        return str(number)
    names = ", ".join(name.text for name in number.nodes)
    return f"distance({names})" if number.kind == "distance" else f"length({number.kind}({names}))"


# --- nodes and relations


def node(term: nodes.NodeTerm, trivia: Trivia, prefix: str = "", start: int | None = None) -> Doc:
    start = term.span.start if start is None else start
    name = "_" if term.name is None else term.name.text
    head = prefix + name + (":" + "|".join(atom(tag) for tag in term.upos) if term.upos else "")
    if term.test is None:
        return on_one_line(head, start, term.span.end, trivia)
    return bracketed(head, term.test, start, trivia.end_of("[", term.span.start), term.span.end, trivia)


def bracketed(head: str, test: nodes.Test, start: int, after_opening: int, end: int, trivia: Trivia) -> Doc:
    """Lay out `head[tests]`. `after_opening` is the offset after `[`, and `end` the offset after `]`."""
    leading, trailing = trivia.comments_around(start, after_opening)
    content = join(trivia.line_break(test.span.start, ""), tests(test, trivia), trivia.remaining_comments(end - 1))
    group = Group(join(f"{head}[", trailing, Indent(content), trivia.line_break(end - 1, ""), "]"))
    return join(leading, group, trivia.trailing_comment(end))


def relation(relation_node: nodes.Relation) -> str:
    match relation_node:
        case nodes.Edge(labels, from_dependent, enhanced):
            left, right = ("=", "=>") if enhanced else ("<-", "-") if from_dependent else ("-", "->")
            if labels is None:
                return "==>" if enhanced else "<-" if from_dependent else "->"
            return f"{left}{_labels(labels)}{right}"
        case nodes.Path(labels, bounds):
            return f"{'->>' if labels is None else f'-{_labels(labels)}->>'}{_bounds(bounds)}"
        case nodes.Next():
            return "<"
        case nodes.Before(bounds):
            return f"<<{_bounds(bounds)}"
        case nodes.Siblings():
            return "~"
        case _:
            assert_never(relation_node)


def _labels(labels: nodes.Labels) -> str:
    label_texts = "|".join(("=" if label.exact else "") + atom(label.label) for label in labels.labels)
    return f"[{'^' if labels.negated else ''}{label_texts}]"


def _bounds(bounds: nodes.Bounds | None) -> str:
    if bounds is None:
        return ""
    low, high = ("" if number is None else number for number in (bounds.low, bounds.high))
    return f"{{{low}}}" if low == high else f"{{{low}..{high}}}"
