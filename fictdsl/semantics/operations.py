"""The actions of a rewrite in the core language. Nodes are indices into the names of the match.

Class names and the order of fields are part of a rewrite's content key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Node: TypeAlias = int  # an index into the names of the match
TargetKind: TypeAlias = Literal["node", "subtree", "span", "sentence"]
Side: TypeAlias = Literal["before", "after"]
Case: TypeAlias = Literal["lower", "upper", "capital"]


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a target."""

    kind: TargetKind
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """An attribute of a word: a column (form, lemma, upos, xpos, deprel), or `feature` or `misc` with a key."""

    column: str
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    """A text, or None for an absent value."""

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
    """Remove the words of a target."""

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
    """Add a word with a head and a relation, next to a destination."""

    form: str
    columns: tuple[tuple[Field, str], ...]
    label: str
    head: Node
    side: Side
    destination: Words


@dataclass(frozen=True, slots=True)
class Set:
    """Change a field of a node."""

    node: Node
    field: Field
    value: NewValue


@dataclass(frozen=True, slots=True)
class Reverse:
    """Reverse the order of the words of a target. The target occupies the same positions as before."""

    target: Words


@dataclass(frozen=True, slots=True)
class Order:
    """Order the dependents of each head in a target by length, or by length in a random direction for each head.

    `head_final` puts each head after its dependents, longest first.
    """

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
    """Return the targets of an operation, its destination and the nodes that it names."""
    match operation:
        case Move(target=target, destination=destination):
            return (target, destination)
        case Swap(target=target, other=other):
            return (target, other)
        case Insert(head=head, destination=destination):
            return (Words("node", (head,)), destination)
        case Set(node=node, value=Copy(node=other) | Inflection(node=other)):
            return (Words("node", (node,)), Words("node", (other,)))
        case Set(node=node):
            return (Words("node", (node,)),)
        case _:
            return (operation.target,)
