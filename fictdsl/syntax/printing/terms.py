"""Lay out tests and nodes with the comments between them. Print values and relations as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from fictdsl.syntax import nodes
from fictdsl.syntax.printing.document import FILL, Break, Doc, Group, Indent, join
from fictdsl.syntax.printing.trivia import Trivia
from fictdsl.syntax.text.strings import quote


def value(literal: nodes.Value) -> str:
    """Return a value as written, bare or quoted."""
    return quote(literal.text) if literal.quoted else literal.text


def atom(part: nodes.Atom | nodes.RegexValue) -> str:
    """Return a value, a parameter or a regular expression as text."""
    match part:
        case nodes.Value():
            return value(part)
        case nodes.Param(name):
            return f"${name}"
        case nodes.RegexValue(text, ignore_case):
            return f"/{text}/{'i' if ignore_case else ''}"
        case _:
            assert_never(part)


# --- tests


def tests(part: nodes.Test, trivia: Trivia) -> Doc:
    """Lay out the tests in brackets: on one line if they fit, else one per line."""
    printed: list[Doc] = []
    for each in part.tests if isinstance(part, nodes.And) else (part,):
        start = each.span.start
        printed += [",", trivia.line_break(start)] if printed else []
        # Comments stay outside the group, so that they do not break the alternatives over lines.
        leading = trivia.leading_comments(start)
        printed += [leading, _alternatives(each, trivia) if isinstance(each, nodes.Or) else _test(each, trivia)]
    return join(*printed)


def _alternatives(part: nodes.Or, trivia: Trivia) -> Doc:
    first = _test(part.tests[0], trivia)
    others: list[Doc] = []
    for each in part.tests[1:]:
        position = trivia.previous_start(each.span.start, skip="(")
        others += [trivia.line_break(position), _test(each, trivia, "or ", position)]
    return Group(join(first, Indent(join(*others))))


def _test(part: nodes.Test, trivia: Trivia, prefix: str = "", start: int | None = None) -> Doc:
    """Lay out a test after a prefix such as `not `, in parentheses if it is compound."""
    start = part.span.start if start is None else start
    match part:
        case nodes.Compare(attribute, op, values):
            return _choices(f"{prefix}{_attribute(attribute)} {op} ", values, start, part.span.end, trivia)
        case nodes.Member(attribute, negated, values):
            head = f"{prefix}{_attribute(attribute)} {'not in' if negated else 'in'} "
            if isinstance(values, nodes.ListLiteral):
                return braces(head, values, start, trivia)
            return atomic(f"{head}@{values.name}", start, part.span.end, trivia)
        case nodes.Has(attribute):
            return atomic(f"{prefix}has {_attribute(attribute)}", start, part.span.end, trivia)
        case nodes.Flag(attribute):
            return atomic(f"{prefix}{_attribute(attribute)}", start, part.span.end, trivia)
        case nodes.Not(inner):
            return _test(inner, trivia, f"{prefix}not ", start)
        case nodes.Or() | nodes.And():
            opening, closing = trivia.previous_start(part.span.start), trivia.end_of(")", part.span.end) - 1
            leading, trailing = trivia.comments_around(min(start, opening), opening + 1)
            inside = Indent(join(trivia.line_break(part.span.start, ""), tests(part, trivia)))
            return join(leading, Group(join(f"{prefix}(", trailing, inside, trivia.line_break(closing, ""), ")")))
        case _:
            assert_never(part)


def _choices(head: str, values: Sequence[nodes.Atom | nodes.RegexValue], start: int, end: int, trivia: Trivia) -> Doc:
    leading, trailing = trivia.comments_around(start, end)
    first, *rest = values
    others: list[Doc] = []
    for each in rest:
        others += [Group(trivia.line_break(each.span.start, "")), f"|{atom(each)}"]
    return join(leading, head, atom(first), Indent(join(*others)), trailing)


def braces(head: str, literal: nodes.ListLiteral | nodes.ListRows, start: int, trivia: Trivia) -> Doc:
    """Lay out `{a, b}` or `{(a, b)}` after `head`, filling lines and keeping blank lines between groups."""
    leading, trailing = trivia.comments_around(start, literal.span.start + 1)
    entries: list[Doc] = []
    items = literal.rows if isinstance(literal, nodes.ListRows) else literal.values
    for index, entry in enumerate(items):
        position, end = entry.span.start, entry.span.end
        if index == 0:
            entries.append(trivia.line_break(position, ""))
        elif trivia.blank_line_before(position):
            entries.append(Break(blank=True))
        else:
            entries.append(" " if trivia.is_pinned(position) else FILL)
        entries.append(atomic(_entry(entry) + ("," if index + 1 < len(items) else ""), position, end, trivia))
    closing = literal.span.end - 1
    content = Indent(join(*entries, trivia.remaining_comments(closing)))
    group = Group(join(head + "{", trailing, content, trivia.line_break(closing, ""), "}"))
    return join(leading, group, trivia.trailing_comment(literal.span.end))


def _entry(entry: nodes.Atom | nodes.Row) -> str:
    return f"({', '.join(map(atom, entry.values))})" if isinstance(entry, nodes.Row) else atom(entry)


def atomic(text: str, start: int, end: int, trivia: Trivia) -> Doc:
    """Lay out text on one line. Comments inside it are moved before or after it."""
    leading, trailing = trivia.comments_around(start, end)
    return join(leading, text, trailing)


def _attribute(attribute: nodes.Attribute, node: str = "") -> str:
    """Return an attribute as text, such as `lower(form)`, or with the prefix `S.`, `lower(S.form)`."""
    text = f"{node}{attribute.name}"
    if attribute.key is not None:
        key = quote(attribute.key) if attribute.key_quoted else attribute.key
        layered = attribute.name[:1].isupper() and not attribute.key_quoted
        text += f"[{key}]" if layered else f".{key}"
    return f"lower({text})" if attribute.lower else text


def node_attribute(part: nodes.NodeAttribute) -> str:
    """Return an attribute of a node as text: `S.Number`, `lower(S.form)`."""
    return _attribute(part.attribute, f"{part.node.text}.")


# --- nodes and relations


def node(term: nodes.NodeTerm, trivia: Trivia, prefix: str = "", start: int | None = None) -> Doc:
    """Lay out `V:VERB|AUX[tests]` or `_`, after a prefix such as a relation."""
    start = term.span.start if start is None else start
    head = prefix + node_head(term)
    if term.test is None:
        return atomic(head, start, term.span.end, trivia)
    return bracketed(head, term.test, start, trivia.end_of("[", term.span.start), term.span.end, trivia)


def bracketed(head: str, test: nodes.Test, start: int, after_opening: int, end: int, trivia: Trivia) -> Doc:
    """Lay out `head[tests]`. `after_opening` is the offset after `[`, and `end` the offset after `]`."""
    leading, trailing = trivia.comments_around(start, after_opening)
    content = join(trivia.line_break(test.span.start, ""), tests(test, trivia), trivia.remaining_comments(end - 1))
    group = Group(join(f"{head}[", trailing, Indent(content), trivia.line_break(end - 1, ""), "]"))
    return join(leading, group, trivia.trailing_comment(end))


def node_head(term: nodes.NodeTerm) -> str:
    """Return a node without its tests as text: `V:VERB|AUX`, `_`."""
    text = "_" if term.name is None else term.name.text
    return text + (":" + "|".join(atom(tag) for tag in term.upos) if term.upos else "")


def relation(part: nodes.Relation) -> str:
    """Return a relation as text, with its labels and bounds."""
    match part:
        case nodes.Edge(labels, from_dependent, enhanced):
            return _edge(labels, from_dependent, enhanced)
        case nodes.Path(labels, bounds):
            return f"{'->>' if labels is None else f'-{_labels(labels)}->>'}{_bounds(bounds)}"
        case nodes.Next():
            return "<"
        case nodes.Before(bounds):
            return f"<<{_bounds(bounds)}"
        case nodes.Siblings():
            return "~"
        case _:
            assert_never(part)


def _edge(labels: nodes.Labels | None, from_dependent: bool, enhanced: bool) -> str:
    if enhanced:
        return "==>" if labels is None else f"={_labels(labels)}=>"
    if from_dependent:
        return "<-" if labels is None else f"<-{_labels(labels)}-"
    return "->" if labels is None else f"-{_labels(labels)}->"


def _labels(labels: nodes.Labels) -> str:
    inner = "|".join(("=" if label.exact else "") + atom(label.label) for label in labels.labels)
    return f"[{'^' if labels.negated else ''}{inner}]"


def _bounds(bounds: nodes.Bounds | None) -> str:
    if bounds is None:
        return ""
    if bounds.low == bounds.high:
        return f"{{{bounds.low}}}"
    low = "" if bounds.low is None else bounds.low
    high = "" if bounds.high is None else bounds.high
    return f"{{{low}..{high}}}"
