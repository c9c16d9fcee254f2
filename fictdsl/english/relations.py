"""Describe relations between two words, and comparisons of two words, as clauses of English."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from fictdsl.english import attributes
from fictdsl.english.names import Names
from fictdsl.english.phrases import labels as describe_labels
from fictdsl.english.phrases import regex
from fictdsl.semantics.walk import named_labels
from fictdsl.syntax import nodes

_ORDER = {"<": "less than", "<=": "at most", ">": "greater than", ">=": "at least"}
_COMPARED = {"=": "is", "!=": "is not", **{op: f"is {words}" for op, words in _ORDER.items()}}


def describe_relation(relation: nodes.Relation, left: str, right: str, names: Names) -> str:
    """Describe a relation between the words to its left and right."""
    match relation:
        case nodes.Edge(from_dependent=from_dependent):
            head, dependent = (right, left) if from_dependent else (left, right)
            return _edge(relation, head, dependent, names)
        case nodes.Path(labels=labels, bounds=bounds):
            return _path(bounds, left, right, "" if labels is None else _each_step(labels, bounds, names))
        case nodes.Next():
            return f"{right} is the word right after {left}"
        case nodes.Before(bounds=bounds):
            if bounds is not None and _limits(bounds) == (1, 1):
                return f"{right} is the word right after {left}"
            distance = "" if bounds is None or _limits(bounds) == (1, None) else f"{_range(*_limits(bounds), 'place')} "
            return f"{left} is {distance}before {right}"
        case nodes.Siblings():
            return f"{left} and {right} have the same head"
    assert_never(relation)


def describe_comparison(clause: nodes.AttributeComparison, names: Names) -> str:
    """Describe a comparison of two words' attributes."""
    first, second = clause.left.attribute, clause.right.attribute
    left, right = (names.name(side.node.text) for side in (clause.left, clause.right))
    if clause.op in _ORDER:
        if first.name == second.name == "id" and clause.op in "<>":
            return f"{left} is {'before' if clause.op == '<' else 'after'} {right}"
        as_numbers = "" if attributes.is_number(first) and attributes.is_number(second) else ", as numbers"
        order = _ORDER[clause.op]
        return f"{attributes.phrase_of(first, left)} is {order} {attributes.phrase_of(second, right)}{as_numbers}"
    is_equality = clause.op == "="
    may_be_absent = not is_equality and any(attributes.mentions_absence(part) for part in (first, second))
    lacking, absent = (", or one of them lacks it", ", or one of these is absent") if may_be_absent else ("", "")
    if any(attributes.is_feature(part) or part.name == "misc" for part in (first, second)):
        share_phrase = f"share {'a' if is_equality else 'no'} value"
        if (first.name, first.key) == (second.name, second.key) and left != right:
            return f"{left} and {right} {share_phrase} of {attributes.noun_phrase(first)}{lacking}"
        return f"{attributes.phrase_of(first, left)} and {attributes.phrase_of(second, right)} {share_phrase}{absent}"
    same_attribute = (first.name, first.key, first.lower) == (second.name, second.key, second.lower)
    if same_attribute and left != right and not attributes.is_number(first):
        noun = attributes.noun_phrase(first).removeprefix("the ")
        case = ", in lower case" if first.lower else ""
        return f"{left} and {right} {'have' if is_equality else 'do not have'} the same {noun}{case}{lacking}"
    verb = "is" if is_equality else "is not"
    compared = f"{verb} the same as {attributes.phrase_of(second, right).rstrip(',')}"
    return f"{attributes.phrase_of(first, left)} {compared}{absent}"


def describe_sums(clause: nodes.SumComparison, names: Names) -> str:
    """Describe a comparison of numbers of words."""
    left, right = (_sum(side, names) for side in (clause.left, clause.right))
    return f"{left} {_COMPARED[clause.op]} {right}"


def _sum(summands: Sequence[nodes.Summand], names: Names) -> str:
    first, *others = summands
    added = (f" {'minus' if summand.negated else 'plus'} {_number(summand.number, names)}" for summand in others)
    return f"{'−' if first.negated else ''}{_number(first.number, names)}{''.join(added)}"


def _number(number: nodes.Measure | int, names: Names) -> str:
    if isinstance(number, int):
        return str(number)
    words = [names.name(name.text) for name in number.nodes]
    match number.kind:
        case "subtree":
            return f"the number of words of the subtree of {words[0]}"
        case "span":
            return f"the number of words of the span from {words[0]} to {words[1]}"
    return f"the distance of {words[0]} and {words[1]}"


def may_be_one_word(block: nodes.Block) -> bool:
    """Return whether a `->>{0..}` or `A may be B` in the block itself allows two of its nodes to be the same word."""
    if any(isinstance(clause, nodes.Coincide) for clause in block.clauses):
        return True
    chains = (clause for clause in block.clauses if isinstance(clause, nodes.Chain))
    relations = (link.relation for chain in chains for link in chain.links)
    return any(
        isinstance(relation, nodes.Path) and relation.bounds is not None and relation.bounds.low == 0
        for relation in relations
    )


def _edge(edge: nodes.Edge, head: str, dependent: str, names: Names) -> str:
    if edge.labels is None:
        return f"{dependent} depends on {head}{' in the enhanced graph' if edge.enhanced else ''}"
    label = _labels(edge.labels, names)
    if not edge.enhanced:
        return f"{dependent} depends on {head}{', but not' if edge.labels.negated else ''} as {label}"
    if edge.labels.negated:
        return f"in the enhanced graph some relation other than {label} goes from {head} to {dependent}"
    return f"{dependent} depends on {head} in the enhanced graph as {label}"


def _labels(labels: nodes.Labels, names: Names) -> str:
    labels_with_items = list(named_labels(labels))
    by_exactness = {
        exact: [names.value(name) for name, item in labels_with_items if item.exact == exact] for exact in (0, 1)
    }
    patterns = [item.label for item in labels.labels if isinstance(item.label, nodes.RegexValue)]
    return describe_labels(by_exactness[0], by_exactness[1], [regex(pattern) for pattern in patterns])


def _each_step(labels: nodes.Labels, bounds: nodes.Bounds | None, names: Names) -> str:
    if bounds is not None and _limits(bounds) == (0, 0):
        return ""
    return f", {'no' if labels.negated else 'each'} step as {_labels(labels, names)}"


def _path(bounds: nodes.Bounds | None, above: str, below: str, labels: str) -> str:
    low, high = (1, None) if bounds is None else _limits(bounds)
    if high == 0:
        return f"{below} is {above} itself"
    itself = f"{above} itself, or " if low == 0 else ""
    low = max(low, 1)
    distance = "somewhere" if (low, high) == (1, None) else _range(low, high, "step")
    return f"{below} is {itself}{distance} below {above} in the tree{labels}"


def _limits(bounds: nodes.Bounds) -> tuple[int, int | None]:
    return 1 if bounds.low is None else bounds.low, bounds.high


def _range(low: int, high: int | None, noun: str) -> str:
    if high is None:
        return f"{low} or more {noun}s"
    if low == high:
        return f"{low} {noun}{'' if low == 1 else 's'}"
    return f"{low} {'or' if high == low + 1 else 'to'} {high} {noun}s"
