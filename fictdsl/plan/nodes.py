"""The relational plan: a list of steps, each a relation over the words of one sentence, later ones built on earlier.

A row belongs to one sentence (`sid`, always carried) and holds cells: columns of the words bound to nodes.
Steps name earlier steps by position, so that a relation can be used twice without being written twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from fictdsl.plan.layout import Neighbour
from fictdsl.semantics import ir

Ref: TypeAlias = int
Cell: TypeAlias = tuple[ir.Node, str]  # a column of `tokens`, for the word bound to a node


@dataclass(frozen=True, slots=True)
class TokenScan:
    """The words that pass all `tests`, bound to `node`. `reduced`: few enough to be worth keeping as a table."""

    node: ir.Node
    tests: tuple[ir.Test, ...]
    columns: tuple[str, ...]
    reduced: bool


@dataclass(frozen=True, slots=True)
class EdgeScan:
    """Edges of the enhanced graph whose label satisfies `labels`; cells (edge, "head") and (edge, "dep")."""

    edge: ir.Node
    labels: ir.Labels | None


@dataclass(frozen=True, slots=True)
class Paths:
    """Pairs of words `low` to `high` steps apart: all words above (`up`) or below those that `source` has for `node`.

    They are found by walking from head to head, where no interval says who is below whom. Cells (edge, "head") and
    (edge, "dep"), as of an enhanced edge.
    """

    edge: ir.Node
    source: Ref
    node: ir.Node
    up: bool
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class SentenceScan:
    """The sentences that pass all `tests`; no cells."""

    tests: tuple[ir.Test, ...]


@dataclass(frozen=True, slots=True)
class Ends:
    """The two ends of an enhanced edge, or of a path, are these nodes."""

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
    | ir.Shares
    | ir.NumbersCompare
    | ir.Distinct
    | Ends
)


@dataclass(frozen=True, slots=True)
class RowScan:
    """The words, bound to `node`, for which all conditions on them and on the words `near` them hold.

    All is read from one row of `tokens`, which holds copies of columns of the words near it. Only the cells in `keeps`
    are offered; a near word without any is tested and no more.
    """

    node: ir.Node
    near: tuple[tuple[ir.Node, Neighbour], ...]
    conditions: tuple[JoinCondition, ...]
    keeps: tuple[Cell, ...]
    reduced: bool


@dataclass(frozen=True, slots=True)
class Join:
    """Rows of all inputs side by side, in one sentence, where all conditions hold; only the cells in `keeps`."""

    inputs: tuple[Ref, ...]
    conditions: tuple[JoinCondition, ...]
    keeps: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Semi:
    """The rows of `source` for which `other` has a row with the same words for `nodes`."""

    source: Ref
    other: Ref
    nodes: tuple[ir.Node, ...]


@dataclass(frozen=True, slots=True)
class Anti:
    """The rows of `source` for which `other` has no row with the same words for `nodes`."""

    source: Ref
    other: Ref
    nodes: tuple[ir.Node, ...]


@dataclass(frozen=True, slots=True)
class Grouped:
    """The words for `nodes` that go with `low` to `high` different words for the counted node (one to a source)."""

    sources: tuple[tuple[Ref, ir.Node], ...]
    nodes: tuple[ir.Node, ...]
    low: int
    high: int | None


Relation: TypeAlias = TokenScan | RowScan | EdgeScan | Paths | SentenceScan | Join | Semi | Anti | Grouped


@dataclass(frozen=True, slots=True)
class Output:
    """A reading's result: the relation, and for each name of the filter its node or None."""

    source: Ref
    bound: tuple[ir.Node | None, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps, and the readings whose union is the result."""

    relations: tuple[Relation, ...]
    outputs: tuple[Output, ...]
    names: int  # columns of the result
