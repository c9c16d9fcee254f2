"""The parts of a clause into documents: values, tests, nodes and relations, with the comments between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from fictdsl.syntax import nodes
from fictdsl.syntax.printing.document import FILL, Break, Doc, Group, Indent, join
from fictdsl.syntax.printing.trivia import Margin


def value(literal: nodes.Value) -> str:
    """A value as it was written: bare or quoted."""
    return quote(literal.text) if literal.quoted else literal.text


def quote(text: str) -> str:
    """A text as a string of the language."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def atom(part: nodes.Atom | nodes.RegexValue) -> str:
    """A value, a parameter or a regular expression."""
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


def tests(part: nodes.Test, margin: Margin) -> Doc:
    """What stands in brackets: a test a line where there is not room for all."""
    printed: list[Doc] = []
    for each in part.tests if isinstance(part, nodes.And) else (part,):
        start = each.span.start
        printed += [",", margin.line(start)] if printed else []
        # What stands above an alternative is no reason to break it.
        above = margin.above(start)
        printed += [above, _alternatives(each, margin) if isinstance(each, nodes.Or) else _test(each, margin)]
    return join(*printed)


def _alternatives(part: nodes.Or, margin: Margin) -> Doc:
    first = _test(part.tests[0], margin)
    others: list[Doc] = []
    for each in part.tests[1:]:
        at = margin.before(each.span.start, but="(")
        others += [margin.line(at), _test(each, margin, "or ", at)]
    return Group(join(first, Indent(join(*others))))


def _test(part: nodes.Test, margin: Margin, before: str = "", start: int | None = None) -> Doc:
    """A test after a word such as `not `; with parentheses if it has parts."""
    start = part.span.start if start is None else start
    match part:
        case nodes.Compare(attribute, op, values):
            return _choices(f"{before}{_attribute(attribute)} {op} ", values, start, part.span.end, margin)
        case nodes.Member(attribute, negated, values):
            head = f"{before}{_attribute(attribute)} {'not in' if negated else 'in'} "
            if isinstance(values, nodes.ListLiteral):
                return braces(head, values, start, margin)
            return atomic(f"{head}@{values.name}", start, part.span.end, margin)
        case nodes.Has(attribute):
            return atomic(f"{before}has {_attribute(attribute)}", start, part.span.end, margin)
        case nodes.Not(inner):
            return _test(inner, margin, f"{before}not ", start)
        case nodes.Or() | nodes.And():
            opening, closing = margin.before(part.span.start), margin.after(")", part.span.end) - 1
            above, beside = margin.around(min(start, opening), opening + 1)
            inside = Indent(join(margin.line(part.span.start, ""), tests(part, margin)))
            return join(above, Group(join(f"{before}(", beside, inside, margin.line(closing, ""), ")")))
        case _:
            assert_never(part)


def _choices(head: str, values: Sequence[nodes.Atom | nodes.RegexValue], start: int, end: int, margin: Margin) -> Doc:
    above, beside = margin.around(start, end)
    first, *rest = values
    others: list[Doc] = []
    for each in rest:
        others += [Group(margin.line(each.span.start, "")), f"|{atom(each)}"]
    return join(above, head, atom(first), Indent(join(*others)), beside)


def braces(head: str, literal: nodes.ListLiteral, start: int, margin: Margin) -> Doc:
    """`{a, b}` after `head`; as many entries on a line as there is room for, groups apart that are apart."""
    above, beside = margin.around(start, literal.span.start + 1)
    entries: list[Doc] = []
    for index, entry in enumerate(literal.values):
        at, end = entry.span.start, entry.span.end
        if index == 0:
            entries.append(margin.line(at, ""))
        elif margin.gap(at):
            entries.append(Break(blank=True))
        else:
            entries.append(" " if margin.held(at) else FILL)
        entries.append(atomic(atom(entry) + ("," if index + 1 < len(literal.values) else ""), at, end, margin))
    closing = literal.span.end - 1
    inside = Indent(join(*entries, margin.below(closing)))
    group = Group(join(head + "{", beside, inside, margin.line(closing, ""), "}"))
    return join(above, group, margin.beside(literal.span.end))


def atomic(text: str, start: int, end: int, margin: Margin) -> Doc:
    """What stands on one line, whatever is written between its words."""
    above, beside = margin.around(start, end)
    return join(above, text, beside)


def _attribute(attribute: nodes.Attribute, node: str = "") -> str:
    """An attribute; of a node if one is given: `S.Number`, `lower(S.form)`."""
    text = f"{node}{attribute.name}"
    if attribute.key is not None:
        key = quote(attribute.key) if attribute.key_quoted else attribute.key
        layered = attribute.name[:1].isupper() and not attribute.key_quoted
        text += f"[{key}]" if layered else f".{key}"
    return f"lower({text})" if attribute.lower else text


def node_attribute(part: nodes.NodeAttribute) -> str:
    """`S.Number`, `lower(S.form)`."""
    return _attribute(part.attribute, f"{part.node.text}.")


# --- nodes and relations


def node(term: nodes.NodeTerm, margin: Margin, before: str = "", start: int | None = None) -> Doc:
    """`V:VERB|AUX[tests]` or `_`, after the relation that leads to it."""
    start = term.span.start if start is None else start
    head = before + node_head(term)
    if term.test is None:
        return atomic(head, start, term.span.end, margin)
    return bracketed(head, term.test, start, margin.after("[", term.span.start), term.span.end, margin)


def bracketed(head: str, test: nodes.Test, start: int, opened: int, end: int, margin: Margin) -> Doc:
    """`head[tests]`, where the brackets lie at `opened` and `end`."""
    above, beside = margin.around(start, opened)
    inside = join(margin.line(test.span.start, ""), tests(test, margin), margin.below(end - 1))
    group = Group(join(f"{head}[", beside, Indent(inside), margin.line(end - 1, ""), "]"))
    return join(above, group, margin.beside(end))


def node_head(term: nodes.NodeTerm) -> str:
    """`V:VERB|AUX`, `_`: a node without its tests."""
    text = "_" if term.name is None else term.name.text
    return text + (":" + "|".join(atom(tag) for tag in term.upos) if term.upos else "")


def relation(part: nodes.Relation) -> str:
    """The sign between two nodes, with its labels and bounds."""
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
