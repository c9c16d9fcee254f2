"""Lower the actions of a rewrite to operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never, cast

from fictdsl.semantics import operations as op
from fictdsl.semantics.walk import simple_tests
from fictdsl.syntax import nodes


def lower_actions(definition: nodes.RewriteDef, value: str | None, names: Sequence[str]) -> tuple[op.Operation, ...]:
    """Lower the actions of a checked rewrite, or of the family member for `value`.

    `names` are the names that a match binds.
    """
    return tuple(_Lowering(value, names).action(action) for action in definition.actions)


class _Lowering:
    def __init__(self, value: str | None, names: Sequence[str]) -> None:
        self._value = value
        self._index = {name: index for index, name in enumerate(names)}

    def action(self, action: nodes.Rewriting) -> op.Operation:
        match action:
            case nodes.Delete(target=target):
                return op.Delete(self._target(target))
            case nodes.Move(target=target, side=side, destination=destination):
                return op.Move(self._target(target), cast("op.Side", side), self._target(destination))
            case nodes.Swap(target=target, other=other):
                return op.Swap(self._target(target), self._target(other))
            case nodes.Insert():
                return self._insert(action)
            case nodes.Set(attribute=attribute, value=value):
                field = _field(attribute.attribute)
                return op.Set(self._index[attribute.node.text], field, self._new_value(field, value))
            case nodes.Reverse(target=target):
                return op.Reverse(self._target(target))
            case nodes.Order(target=target, key=key, descending=descending, head_final=head_final):
                return op.Order(self._target(target), "length" if key == "length" else "chance", descending, head_final)
            case nodes.Shuffle(target=target, by_length=by_length, window=window):
                return op.Shuffle(self._target(target), by_length, window)
            case nodes.Interleave(target=target):
                return op.Interleave(self._target(target))
            case _:
                assert_never(action)

    def _target(self, target: nodes.Target) -> op.Words:
        return op.Words(cast("op.TargetKind", target.kind), tuple(self._index[name.text] for name in target.nodes))

    def _text(self, atom: nodes.Atom) -> str:
        if isinstance(atom, nodes.Value):
            return atom.text
        assert self._value is not None, atom.name
        return self._value

    def _is_absent(self, atom: nodes.Atom) -> bool:
        """Return whether a value is `_` without quotes."""
        return self._text(atom) == "_" and not (isinstance(atom, nodes.Value) and atom.quoted)

    def _insert(self, action: nodes.Insert) -> op.Insert:
        assignments = list(simple_tests(action.test)) if action.test is not None else []
        columns = tuple(
            (_field(assignment.attribute), self._text(cast("nodes.Atom", assignment.values[0])))
            for assignment in assignments
            if isinstance(assignment, nodes.Compare) and not self._is_absent(cast("nodes.Atom", assignment.values[0]))
        )
        head, side = self._index[action.head.text], cast("op.Side", action.side)
        destination = self._target(action.destination)
        return op.Insert(self._text(action.word), columns, self._text(action.label), head, side, destination)

    def _new_value(self, field: op.Field, value: nodes.Atom | nodes.NodeAttribute | nodes.Function) -> op.NewValue:
        match value:
            case nodes.NodeAttribute(node=node, attribute=attribute):
                return op.Copy(self._index[node.text], _field(attribute), "lower" if attribute.lower else None)
            case nodes.Function(name="inflect", argument=argument, tag=tag):
                assert tag is not None
                return op.Inflection(self._index[argument.node.text], tag.text)
            case nodes.Function(name=name, argument=argument):
                return op.Copy(self._index[argument.node.text], _field(argument.attribute), cast("op.Case", name))
            case _:
                text = self._text(value)
                # In columns other than MISC, a quoted `_` is an absent value too.
                is_absent = self._is_absent(value) or (text == "_" and field.column != "misc")
                return op.Constant(None if is_absent and field.column != "form" else text)


def _field(attribute: nodes.Attribute) -> op.Field:
    name, key = attribute.name, attribute.key
    if name[:1].isupper():
        return op.Field("feature", name if key is None else f"{name}[{key}]")
    return op.Field(name, key)
