"""A Grew request as a tree: its blocks, items, comments and lexicons."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.translate.grew_values import Values


class QueryError(Exception):
    """A Grew request or a Semgrex pattern cannot be read."""

    def __init__(self, problem: Diagnostic) -> None:
        super().__init__(problem.message)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment in a block."""

    text: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An item that does not follow the grammar, and the reason."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class AttributeTest:
    """A test of an attribute of a node, or of metadata: of the first of `names` that is present.

    `op` is `!` (absent), `*` (present) or a sign between attribute and values. `lexicon` is the lexicon and the field
    that stand for the values, or None.
    """

    names: tuple[str, ...]
    op: str
    values: Values = ()
    lexicon: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """A node, with the tests in each pair of brackets."""

    text: str
    name: str
    alternatives: tuple[tuple[AttributeTest, ...], ...]


@dataclass(frozen=True, slots=True)
class LabelPart:
    """A condition on a part of a label, such as `1=nsubj`. `op` is `=`, `<>`, `!` (absent) or `*` (present)."""

    text: str
    key: str
    op: str
    values: Values = ()


@dataclass(frozen=True, slots=True)
class Label:
    """The text between the brackets of an edge: labels (`values`), or conditions on `parts`, or neither."""

    negated: bool = False
    values: Values = ()
    parts: tuple[LabelPart, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge, or with `dominance`, a path. `name` is the name of the edge, or None. An end may be `*`."""

    text: str
    name: str | None
    head: str
    dependent: str
    label: Label
    dominance: bool


@dataclass(frozen=True, slots=True)
class Order:
    """An order of two nodes or edges, such as `X << Y`; with `by_id`, of two nodes, such as `id(X) < id(Y)`."""

    text: str
    left: str
    op: str
    right: str
    by_id: bool = False


@dataclass(frozen=True, slots=True)
class Distance:
    """A comparison of `length(…)` or `delta(…)` with a number. `ends` are two nodes, or one edge."""

    text: str
    function: str
    ends: tuple[str, ...]
    op: str
    number: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """A test of an attribute of a node or an edge (`owner`) outside of brackets."""

    text: str
    owner: str
    test: AttributeTest


@dataclass(frozen=True, slots=True)
class TwoAttributes:
    """A comparison of two attributes, each given by its node or edge, and its name."""

    text: str
    left: tuple[str, str]
    op: str
    right: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Metadata:
    """A test of metadata of the sentence."""

    text: str
    test: AttributeTest


@dataclass(frozen=True, slots=True)
class Property:
    """A property of the graph, such as `is_projective`."""

    text: str
    name: str


Item: TypeAlias = (
    Comment | Unreadable | Node | Edge | Order | Distance | Comparison | TwoAttributes | Metadata | Property
)


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a request. `kind` is `pattern`, `with`, `without` or `global`."""

    kind: str
    items: tuple[Item, ...]

    def nodes(self) -> set[str]:
        """Return the nodes that the block declares, by a node or an edge."""
        return {name for item in self.items for name in nodes_of(item)}


@dataclass(frozen=True, slots=True)
class Lexicon:
    """A lexicon: its fields, and rows with one value per field."""

    fields: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Request:
    """A request: comments outside blocks, blocks in order, and lexicons by name."""

    comments: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    lexicons: dict[str, Lexicon] = field(default_factory=dict)


def nodes_of(item: Item) -> set[str]:
    """Return the nodes of an item that is a node or an edge."""
    match item:
        case Node(name=name):
            return {name}
        case Edge(head=head, dependent=dependent):
            return {head, dependent} - {"*"}
    return set()
