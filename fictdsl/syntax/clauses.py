"""The syntax tree of a block: values, tests, nodes, relations and clauses, as written and with the span of each node.

Spans are ignored in comparisons, so that a printed and re-parsed file equals the original tree.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from fictdsl.schema import KEYED
from fictdsl.source import Span
from fictdsl.syntax.regex import Regex


def quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


@dataclass(frozen=True, slots=True)
class Node:
    span: Span = field(compare=False, repr=False, kw_only=True)


# --- names and values ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Name(Node):
    """An occurrence of a name: of a node, list, pattern, filter, family parameter or benchmark (`blimp/a`)."""

    text: str


@dataclass(frozen=True, slots=True)
class Value(Node):
    """A literal. `text` has its escapes resolved; `quoted` is True if it was written in quotes."""

    text: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Param(Node):
    """The family parameter `$p` used as a value, UPOS tag or label. `name` excludes the dollar sign."""

    name: str


@dataclass(frozen=True, slots=True)
class RegexValue(Node):
    """`/re/` or `/re/i`: the text between the slashes, and its parsed form."""

    text: str
    ignore_case: bool
    regex: Regex


Atom: TypeAlias = Value | Param


# --- tests --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    """The attribute of a test, as written.

    As (name, key), `upos` is ("upos", None), `form.length` is ("form", "length"), `misc.Key` is ("misc", "Key"),
    `Number[psor]` is ("Number", "psor") and `phrase` is ("phrase", None). `lower(form)` sets `lower`.
    In `sentence[…]`, the names are text, length, sent_id, doc, meta and projective.
    """

    name: str
    key: str | None
    lower: bool
    key_quoted: bool = False

    @property
    def full_name(self) -> str:
        """Return the name in `schema.WORD` or `schema.SENTENCE`, without the key of `misc` and `meta`."""
        return self.name if self.key is None or self.name in KEYED else f"{self.name}.{self.key}"

    def text(self, owner: str = "") -> str:
        """Return the attribute in surface syntax: `lower(form)`, or with the owner `S.`, `lower(S.form)`."""
        text = f"{owner}{self.name}"
        if self.key is not None and self.key_quoted:
            text += f".{quote(self.key)}"
        elif self.key is not None:
            text += f"[{self.key}]" if self.name[:1].isupper() else f".{self.key}"
        return f"lower({text})" if self.lower else text


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """`attr op v1|v2`. `op` is one of = != == < <= > >=, or with one value, contains, starts or ends."""

    attribute: Attribute
    op: str
    values: tuple[Atom | RegexValue, ...]


@dataclass(frozen=True, slots=True)
class ListRef(Node):
    name: str


@dataclass(frozen=True, slots=True)
class ListLiteral(Node):
    values: tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class Row(Node):
    """`(a, b)`: a row of a list with columns."""

    values: tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class ListRows(Node):
    """`{(a, b), (c, d)}`, with at least one row."""

    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Member(Node):
    """`attr in {…}` or `attr in @list`; with `negated`, `attr not in …`."""

    attribute: Attribute
    negated: bool
    values: ListLiteral | ListRef


@dataclass(frozen=True, slots=True)
class Has(Node):
    attribute: Attribute


@dataclass(frozen=True, slots=True)
class Not(Node):
    test: Test


@dataclass(frozen=True, slots=True)
class Or(Node):
    """`t or u`, with at least two parts. A part is an `Or` only if it was written in parentheses."""

    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class And(Node):
    """`t, u`, with at least two parts."""

    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Flag(Node):
    """`projective`: an attribute of the sentence that is true or false."""

    attribute: Attribute


Test: TypeAlias = Compare | Member | Has | Flag | Not | Or | And


# --- nodes and relations ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NodeTerm(Node):
    """An occurrence of a node: `V`, `V:VERB|AUX`, `V[tests]`, `_`. `name` is None for `_`."""

    name: Name | None
    upos: tuple[Atom, ...]  # empty if there is no `:`
    test: Test | None


@dataclass(frozen=True, slots=True)
class Bounds(Node):
    """`{m..n}`, `{m..}`, `{..n}`, `{n}`. `low` is None in `{..n}`, `high` is None in `{m..}`, both are n in `{n}`."""

    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class LabelTest(Node):
    """One label of a list: `nsubj`, `=nsubj` (`exact`) or a regex such as `/nsubj.*/`, which matches whole labels."""

    label: Atom | RegexValue
    exact: bool


@dataclass(frozen=True, slots=True)
class Labels(Node):
    """`[nsubj|=obj|/obl:.*/]`, or with `negated`, `[^nsubj|obj]`."""

    labels: tuple[LabelTest, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class Edge(Node):
    """`->`, `-[l]->`; with `from_dependent`, `<-`, `<-[l]-`; with `enhanced`, `==>`, `=[l]=>`."""

    labels: Labels | None
    from_dependent: bool
    enhanced: bool


@dataclass(frozen=True, slots=True)
class Path(Node):
    """`->>`, `-[l]->>`, with optional bounds on the number of steps (by default at least one)."""

    labels: Labels | None
    bounds: Bounds | None


@dataclass(frozen=True, slots=True)
class Next(Node):
    """`<`: the right node is the next word."""


@dataclass(frozen=True, slots=True)
class Before(Node):
    """`<<`, with optional bounds on id(right) − id(left)."""

    bounds: Bounds | None


@dataclass(frozen=True, slots=True)
class Siblings(Node):
    """`~`: both nodes have the same head."""


Relation: TypeAlias = Edge | Path | Next | Before | Siblings


@dataclass(frozen=True, slots=True)
class Link(Node):
    relation: Relation
    target: NodeTerm


# --- clauses and blocks -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chain(Node):
    first: NodeTerm
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Between(Node):
    """`M between A and B`. All three nodes may have tests, as in a chain."""

    middle: NodeTerm
    left: NodeTerm
    right: NodeTerm


@dataclass(frozen=True, slots=True)
class Crossing(Node):
    """`crossing A, B`: the edges into A and into B cross. Both nodes may have tests, as in a chain."""

    left: NodeTerm
    right: NodeTerm


@dataclass(frozen=True, slots=True)
class Coincide(Node):
    """`A may be B`: both nodes may be the same word. The clause introduces no node."""

    left: Name
    right: Name


@dataclass(frozen=True, slots=True)
class NodeAttribute(Node):
    node: Name
    attribute: Attribute


@dataclass(frozen=True, slots=True)
class AttributeComparison(Node):
    """`S.Number != V.Number`. `op` is one of = != < <= > >=."""

    left: NodeAttribute
    op: str
    right: NodeAttribute


@dataclass(frozen=True, slots=True)
class Measure(Node):
    """`length(subtree(X))`, `length(span(X, Y))` or `distance(X, Y)`. `kind` is subtree, span or distance."""

    kind: str
    nodes: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Summand(Node):
    """A number of a sum. `negated` is True after `-`."""

    number: Measure | int
    negated: bool


@dataclass(frozen=True, slots=True)
class SumComparison(Node):
    """`length(subtree(O)) > length(subtree(P)) + 2`. `op` is one of = != < <= > >=."""

    left: tuple[Summand, ...]
    op: str
    right: tuple[Summand, ...]


@dataclass(frozen=True, slots=True)
class TupleMember(Node):
    """`(V.lemma, P.lemma) in @list`; with `negated`, `not in`."""

    attributes: tuple[NodeAttribute, ...]
    negated: bool
    values: ListRef


@dataclass(frozen=True, slots=True)
class Block(Node):
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Without(Node):
    block: Block


@dataclass(frozen=True, slots=True)
class Either(Node):
    """`either { … } or { … }`, with at least two branches."""

    branches: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Maybe(Node):
    """`maybe { … }`: `either { … } or { without { … } }`."""

    block: Block


@dataclass(frozen=True, slots=True)
class Count(Node):
    """`at least 2 X { … }`. `quantifier` is "at least", "at most" or "exactly"."""

    quantifier: str
    number: int
    node: NodeTerm
    block: Block


@dataclass(frozen=True, slots=True)
class SentenceTest(Node):
    test: Test


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`name(A, B)`. The argument `_` is None."""

    pattern: Name
    arguments: tuple[Name | None, ...]


Clause: TypeAlias = (
    Chain
    | Between
    | Crossing
    | AttributeComparison
    | SumComparison
    | TupleMember
    | Coincide
    | Without
    | Either
    | Maybe
    | Count
    | SentenceTest
    | Call
)
