"""The relational plan: a list of steps, each a relation built from earlier ones.

A row belongs to one sentence (`sid`, always present). Its other columns are columns of the words bound to nodes.
Steps refer to earlier steps by index, so that a relation can be used more than once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from fictdsl.schema import Neighbour
from fictdsl.semantics import ir

Ref: TypeAlias = int
NodeColumn: TypeAlias = tuple[ir.Node, str]  # a column of `tokens`, for the word bound to a node


@dataclass(frozen=True, slots=True)
class TokenScan:
    """The words that satisfy all `tests`, bound to `node`. They are `materialized` if they are few."""

    node: ir.Node
    tests: tuple[ir.Test, ...]
    columns: tuple[str, ...]
    materialized: bool


@dataclass(frozen=True, slots=True)
class EdgeScan:
    """The edges of the enhanced graph that satisfy `labels`, with the columns (edge, "head") and (edge, "dep")."""

    edge: ir.Node
    labels: ir.Labels | None


@dataclass(frozen=True, slots=True)
class Paths:
    """Pairs of words that are `low` to `high` tree steps apart.

    A pair consists of a word of `node` in `source`, and a word above it (`up`) or below it. The columns are
    (edge, "head") and (edge, "dep"), as for an enhanced edge. Used in raw layouts, which lack interval columns.
    """

    edge: ir.Node
    source: Ref
    node: ir.Node
    up: bool
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class SentenceScan:
    """The sentences that satisfy all `tests`, without columns of words."""

    tests: tuple[ir.Test, ...]


@dataclass(frozen=True, slots=True)
class Ends:
    """The ends of an enhanced edge or of a path are these nodes."""

    edge: ir.Node
    head: ir.Node
    dependent: ir.Node


JoinCondition: TypeAlias = (
    ir.Tested
    | ir.Edge
    | ir.Dominates
    | ir.Precedes
    | ir.Between
    | ir.Siblings
    | ir.Crossing
    | ir.Shares
    | ir.NumbersCompare
    | ir.Ordered
    | ir.SumCompares
    | ir.InRows
    | ir.Distinct
    | Ends
)


@dataclass(frozen=True, slots=True)
class RowScan:
    """The words, bound to `node`, for which all conditions on them and on their `neighbours` hold.

    Everything is read from one row of `tokens`, which contains copies of columns of its neighbours. Only the columns
    in `keeps` are available to later steps. A neighbour without a column in `keeps` is only tested.
    """

    node: ir.Node
    neighbours: tuple[tuple[ir.Node, Neighbour], ...]
    conditions: tuple[JoinCondition, ...]
    keeps: tuple[NodeColumn, ...]
    materialized: bool


@dataclass(frozen=True, slots=True)
class Join:
    """The join of all inputs on the sentence, where all conditions hold, with the columns in `keeps`."""

    inputs: tuple[Ref, ...]
    conditions: tuple[JoinCondition, ...]
    keeps: tuple[NodeColumn, ...]


@dataclass(frozen=True, slots=True)
class SemiJoin:
    """The rows of `source` for which `other` has a row with the same words for `nodes`."""

    source: Ref
    other: Ref
    nodes: tuple[ir.Node, ...]


@dataclass(frozen=True, slots=True)
class AntiJoin:
    """The rows of `source` for which `other` has no row with the same words for `nodes`."""

    source: Ref
    other: Ref
    nodes: tuple[ir.Node, ...]


@dataclass(frozen=True, slots=True)
class Grouped:
    """The words for `nodes` that occur with `low` to `high` different words for the counted nodes of the sources."""

    sources: tuple[tuple[Ref, ir.Node], ...]
    nodes: tuple[ir.Node, ...]
    low: int
    high: int | None


Relation: TypeAlias = TokenScan | RowScan | EdgeScan | Paths | SentenceScan | Join | SemiJoin | AntiJoin | Grouped


@dataclass(frozen=True, slots=True)
class Output:
    """The result of a reading: a relation, and the node of each of the filter's names, or None."""

    source: Ref
    bound: tuple[ir.Node | None, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps, and the outputs whose union is the result."""

    relations: tuple[Relation, ...]
    outputs: tuple[Output, ...]
    name_count: int  # number of the filter's names; each is a column of the result
