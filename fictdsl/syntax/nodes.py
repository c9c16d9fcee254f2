"""The syntax tree of a `.fict` file, as written and with the span of each node; the reserved words.

The syntax tree of a `.fict` file, as written and with the span of each node.
Spans are ignored in comparisons, so that a printed and re-parsed file equals the original tree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from fictdsl.source import Span
from fictdsl.syntax.regex import Regex

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


# --- names and values ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Name:
    """An occurrence of a name: of a node, list, pattern, filter, family parameter or benchmark (`blimp/a`)."""

    text: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Value:
    """A literal. `text` has its escapes resolved; `quoted` is True if it was written in quotes."""

    text: str
    quoted: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Param:
    """The family parameter `$p` used as a value, UPOS tag or label. `name` excludes the dollar sign."""

    name: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RegexValue:
    """`/re/` or `/re/i`: the text between the slashes, and its parsed form."""

    text: str
    ignore_case: bool
    regex: Regex
    span: Span = field(compare=False, repr=False)


Atom: TypeAlias = Value | Param


# --- tests --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attribute:
    """The attribute of a test, as written.

    As (name, key), `upos` is ("upos", None), `form.length` is ("form", "length"), `misc.Key` is ("misc", "Key"),
    `Number[psor]` is ("Number", "psor") and `phrase` is ("phrase", None). `lower(form)` sets `lower`.
    In `sentence[…]`, the names are text, length, sent_id, doc, meta and projective.
    """

    name: str
    key: str | None
    lower: bool
    span: Span = field(compare=False, repr=False)
    key_quoted: bool = False


@dataclass(frozen=True, slots=True)
class Compare:
    """`attr op values`. `op` is one of = != == < <= > >=; `v1|v2` gives several values.

    In `attr contains "ing"`, `op` is contains, starts or ends, and there is one value.
    """

    attribute: Attribute
    op: str
    values: tuple[Atom | RegexValue, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ListRef:
    """`@name`."""

    name: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ListLiteral:
    """`{a, b, "c d"}`, possibly empty."""

    values: tuple[Atom, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Row:
    """`(a, b)`: a row of a list with columns."""

    values: tuple[Atom, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ListRows:
    """`{(a, b), (c, d)}`, with at least one row."""

    rows: tuple[Row, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Member:
    """`attr in {…}` or `attr in @list`; with `negated`, `attr not in …`."""

    attribute: Attribute
    negated: bool
    values: ListLiteral | ListRef
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Has:
    """`has attr`."""

    attribute: Attribute
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Not:
    """`not t`."""

    test: Test
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Or:
    """`t or u`, with at least two parts. A part is an `Or` only if it was written in parentheses."""

    tests: tuple[Test, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class And:
    """`t, u`, with at least two parts."""

    tests: tuple[Test, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Flag:
    """`projective`: an attribute of the sentence that is true or false."""

    attribute: Attribute
    span: Span = field(compare=False, repr=False)


Test: TypeAlias = Compare | Member | Has | Flag | Not | Or | And


# --- nodes and relations ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NodeTerm:
    """An occurrence of a node: `V`, `V:VERB|AUX`, `V[tests]`, `_`. `name` is None for `_`."""

    name: Name | None
    upos: tuple[Atom, ...]  # empty if there is no `:`
    test: Test | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Bounds:
    """`{m..n}`, `{m..}`, `{..n}`, `{n}`. `low` is None in `{..n}`, `high` is None in `{m..}`, both are n in `{n}`."""

    low: int | None
    high: int | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class LabelTest:
    """One label of a list: `nsubj`, `=nsubj` (`exact`) or a regex such as `/nsubj.*/`, which matches whole labels."""

    label: Atom | RegexValue
    exact: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Labels:
    """`[nsubj|=obj|/obl:.*/]`, or with `negated`, `[^nsubj|obj]`."""

    labels: tuple[LabelTest, ...]
    negated: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Edge:
    """`->`, `-[l]->`; with `from_dependent`, `<-`, `<-[l]-`; with `enhanced`, `==>`, `=[l]=>`."""

    labels: Labels | None
    from_dependent: bool
    enhanced: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Path:
    """`->>`, `-[l]->>`, with optional bounds on the number of steps (by default at least one)."""

    labels: Labels | None
    bounds: Bounds | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Next:
    """`<`: the right node is the next word."""

    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Before:
    """`<<`, with optional bounds on id(right) − id(left)."""

    bounds: Bounds | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Siblings:
    """`~`: both nodes have the same head."""

    span: Span = field(compare=False, repr=False)


Relation: TypeAlias = Edge | Path | Next | Before | Siblings


@dataclass(frozen=True, slots=True)
class Link:
    """One step of a chain: a relation and the node to its right."""

    relation: Relation
    target: NodeTerm
    span: Span = field(compare=False, repr=False)


# --- clauses and blocks -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chain:
    """`A rel B rel C`. A single node has no links."""

    first: NodeTerm
    links: tuple[Link, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Between:
    """`M between A and B`. All three nodes may have tests, as in a chain."""

    middle: NodeTerm
    left: NodeTerm
    right: NodeTerm
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Crossing:
    """`crossing A, B`: the edges into A and into B cross. Both nodes may have tests, as in a chain."""

    left: NodeTerm
    right: NodeTerm
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Coincide:
    """`A may be B`: both nodes may be the same word. The clause introduces no node."""

    left: Name
    right: Name
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class NodeAttribute:
    """`S.Number`, `lower(S.form)`."""

    node: Name
    attribute: Attribute
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class AttributeComparison:
    """`S.Number != V.Number`. `op` is one of = != < <= > >=."""

    left: NodeAttribute
    op: str
    right: NodeAttribute
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of words: `length(subtree(X))`, `length(span(X, Y))` or `distance(X, Y)`.

    `kind` is subtree, span or distance.
    """

    kind: str
    nodes: tuple[Name, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Summand:
    """A number of a sum. `negated` is True after `-`."""

    number: Measure | int
    negated: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SumComparison:
    """`length(subtree(O)) > length(subtree(P)) + 2`. `op` is one of = != < <= > >=."""

    left: tuple[Summand, ...]
    op: str
    right: tuple[Summand, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TupleMember:
    """`(V.lemma, P.lemma) in @list`; with `negated`, `not in`."""

    attributes: tuple[NodeAttribute, ...]
    negated: bool
    values: ListRef
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Block:
    """`{ clauses }`."""

    clauses: tuple[Clause, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Without:
    """`without { … }`."""

    block: Block
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Either:
    """`either { … } or { … }`, with at least two branches."""

    branches: tuple[Block, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Maybe:
    """`maybe { … }`: `either { … } or { without { … } }`."""

    block: Block
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Count:
    """`at least 2 X { … }`. `quantifier` is "at least", "at most" or "exactly"."""

    quantifier: str
    number: int
    node: NodeTerm
    block: Block
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SentenceTest:
    """`sentence[tests]`."""

    test: Test
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Call:
    """`name(A, B)`. The argument `_` is None."""

    pattern: Name
    arguments: tuple[Name | None, ...]
    span: Span = field(compare=False, repr=False)


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


# --- items --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Use:
    """`use "path.fict"`."""

    path: Value
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ListFile:
    """`file "path.txt"`, or with `table`, `from "path.tsv"`, a file of rows with columns."""

    path: Value
    span: Span = field(compare=False, repr=False)
    table: bool = False


@dataclass(frozen=True, slots=True)
class ListDef:
    """`list name = {…}`, `list name = file "…"` or `list name from "…"`."""

    name: Name
    body: ListLiteral | ListRows | ListFile
    span: Span = field(compare=False, repr=False)

    @property
    def has_rows(self) -> bool:
        return isinstance(self.body, ListRows) or (isinstance(self.body, ListFile) and self.body.table)


@dataclass(frozen=True, slots=True)
class PatternDef:
    """`pattern name(A, B) { … }`."""

    name: Name
    parameters: tuple[Name, ...]
    block: Block
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Family:
    """`for p in {v1, v2}`."""

    parameter: Name
    values: tuple[Value, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Text:
    """`about "…"`, `source "…"` or `note "…"`. `kind` is the keyword."""

    kind: str
    text: Value
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TargetBenchmarks:
    """`targets blimp/a blimp/b`."""

    names: tuple[Name, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class AsIs:
    """`as-is case` or `as-is article`: the rewrite keeps letter case, or the form of articles. `kind` is that word."""

    kind: str
    span: Span = field(compare=False, repr=False)


Metadata: TypeAlias = Text | TargetBenchmarks | AsIs


@dataclass(frozen=True, slots=True)
class Target:
    """The target of an action: `sentence`, `node(X)`, `subtree(X)` or `span(X, Y)`. `kind` is the keyword."""

    kind: str
    nodes: tuple[Name, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Action:
    """`remove sentence`, `mask span(X, Y) with upos`, `count …`.

    `verb` is remove, keep, mask or count. `replacement` is the string in `with "…"`, else None. `tag` is the column
    in `with upos`, else None.
    """

    verb: str
    target: Target
    replacement: Value | None
    tag: str | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class FilterDef:
    """`filter name [for …] { metadata… match { … } action… }`. Without actions it means `remove sentence`."""

    name: Name
    family: Family | None
    metadata: tuple[Metadata, ...]
    match: Block
    actions: tuple[Action, ...]
    span: Span = field(compare=False, repr=False)


# --- rewrites -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Delete:
    """`delete subtree(X)`."""

    target: Target
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Move:
    """`move subtree(X) before node(Y)`. `side` is "before" or "after"."""

    target: Target
    side: str
    destination: Target
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Swap:
    """`swap subtree(X) with subtree(Y)`."""

    target: Target
    other: Target
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Insert:
    """`insert "w"[upos = ADP] as case of X before subtree(X)`. `test` is the content of the brackets."""

    word: Atom
    test: Test | None
    label: Atom
    head: Name
    side: str
    destination: Target
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Function:
    """`upper(Y.form)`, `capital(Y.form)` or `inflect(Y.lemma, VBZ)`; only `inflect` has a `tag`."""

    name: str
    argument: NodeAttribute
    tag: Value | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Set:
    """`set X.form = v`. The unquoted value `_` removes the attribute. `lower(Y.form)` is a `NodeAttribute`."""

    attribute: NodeAttribute
    value: Atom | NodeAttribute | Function
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Reverse:
    """`reverse T`."""

    target: Target
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Order:
    """`order T by KEY`: sort the dependents of each head in T. `key` is `length` or `chance`.

    `length` may be `descending` (`desc`) or `head_final` (`head-final`).
    """

    target: Target
    key: str
    descending: bool
    head_final: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Shuffle:
    """`shuffle T`, `shuffle T by length` or, with a `window`, `shuffle T in 3`."""

    target: Target
    by_length: bool
    window: int | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Interleave:
    """`interleave T`."""

    target: Target
    span: Span = field(compare=False, repr=False)


Rewriting: TypeAlias = Delete | Move | Swap | Insert | Set | Reverse | Order | Shuffle | Interleave


@dataclass(frozen=True, slots=True)
class RewriteDef:
    """`rewrite name [for …] { metadata… match { … } action… }`, with at least one action."""

    name: Name
    family: Family | None
    metadata: tuple[Metadata, ...]
    match: Block
    actions: tuple[Rewriting, ...]
    span: Span = field(compare=False, repr=False)


Query: TypeAlias = FilterDef | RewriteDef  # the items with a `match`
Item: TypeAlias = Use | ListDef | PatternDef | FilterDef | RewriteDef


@dataclass(frozen=True, slots=True)
class File:
    """A file: its language version (only "1" is supported) and its items."""

    version: str
    items: tuple[Item, ...]
    span: Span = field(compare=False, repr=False)
