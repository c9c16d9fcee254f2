"""Print the actions of rewrites."""

from __future__ import annotations

from typing import assert_never

from fictdsl.syntax import nodes
from fictdsl.syntax.printing.document import Doc, flat
from fictdsl.syntax.printing.terms import atom, node_attribute, on_one_line, tests
from fictdsl.syntax.printing.trivia import Trivia


def rewriting(action: nodes.Rewriting, trivia: Trivia) -> Doc:
    """Lay out an action on one line, with its comments around it."""
    return on_one_line(print_rewriting(action), action.span.start, action.span.end, trivia)


def print_rewriting(action: nodes.Rewriting) -> str:
    """Return an action as text: `move subtree(R) before node(T)`."""
    match action:
        case nodes.Delete(target=target):
            return f"delete {print_target(target)}"
        case nodes.Move(target=target, side=side, destination=destination):
            return f"move {print_target(target)} {side} {print_target(destination)}"
        case nodes.Swap(target=target, other=other):
            return f"swap {print_target(target)} with {print_target(other)}"
        case nodes.Insert(test=test, word=word):
            columns = "" if test is None else f"[{flat(tests(test, Trivia()))}]"
            return f"insert {atom(word)}{columns} {_placement(action)}"
        case nodes.Set(attribute=attribute, value=value):
            return f"set {node_attribute(attribute)} = {_value(value)}"
        case nodes.Reverse(target=target):
            return f"reverse {print_target(target)}"
        case nodes.Order(target=target, key=key, descending=descending, head_final=head_final):
            modifiers = (" desc" if descending else "") + (" head-final" if head_final else "")
            return f"order {print_target(target)} by {key}{modifiers}"
        case nodes.Shuffle(target=target, by_length=by_length, window=window):
            modifier = " by length" if by_length else "" if window is None else f" in {window}"
            return f"shuffle {print_target(target)}{modifier}"
        case nodes.Interleave(target=target):
            return f"interleave {print_target(target)}"
        case _:
            assert_never(action)


def print_target(target: nodes.Target) -> str:
    """Return a target as text: `span(X, Y)`."""
    names = ", ".join(node.text for node in target.nodes)
    return f"{target.kind}({names})" if target.nodes else target.kind


def _placement(action: nodes.Insert) -> str:
    destination = print_target(action.destination)
    return f"as {atom(action.label)} of {action.head.text} {action.side} {destination}"


def _value(value: nodes.Atom | nodes.NodeAttribute | nodes.Function) -> str:
    match value:
        case nodes.NodeAttribute():
            return node_attribute(value)
        case nodes.Function(name=name, argument=argument, tag=tag):
            return f"{name}({node_attribute(argument)}{'' if tag is None else f', {tag.text}'})"
        case _:
            return atom(value)
