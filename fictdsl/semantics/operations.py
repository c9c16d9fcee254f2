"""The actions of a rewrite in the core language, and how they are lowered from the syntax.

Nodes are indices into the names of the match. Class names and the order of fields are part of a rewrite's content key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from fictdsl.syntax import nodes
from fictdsl.syntax.walk import simple_tests

Node: TypeAlias = int  # an index into the names of the match
TargetKind: TypeAlias = Literal["node", "subtree", "span", "sentence"]
Side: TypeAlias = Literal["before", "after"]
Case: TypeAlias = Literal["lower", "upper", "capital"]


@dataclass(frozen=True, slots=True)
class Words:
    kind: TargetKind
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """An attribute of a word: a column (form, lemma, upos, xpos, deprel), or `feature` or `misc` with a key."""

    column: str
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    text: str | None


@dataclass(frozen=True, slots=True)
class Copy:
    """The value of a field of a node, with its case changed if `case` is not None."""

    node: Node
    field: Field
    case: Case | None = None


@dataclass(frozen=True, slots=True)
class Inflection:
    """The inflected form of a node's lemma for a Penn Treebank tag."""

    node: Node
    tag: str


NewValue: TypeAlias = Constant | Copy | Inflection


@dataclass(frozen=True, slots=True)
class Delete:
    target: Words


@dataclass(frozen=True, slots=True)
class Move:
    """Put the words of a target together, next to a destination."""

    target: Words
    side: Side
    destination: Words


@dataclass(frozen=True, slots=True)
class Swap:
    """Put the words of each target at the position of the first word of the other target."""

    target: Words
    other: Words


@dataclass(frozen=True, slots=True)
class Insert:
    form: str
    columns: tuple[tuple[Field, str], ...]
    label: str
    head: Node
    side: Side
    destination: Words


@dataclass(frozen=True, slots=True)
class Set:
    node: Node
    field: Field
    value: NewValue


@dataclass(frozen=True, slots=True)
class Reverse:
    """Reverse the order of the words of a target. The target occupies the same positions as before."""

    target: Words


@dataclass(frozen=True, slots=True)
class Order:
    """Order the dependents of each head by length or chance, or with `head_final`, longest first before the head."""

    target: Words
    key: Literal["length", "chance"]
    descending: bool
    head_final: bool


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Permute the words of a target among the positions that they occupy.

    `by_length` uses the same permutation for all targets with the same number of words. `window` is the number of words
    in a window, and words are permuted only within their window.
    """

    target: Words
    by_length: bool
    window: int | None


@dataclass(frozen=True, slots=True)
class Interleave:
    """Put the words at even positions of a target, counted from 0, before those at odd positions."""

    target: Words


Operation: TypeAlias = Delete | Move | Swap | Insert | Set | Reverse | Order | Shuffle | Interleave


def is_bound(targets: Sequence[Words], match: Sequence[int]) -> bool:
    """Return whether a match, which has 0 for an unbound name, binds every node of the targets of an operation."""
    return 0 not in match or all(match[node] for words in targets for node in words.nodes)


def targets_of(operation: Operation) -> tuple[Words, ...]:
    match operation:
        case Set(node=node, value=value):
            named_nodes = (node,) if isinstance(value, Constant) else (node, value.node)
            return tuple(Words("node", (named_node,)) for named_node in named_nodes)
        case Insert(head=head, destination=destination):
            return (Words("node", (head,)), destination)
    fields = (getattr(operation, name) for name in operation.__match_args__)
    return tuple(field for field in fields if isinstance(field, Words))


# --- lowering


def lower_actions(definition: nodes.RewriteDef, value: str | None, names: Sequence[str]) -> tuple[Operation, ...]:
    """Lower the actions of a checked rewrite, or of the family member for `value`. `names` are bound by a match."""
    return tuple(_Lowering(value, names).action(action) for action in definition.actions)


class _Lowering:
    def __init__(self, value: str | None, names: Sequence[str]) -> None:
        self._value = value
        self._index = {name: index for index, name in enumerate(names)}

    def action(self, action: nodes.Rewriting) -> Operation:
        match action:
            case nodes.Insert():
                return self._insert(action)
            case nodes.Set(attribute=attribute, value=value):
                field = _field(attribute.attribute)
                return Set(self._index[attribute.node.text], field, self._new_value(field, value))
        fields = (getattr(action, name) for name in action.__match_args__)
        return _OPERATIONS[type(action)](
            *(self._target(field) if isinstance(field, nodes.Target) else field for field in fields)
        )

    def _target(self, target: nodes.Target) -> Words:
        return Words(cast("TargetKind", target.kind), tuple(self._index[name.text] for name in target.nodes))

    def _text(self, atom: nodes.Atom) -> str:
        if isinstance(atom, nodes.Value):
            return atom.text
        assert self._value is not None, atom.name
        return self._value

    def _is_absent(self, atom: nodes.Atom) -> bool:
        return self._text(atom) == "_" and not (isinstance(atom, nodes.Value) and atom.quoted)

    def _insert(self, action: nodes.Insert) -> Insert:
        assignments = list(simple_tests(action.test)) if action.test is not None else []
        columns = tuple(
            (_field(assignment.attribute), self._text(cast("nodes.Atom", assignment.values[0])))
            for assignment in assignments
            if isinstance(assignment, nodes.Compare) and not self._is_absent(cast("nodes.Atom", assignment.values[0]))
        )
        head, side = self._index[action.head.text], cast("Side", action.side)
        destination = self._target(action.destination)
        return Insert(self._text(action.word), columns, self._text(action.label), head, side, destination)

    def _new_value(self, field: Field, value: nodes.Atom | nodes.NodeAttribute | nodes.Function) -> NewValue:
        match value:
            case nodes.NodeAttribute(node=node, attribute=attribute):
                return Copy(self._index[node.text], _field(attribute), "lower" if attribute.lower else None)
            case nodes.Function(name="inflect", argument=argument, tag=tag):
                assert tag is not None
                return Inflection(self._index[argument.node.text], tag.text)
            case nodes.Function(name=name, argument=argument):
                return Copy(self._index[argument.node.text], _field(argument.attribute), cast("Case", name))
            case _:
                text = self._text(value)
                # In columns other than MISC, a quoted `_` is an absent value too.
                is_absent = self._is_absent(value) or (text == "_" and field.column != "misc")
                return Constant(None if is_absent and field.column != "form" else text)


_OPERATIONS: dict[type[nodes.Rewriting], Callable[..., Operation]] = {  # with the same fields, but for their targets
    nodes.Delete: Delete,
    nodes.Move: Move,
    nodes.Swap: Swap,
    nodes.Reverse: Reverse,
    nodes.Order: Order,
    nodes.Shuffle: Shuffle,
    nodes.Interleave: Interleave,
}


def _field(attribute: nodes.Attribute) -> Field:
    name, key = attribute.name, attribute.key
    if name[:1].isupper():
        return Field("feature", name if key is None else f"{name}[{key}]")
    return Field(name, key)
