"""The parts of a clause into text: values, tests, nodes and relations. Each fits on one line."""

from __future__ import annotations

from typing import assert_never

from fictdsl.syntax import nodes


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


def list_literal(literal: nodes.ListLiteral) -> str:
    """`{a, b}`."""
    return "{" + ", ".join(atom(entry) for entry in literal.values) + "}"


# --- tests


def test(part: nodes.Test) -> str:
    """A test, with no more parentheses than it needs."""
    match part:
        case nodes.Compare(attribute, op, values):
            return f"{_attribute(attribute)} {op} {'|'.join(atom(choice) for choice in values)}"
        case nodes.Member(attribute, negated, values):
            where = f"@{values.name}" if isinstance(values, nodes.ListRef) else list_literal(values)
            return f"{_attribute(attribute)} {'not in' if negated else 'in'} {where}"
        case nodes.Has(attribute):
            return f"has {_attribute(attribute)}"
        case nodes.Not(inner):
            return f"not {_grouped(inner, nodes.Or | nodes.And)}"
        case nodes.Or(tests):
            return " or ".join(_grouped(inner, nodes.Or | nodes.And) for inner in tests)
        case nodes.And(tests):
            return ", ".join(_grouped(inner, nodes.And) for inner in tests)
        case _:
            assert_never(part)


def _grouped(part: nodes.Test, looser: object) -> str:
    return f"({test(part)})" if isinstance(part, looser) else test(part)  # type: ignore[arg-type]


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


def node_term(term: nodes.NodeTerm) -> str:
    """`V:VERB|AUX[tests]`, `_`."""
    text = "_" if term.name is None else term.name.text
    if term.upos:
        text += ":" + "|".join(atom(tag) for tag in term.upos)
    return text if term.test is None else f"{text}[{test(term.test)}]"


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
