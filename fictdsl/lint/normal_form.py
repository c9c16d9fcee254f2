"""Compute a normal form of a compiled filter, to find filters that differ only in names and order.

Nodes are numbered by colour refinement: the colour of a node depends on the conditions on it, then on the colours of
its neighbours. If several nodes still share a colour, one of them gets a new colour, and all are refined again. Filters
with the same normal form are equivalent. Filters that differ only in names, layout and order have different normal
forms only if nodes that share a colour are not interchangeable (McKay and Piperno 2014 search all such ties).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields

from fictdsl.semantics import ir

Colouring = Callable[[ir.Node], str]  # returns the colour of a node or, in the normal form, its number
_SYMMETRIC = (ir.Distinct, ir.Siblings, ir.Crossing)


def normal_form(filter_: ir.Filter) -> str:
    """Return the normal form as a text. It includes the actions of the filter, but not the names of its nodes."""
    return "\n".join(sorted({_ReadingNormalizer(reading, filter_.actions).text() for reading in filter_.readings}))


class _ReadingNormalizer:
    """Writes the normal form of one reading. Texts of tests do not depend on colours and are cached."""

    def __init__(self, reading: ir.Reading, actions: tuple[ir.Action, ...]) -> None:
        self._root = reading.conjunction
        self._bound = reading.bound
        self._actions = actions
        self._texts: dict[int, str] = {}
        self._conditions: dict[int, list[ir.Condition]] = {}

    def text(self) -> str:
        conjunctions = [value for value in ir.walk(self._root) if isinstance(value, ir.Conjunction)]
        nodes = [node for conjunction in conjunctions for node in conjunction.nodes]
        colours = self._refined(dict.fromkeys(nodes, ""))
        while tied := _tied(colours):
            colours = self._refined(colours | {tied[0]: f"{colours[tied[0]]}*"})
        numbers = {node: str(number) for number, node in enumerate(sorted(nodes, key=lambda node: colours[node]))}
        return self._reading_text(lambda node: numbers[node])

    def _refined(self, colours: dict[ir.Node, str]) -> dict[ir.Node, str]:
        count = 0
        while count < (count := len(set(colours.values()))):
            colours = {node: self._next_colour(node, colours) for node in colours}
        return colours

    def _next_colour(self, node: ir.Node, colours: dict[ir.Node, str]) -> str:
        """Return the next colour of a node: a digest of the reading in which the node is marked."""
        marked = self._reading_text(lambda other: f"{colours[other]}{'!' if other == node else ''}")
        return _digest(marked)[:16]

    def _reading_text(self, colour: Colouring) -> str:
        actions = sorted({self._action_text(action, colour) for action in self._actions})
        return f"{self._conjunction_text(self._root, colour)} {'; '.join(actions)}"

    def _action_text(self, action: ir.Action, colour: Colouring) -> str:
        nodes = [self._bound[index] for index in action.nodes]
        colours = sorted("" if node is None else colour(node) for node in nodes)
        replacement = [action.replacement or "", action.tag or ""]
        return f"{action.verb} {action.target} {colours} {replacement}"

    def _conjunction_text(self, conjunction: ir.Conjunction, colour: Colouring) -> str:
        nodes = sorted(colour(node) for node in conjunction.nodes)
        condition_texts = sorted(
            self._condition_text(condition, colour) for condition in self._conditions_of(conjunction)
        )
        return f"({' '.join(nodes)}: {'; '.join(condition_texts)})"

    def _conditions_of(self, conjunction: ir.Conjunction) -> list[ir.Condition]:
        if id(conjunction) not in self._conditions:
            parts = [part for condition in conjunction.conditions for part in _split_tests(condition)]
            self._conditions[id(conjunction)] = list({self._condition_text(part, str): part for part in parts}.values())
        return self._conditions[id(conjunction)]

    def _condition_text(self, condition: ir.Condition, colour: Colouring) -> str:
        match condition:
            case ir.Without(readings=readings):
                return f"without {sorted({self._conjunction_text(reading, colour) for reading in readings})}"
            case ir.Count(low=low, high=high, readings=readings, counted=counted):
                pairs = zip(counted, readings, strict=True)
                texts = {f"{colour(node)} {self._conjunction_text(reading, colour)}" for node, reading in pairs}
                return f"count {low} {high} {sorted(texts)}"
            case ir.InRows(nodes=nodes, attributes=attributes, rows=rows, negated=negated):
                return f"in rows {[colour(node) for node in nodes]} {attributes} {_digest(repr((rows, negated)))}"
            case ir.SumCompares(terms=terms, op=op, number=number):
                term_texts = sorted(f"{factor} {self._measure_text(measure, colour)}" for factor, measure in terms)
                return f"sum {term_texts} {op} {number}"
            case ir.Between(middle=middle, left=left, right=right):
                return f"between {colour(middle)} {sorted((colour(left), colour(right)))}"
        field_texts = [
            self._field_text(getattr(condition, field.name), str(field.type), colour) for field in fields(condition)
        ]
        if isinstance(condition, _SYMMETRIC):
            field_texts.sort()
        return f"{type(condition).__name__} {' '.join(field_texts)}"

    @staticmethod
    def _measure_text(measure: ir.Measure, colour: Colouring) -> str:
        if isinstance(measure, ir.SubtreeLength):
            return f"subtree {colour(measure.node)}"
        return f"distance {sorted((colour(measure.left), colour(measure.right)))}"

    def _field_text(self, value: object, field_type: str, colour: Colouring) -> str:
        if field_type == "Node" and isinstance(value, int):
            return colour(value)
        if id(value) not in self._texts:
            text = _test_text(value)
            self._texts[id(value)] = text if len(text) < 100 else _digest(text)
        return self._texts[id(value)]


def _tied(colours: dict[ir.Node, str]) -> list[ir.Node]:
    counts = Counter(colours.values())
    first_colour = min((colour for colour, count in counts.items() if count > 1), default=None)
    return [node for node, colour in colours.items() if colour == first_colour]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _split_tests(condition: ir.Condition) -> Iterator[ir.Condition]:
    """Yield each test of a conjunction as a condition, so that tests written together or apart give the same form."""
    match condition:
        case ir.Tested(node=node, test=ir.All(tests=tests)):
            for test in tests:
                yield from _split_tests(ir.Tested(node, test))
        case ir.SentenceTested(test=ir.All(tests=tests)):
            for test in tests:
                yield from _split_tests(ir.SentenceTested(test))
        case _:
            yield condition


def _test_text(value: object) -> str:
    match value:
        case ir.All(tests=tests) | ir.Any(tests=tests):
            return f"{type(value).__name__} {sorted({_test_text(test) for test in tests})}"
        case ir.Not(test=test):
            return f"not {_test_text(test)}"
        case _:
            return repr(value)
