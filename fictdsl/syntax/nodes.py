"""The syntax tree of a `.fict` file: its items, with the nodes of `clauses`; the reserved words."""

# ruff: noqa: F401 - the nodes of blocks are used through this module
# mypy: implicit-reexport
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from fictdsl.syntax.clauses import (  # isort: skip
    And, Atom, Attribute, AttributeComparison, Before, Between, Block, Bounds, Call, Chain, Clause, Coincide, Compare,
    Count, Crossing, Edge, Either, Flag, Has, LabelTest, Labels, Link, ListLiteral, ListRef, ListRows, Maybe, Measure,
    Member, Name, Next, Node, NodeAttribute, NodeTerm, Not, Or, Param, Path, RegexValue, Relation, Row, SentenceTest,
    Siblings, SumComparison, Summand, Test, TupleMember, Value, Without, quote,
)  # fmt: skip

_RESERVED = """fict use list pattern filter for file about source note targets match without either or at least
most exactly sentence between remove keep mask count with node subtree span and not in has lower phrase
maybe may crossing"""
RESERVED: tuple[str, ...] = tuple(_RESERVED.split())
ITEM_WORDS: tuple[str, ...] = ("use", "list", "pattern", "filter", "rewrite")
ORDER_OPERATORS: tuple[str, ...] = ("<", "<=", ">", ">=")  # compare numbers
SUBSTRING_OPERATORS: tuple[str, ...] = ("contains", "starts", "ends")  # not reserved
VERSION = "1"
FILTER_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
FAMILY_VALUE = re.compile(r"[A-Za-z0-9_-]+")

ACTIONS: tuple[str, ...] = ("remove", "keep", "mask", "count")

# Words of rewrites. They are not reserved: the grammar accepts each only where no name is allowed.
REWRITINGS: tuple[str, ...] = (
    "delete", "move", "swap", "insert", "set", "reverse", "order", "shuffle", "interleave",
)  # fmt: skip
VALUE_FUNCTIONS: tuple[str, ...] = ("lower", "upper", "capital", "inflect")  # in the value of `set`
REWRITE_WORDS: tuple[str, ...] = (
    "rewrite", "as-is", "case", "article", *REWRITINGS, "before", "after", "as", "of", "by", "length", "desc", "chance",
    "head-final", "upper", "capital", "inflect",
)  # fmt: skip


# --- items --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Use(Node):
    path: Value


@dataclass(frozen=True, slots=True)
class ListFile(Node):
    """`file "path.txt"`, or with `table`, `from "path.tsv"`, a file of rows with columns."""

    path: Value
    table: bool = False


@dataclass(frozen=True, slots=True)
class ListDef(Node):
    """`list name = {…}`, `list name = file "…"` or `list name from "…"`."""

    name: Name
    body: ListLiteral | ListRows | ListFile

    @property
    def has_rows(self) -> bool:
        return isinstance(self.body, ListRows) or (isinstance(self.body, ListFile) and self.body.table)


@dataclass(frozen=True, slots=True)
class PatternDef(Node):
    """`pattern name(A, B) { … }`."""

    name: Name
    parameters: tuple[Name, ...]
    block: Block


@dataclass(frozen=True, slots=True)
class Family(Node):
    parameter: Name
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Text(Node):
    """`about "…"`, `source "…"` or `note "…"`. `kind` is the keyword."""

    kind: str
    text: Value


@dataclass(frozen=True, slots=True)
class TargetBenchmarks(Node):
    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class AsIs(Node):
    """`as-is case` or `as-is article`: the rewrite keeps letter case, or the form of articles. `kind` is that word."""

    kind: str


Metadata: TypeAlias = Text | TargetBenchmarks | AsIs


@dataclass(frozen=True, slots=True)
class Target(Node):
    """The target of an action: `sentence`, `node(X)`, `subtree(X)` or `span(X, Y)`. `kind` is the keyword."""

    kind: str
    nodes: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Action(Node):
    """`mask span(X, Y) with upos`. `replacement` is the string in `with "…"`, `tag` the column in `with upos`."""

    verb: str
    target: Target
    replacement: Value | None
    tag: str | None


@dataclass(frozen=True, slots=True)
class FilterDef(Node):
    """`filter name [for …] { metadata… match { … } action… }`. Without actions it means `remove sentence`."""

    name: Name
    family: Family | None
    metadata: tuple[Metadata, ...]
    match: Block
    actions: tuple[Action, ...]


# --- rewrites -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Delete(Node):
    target: Target


@dataclass(frozen=True, slots=True)
class Move(Node):
    """`move subtree(X) before node(Y)`. `side` is "before" or "after"."""

    target: Target
    side: str
    destination: Target


@dataclass(frozen=True, slots=True)
class Swap(Node):
    target: Target
    other: Target


@dataclass(frozen=True, slots=True)
class Insert(Node):
    """`insert "w"[upos = ADP] as case of X before subtree(X)`. `test` is the content of the brackets."""

    word: Atom
    test: Test | None
    label: Atom
    head: Name
    side: str
    destination: Target


@dataclass(frozen=True, slots=True)
class Function(Node):
    """`upper(Y.form)`, `capital(Y.form)` or `inflect(Y.lemma, VBZ)`; only `inflect` has a `tag`."""

    name: str
    argument: NodeAttribute
    tag: Value | None


@dataclass(frozen=True, slots=True)
class Set(Node):
    """`set X.form = v`. The unquoted value `_` removes the attribute. `lower(Y.form)` is a `NodeAttribute`."""

    attribute: NodeAttribute
    value: Atom | NodeAttribute | Function


@dataclass(frozen=True, slots=True)
class Reverse(Node):
    target: Target


@dataclass(frozen=True, slots=True)
class Order(Node):
    """`order T by KEY`: `length`, which may be `descending` (`desc`) or `head_final` (`head-final`), or `chance`."""

    target: Target
    key: str
    descending: bool
    head_final: bool


@dataclass(frozen=True, slots=True)
class Shuffle(Node):
    """`shuffle T`, `shuffle T by length` or, with a `window`, `shuffle T in 3`."""

    target: Target
    by_length: bool
    window: int | None


@dataclass(frozen=True, slots=True)
class Interleave(Node):
    target: Target


Rewriting: TypeAlias = Delete | Move | Swap | Insert | Set | Reverse | Order | Shuffle | Interleave


@dataclass(frozen=True, slots=True)
class RewriteDef(Node):
    """`rewrite name [for …] { metadata… match { … } action… }`, with at least one action."""

    name: Name
    family: Family | None
    metadata: tuple[Metadata, ...]
    match: Block
    actions: tuple[Rewriting, ...]


Query: TypeAlias = FilterDef | RewriteDef  # the items with a `match`
Item: TypeAlias = Use | ListDef | PatternDef | FilterDef | RewriteDef


@dataclass(frozen=True, slots=True)
class File(Node):
    """A file: its language version (only "1" is supported) and its items."""

    version: str
    items: tuple[Item, ...]
