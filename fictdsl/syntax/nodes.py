"""The syntax tree of a `.fict` file: what a person wrote, sugar and all, each part with its span.

Spans never take part in equality, so a printed and re-parsed file equals the original tree.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from fictdsl.source import Span
from fictdsl.syntax.regex import Regex

# --- names and values ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier where it stands: of a node, list, pattern, filter or family parameter."""

    text: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Value:
    """A literal: `text` is what it means (escapes undone); `quoted` is how it was written."""

    text: str
    quoted: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Param:
    """`$p` as a whole value, UPOS or label; `name` is without the dollar."""

    name: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RegexValue:
    """`/re/` or `/re/i`: the text between the slashes as written, and its parsed form."""

    text: str
    ignore_case: bool
    regex: Regex
    span: Span = field(compare=False, repr=False)


Atom: TypeAlias = Value | Param


# --- tests --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attribute:
    """What a test looks at, as written.

    `upos` is ("upos", None); `form.length` is ("form", "length"); `misc.Key` and `meta.key` have the key;
    `Number[psor]` is ("Number", "psor"); `lower(form)` sets `lower`. `phrase` is ("phrase", None).
    In `sentence[…]` the names are text, length, sent_id, doc and meta.
    """

    name: str
    key: str | None
    lower: bool
    span: Span = field(compare=False, repr=False)
    key_quoted: bool = False


@dataclass(frozen=True, slots=True)
class Compare:
    """`attr op values`: op is one of = != == < <= > >=; several values stand for `v1|v2`."""

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
    """`{a, b, "c d"}`; may be empty."""

    values: tuple[Atom, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Member:
    """`attr in {…}`, `attr in @list`, and with `negated` the exact negation, `not in`."""

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
    """`t or u`; two parts or more, none of them an Or that was written without parentheses."""

    tests: tuple[Test, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class And:
    """`t, u`; two parts or more."""

    tests: tuple[Test, ...]
    span: Span = field(compare=False, repr=False)


Test: TypeAlias = Compare | Member | Has | Not | Or | And


# --- nodes and relations ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NodeTerm:
    """A node where it stands: `V`, `V:VERB|AUX`, `V[tests]`, `_`. `name` is None for `_`."""

    name: Name | None
    upos: tuple[Atom, ...]  # empty where none was written
    test: Test | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Bounds:
    """`{m..n}`, `{m..}`, `{..n}`, `{n}`. `low` is None in `{..n}`, `high` in `{m..}`; `{n}` has both equal."""

    low: int | None
    high: int | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class LabelTest:
    """One label of a list: `nsubj`, or `=nsubj` with `exact`."""

    label: Atom
    exact: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Labels:
    """`[nsubj|=obj]`, or `[^nsubj|obj]` with `negated`."""

    labels: tuple[LabelTest, ...]
    negated: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Edge:
    """`->`, `-[l]->`, `<-`, `<-[l]-` (`from_dependent`), and with `enhanced` `==>`, `=[l]=>`."""

    labels: Labels | None
    from_dependent: bool
    enhanced: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Path:
    """`->>`, `-[l]->>`, with optional bounds (one or more steps where there are none)."""

    labels: Labels | None
    bounds: Bounds | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Next:
    """`<`: the right neighbour is the very next word."""

    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Before:
    """`<<`, with optional bounds on id(right) − id(left)."""

    bounds: Bounds | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Siblings:
    """`~`: both have the same head."""

    span: Span = field(compare=False, repr=False)


Relation: TypeAlias = Edge | Path | Next | Before | Siblings


@dataclass(frozen=True, slots=True)
class Link:
    """One step of a chain: the relation and its right neighbour."""

    relation: Relation
    target: NodeTerm
    span: Span = field(compare=False, repr=False)


# --- clauses and blocks -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chain:
    """`A rel B rel C`; a node alone has no links."""

    first: NodeTerm
    links: tuple[Link, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Between:
    """`M between A and B`; all three may carry tests, as in a chain."""

    middle: NodeTerm
    left: NodeTerm
    right: NodeTerm
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class NodeAttribute:
    """`S.Number`, `lower(S.form)`."""

    node: Name
    attribute: Attribute
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Relate:
    """`S.Number != V.Number`; op is one of = != < <= > >=."""

    left: NodeAttribute
    op: str
    right: NodeAttribute
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
    """`either { … } or { … }`; two branches or more."""

    branches: tuple[Block, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Count:
    """`at least 2 X { … }`; `quantifier` is "at least", "at most" or "exactly"."""

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
    """`name(A, B)`; an argument `_` is None."""

    pattern: Name
    arguments: tuple[Name | None, ...]
    span: Span = field(compare=False, repr=False)


Clause: TypeAlias = Chain | Between | Relate | Without | Either | Count | SentenceTest | Call


# --- items --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Use:
    """`use "path.fict"`."""

    path: Value
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ListFile:
    """`file "path.txt"`."""

    path: Value
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ListDef:
    """`list name = {…}` or `list name = file "…"`."""

    name: Name
    body: ListLiteral | ListFile
    span: Span = field(compare=False, repr=False)


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
    """`about "…"`, `source "…"`, `note "…"`: `kind` is that word."""

    kind: str
    text: Value
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Targets:
    """`targets blimp/a blimp/b`: the names as written, without separators."""

    names: tuple[Name, ...]
    span: Span = field(compare=False, repr=False)


Metadata: TypeAlias = Text | Targets


@dataclass(frozen=True, slots=True)
class Target:
    """What an action is done to: `sentence`, `node(X)`, `subtree(X)`, `span(X, Y)`; `kind` is that word."""

    kind: str
    nodes: tuple[Name, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Action:
    """`remove sentence`, `mask span(X, Y) with upos`, `count …`.

    `verb` is remove, keep, mask or count. `replacement` is the string of `with "…"`; `tag` the column of
    `with upos`; both None elsewhere.
    """

    verb: str
    target: Target
    replacement: Value | None
    tag: str | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class FilterDef:
    """`filter name [for …] { metadata… match { … } action… }`; no action means `remove sentence`."""

    name: Name
    family: Family | None
    metadata: tuple[Metadata, ...]
    match: Block
    actions: tuple[Action, ...]
    span: Span = field(compare=False, repr=False)


Item: TypeAlias = Use | ListDef | PatternDef | FilterDef


@dataclass(frozen=True, slots=True)
class File:
    """A whole file: its version (only "1" passes) and its items."""

    version: str
    items: tuple[Item, ...]
    span: Span = field(compare=False, repr=False)
