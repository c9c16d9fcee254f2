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
    return "\n".join(sorted({_Reading(reading, filter_.actions).text() for reading in filter_.readings}))


class _Reading:
    """One reading; what does not depend on colours is written once."""

    def __init__(self, reading: ir.Reading, actions: tuple[ir.Action, ...]) -> None:
        self._whole = reading.conjunction
        self._bound = reading.bound
        self._actions = actions
        self._written: dict[int, str] = {}

    def text(self) -> str:
        """The reading with its nodes numbered."""
        parts = [part for part in ir.walk(self._whole) if isinstance(part, ir.Conjunction)]
        nodes = [node for part in parts for node in part.nodes]
        colours = dict.fromkeys(nodes, "")
        for _ in nodes:
            colours = {node: self._refined(node, colours) for node in nodes}
        numbers = {node: str(place) for place, node in enumerate(sorted(nodes, key=lambda node: colours[node]))}
        return self._shown(lambda node: numbers[node])

    def _refined(self, node: ir.Node, colours: dict[ir.Node, str]) -> str:
        """What the whole reading looks like from one node."""
        seen = self._shown(lambda other: f"{colours[other]}{'!' if other == node else ''}")
        return _digest(seen)[:16]

    def _shown(self, colour: Colour) -> str:
        actions = sorted({self._action(action, colour) for action in self._actions})
        return f"{self._conjunction(self._whole, colour)} {'; '.join(actions)}"

    def _action(self, action: ir.Action, colour: Colour) -> str:
        nodes = [self._bound[place] for place in action.nodes]
        colours = sorted("" if node is None else colour(node) for node in nodes)
        what = [action.replacement or "", action.tag or ""]
        return f"{action.verb} {action.target} {colours} {what}"

    def _conjunction(self, conjunction: ir.Conjunction, colour: Colour) -> str:
        own = sorted(colour(node) for node in conjunction.nodes)
        conditions = {self._condition(part, colour) for whole in conjunction.conditions for part in _parts(whole)}
        return f"({' '.join(own)}: {'; '.join(sorted(conditions))})"

    def _condition(self, condition: ir.Condition, colour: Colour) -> str:
        match condition:
            case ir.Without(readings=readings):
                return f"without {sorted({self._conjunction(reading, colour) for reading in readings})}"
            case ir.Count(low=low, high=high, readings=readings, counted=counted):
                pairs = zip(counted, readings, strict=True)
                shown = {f"{colour(node)} {self._conjunction(reading, colour)}" for node, reading in pairs}
                return f"count {low} {high} {sorted(shown)}"
            case ir.Between(middle=middle, left=left, right=right):
                return f"between {colour(middle)} {sorted((colour(left), colour(right)))}"
        parts = [self._field(getattr(condition, field.name), str(field.type), colour) for field in fields(condition)]
        if isinstance(condition, _SYMMETRIC):
            parts.sort()
        return f"{type(condition).__name__} {' '.join(parts)}"

    def _field(self, value: object, kind: str, colour: Colour) -> str:
        if kind == "Node" and isinstance(value, int):
            return colour(value)
        if id(value) not in self._written:
            text = _test(value)
            self._written[id(value)] = text if len(text) < 100 else _digest(text)
        return self._written[id(value)]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


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


def _test(value: object) -> str:
    match value:
        case ir.All(tests=tests) | ir.Any(tests=tests):
            return f"{type(value).__name__} {sorted({_test(test) for test in tests})}"
        case ir.Not(test=test):
            return f"not {_test(test)}"
        case _:
            return repr(value)
