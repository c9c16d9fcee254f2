"""A compiled filter into a text that is the same for filters which differ in names, layout and order only.

Nodes get numbers from what is asked of them: colours are refined round by round until neighbours tell them apart.
Two filters with one text are equal; two equal filters may, where colours tie, have two texts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import fields

from fictdsl.semantics import ir

Colour = Callable[[ir.Node], str]
_SYMMETRIC = (ir.Distinct, ir.Siblings)


def normal_form(filter_: ir.Filter) -> str:
    """The text. Names of nodes count for nothing; what is done with the sentences does."""
    readings = sorted(_reading(reading.conjunction) for reading in filter_.readings)
    actions = sorted(f"{action.verb} {action.target}" for action in filter_.actions)
    return "\n".join([*dict.fromkeys(readings), *actions])


def _reading(conjunction: ir.Conjunction) -> str:
    nodes = list(_nodes(conjunction))
    colours = dict.fromkeys(nodes, "")
    for _ in nodes:
        colours = {node: _refined(node, conjunction, colours) for node in nodes}
    numbers = {node: str(place) for place, node in enumerate(sorted(nodes, key=lambda node: colours[node]))}
    return _conjunction(conjunction, lambda node: numbers[node])


def _refined(node: ir.Node, conjunction: ir.Conjunction, colours: dict[ir.Node, str]) -> str:
    """What the whole reading looks like from one node."""
    seen = _conjunction(conjunction, lambda other: f"{colours[other]}{'!' if other == node else ''}")
    return hashlib.sha256(seen.encode()).hexdigest()[:16]


def _nodes(conjunction: ir.Conjunction) -> Iterator[ir.Node]:
    for part in ir.walk(conjunction):
        if isinstance(part, ir.Conjunction):
            yield from part.nodes


def _conjunction(conjunction: ir.Conjunction, colour: Colour) -> str:
    own = sorted(colour(node) for node in conjunction.nodes)
    conditions = sorted({_condition(part, colour) for whole in conjunction.conditions for part in _parts(whole)})
    return f"({' '.join(own)}: {'; '.join(conditions)})"


def _parts(condition: ir.Condition) -> Iterator[ir.Condition]:
    """Two tests of a node, written as one or as two."""
    match condition:
        case ir.Tested(node=node, test=ir.All(tests=tests)):
            for test in tests:
                yield from _parts(ir.Tested(node, test))
        case ir.SentenceTested(test=ir.All(tests=tests)):
            for test in tests:
                yield from _parts(ir.SentenceTested(test))
        case _:
            yield condition


def _condition(condition: ir.Condition, colour: Colour) -> str:
    match condition:
        case ir.Without(readings=readings):
            return f"without {sorted({_conjunction(reading, colour) for reading in readings})}"
        case ir.Count(low=low, high=high, readings=readings, counted=counted):
            pairs = {f"{colour(n)} {_conjunction(r, colour)}" for n, r in zip(counted, readings, strict=True)}
            return f"count {low} {high} {sorted(pairs)}"
        case ir.Between(middle=middle, left=left, right=right):
            return f"between {colour(middle)} {sorted((colour(left), colour(right)))}"
    parts = [_field(getattr(condition, field.name), str(field.type), colour) for field in fields(condition)]
    if isinstance(condition, _SYMMETRIC):
        parts.sort()
    return f"{type(condition).__name__} {' '.join(parts)}"


def _field(value: object, kind: str, colour: Colour) -> str:
    if kind == "Node" and isinstance(value, int):
        return colour(value)
    return _test(value)


def _test(value: object) -> str:
    match value:
        case ir.All(tests=tests) | ir.Any(tests=tests):
            return f"{type(value).__name__} {sorted({_test(test) for test in tests})}"
        case ir.Not(test=test):
            return f"not {_test(test)}"
        case _:
            return repr(value)
