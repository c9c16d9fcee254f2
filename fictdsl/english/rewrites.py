"""Describe the actions of rewrites."""

from __future__ import annotations

from typing import assert_never

from fictdsl.english.names import Names
from fictdsl.english.phrases import article, listed, quoted
from fictdsl.semantics.walk import simple_tests
from fictdsl.syntax import nodes
from fictdsl.syntax.printing.terms import atom, node_attribute

UNCHANGED = {
    "article": "The articles *a* and *an* stay as they are.",
    "case": "Capital letters stay as they are.",
}


def action_phrase(action: nodes.Rewriting, names: Names) -> str:
    """Return what an action does, as a phrase that begins with its verb.

    `names` replace the family's parameter by its value.
    """
    match action:
        case nodes.Delete(target=target):
            return f"deletes {_target_phrase(target)}"
        case nodes.Move(target=target, side=side, destination=destination):
            return f"moves {_target_phrase(target)} {_position_phrase(side, destination)}"
        case nodes.Swap(target=target, other=other):
            return f"swaps {_target_phrase(target)} with {_target_phrase(other)}"
        case nodes.Insert():
            return _insertion(action, names)
        case nodes.Set(attribute=attribute, value=nodes.Value(text="_", quoted=False)):
            return f"removes {node_attribute(attribute)}"
        case nodes.Set(attribute=attribute, value=value):
            return f"sets {node_attribute(attribute)} to {_value(value, names)}"
        case nodes.Reverse(target=target):
            return f"reverses {_target_phrase(target)}"
        case nodes.Order(target=target):
            return f"orders the dependents of every head in {_target_phrase(target)} {_order(action)}"
        case nodes.Shuffle(target=target):
            return f"shuffles {_target_phrase(target)}{_shuffle(action)}"
        case nodes.Interleave(target=target):
            return f"puts the 1st, 3rd, 5th, … word of {_target_phrase(target)} before the others"
        case _:
            assert_never(action)


def _target_phrase(target: nodes.Target) -> str:
    names = [name.text for name in target.nodes]
    match target.kind:
        case "sentence":
            return "the sentence"
        case "node":
            return names[0]
        case "subtree":
            return f"{names[0]} and all words below it"
    return f"all words from {listed(names, 'to')}"


def _position_phrase(side: str, destination: nodes.Target) -> str:
    if destination.kind == "sentence":
        return "to the beginning of the sentence" if side == "before" else "to the end of the sentence"
    return f"immediately {side} {_target_phrase(destination)}"


def _insertion(action: nodes.Insert, names: Names) -> str:
    tests = () if action.test is None else simple_tests(action.test)
    columns = [
        f"{node_attribute(nodes.NodeAttribute(action.head, part.attribute, part.span)).partition('.')[2]} "
        f"{_text(part.values[0], names)}"
        for part in tests
        if isinstance(part, nodes.Compare)
    ]
    word = quoted([names.value(action.word)])[0]
    column_list = f" ({', '.join(columns)})" if columns else ""
    position = _position_phrase(action.side, action.destination)
    insertion_position = position.replace("to the", "at the", 1) if action.destination.kind == "sentence" else position
    dependent = f"{article(_text(action.label, names))} dependent of {action.head.text}"
    return f"inserts {word}{column_list} {insertion_position}, as {dependent}"


def _text(item: nodes.Atom | nodes.RegexValue, names: Names) -> str:
    """Return a value as text, with the family's parameter replaced."""
    return names.value(item) if isinstance(item, nodes.Param) else atom(item)


def _value(value: nodes.Atom | nodes.NodeAttribute | nodes.Function, names: Names) -> str:
    match value:
        case nodes.NodeAttribute(attribute=attribute) if attribute.lower:
            return f"{node_attribute(value).removeprefix('lower(').removesuffix(')')} in lower case"
        case nodes.NodeAttribute():
            return f"{node_attribute(value)}"
        case nodes.Function(name="inflect", argument=argument, tag=tag):
            return f"the {tag.text if tag else ''} form of {node_attribute(argument)}"
        case nodes.Function(name=name, argument=argument):
            case = "in upper case" if name == "upper" else "capitalized"
            return f"{node_attribute(argument)} {case}"
        case nodes.Value() | nodes.Param():
            return quoted([names.value(value)])[0]
        case _:
            assert_never(value)


def _order(action: nodes.Order) -> str:
    if action.key == "chance":
        return "by length, with the shortest or the longest first at random"
    first_dependents = "longest" if action.descending or action.head_final else "shortest"
    head_phrase = ", and puts the head after them" if action.head_final else ""
    return f"by length, the {first_dependents} first{head_phrase}"


def _shuffle(action: nodes.Shuffle) -> str:
    if action.window is not None:
        return f" within windows of {action.window} words"
    return ", with the same permutation for all sentences of equal length" if action.by_length else ""
