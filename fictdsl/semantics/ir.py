"""The core language that filters are lowered to, with names bound and implicit rules made explicit.

Nodes are numbers. A `Conjunction` is one reading of a block: its nodes, and conditions that must all hold. Implicit
rules of the surface language (different nodes are different words, `nsubj` includes its subtypes, each step of a
labelled path has the label) are explicit conditions here. A bound `high` of None means that there is no upper bound.
Class names and the order of fields are part of a filter's content key.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from fictdsl.syntax.regex import Regex

Node: TypeAlias = int
Verb: TypeAlias = Literal["remove", "keep", "mask", "count"]
TargetKind: TypeAlias = Literal["sentence", "node", "subtree", "span"]
Comparison: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]


# --- attributes -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    name: str


@dataclass(frozen=True, slots=True)
class Feature:
    """A morphological feature, `Number` or `Number[psor]`. A comma-separated value is a list of values."""

    name: str


@dataclass(frozen=True, slots=True)
class Misc:
    key: str


@dataclass(frozen=True, slots=True)
class Computed:
    """A string of a word that a view computes: token, feats. See `schema.COMPUTED`."""

    name: str


@dataclass(frozen=True, slots=True)
class Meta:
    """The values of one key in the sentence's comments."""

    key: str


@dataclass(frozen=True, slots=True)
class SentenceColumn:
    name: str


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """A number column of a word (id, form_len, lemma_len) or of the sentence (length)."""

    name: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regex that matches a whole value. `ignore_case` applies only to ASCII letters."""

    regex: Regex
    ignore_case: bool


Strings: TypeAlias = Column | Feature | Misc | Computed | Meta | SentenceColumn
Numbers: TypeAlias = NumberColumn | Misc | Meta


# --- tests: two-valued; a simple test of an absent attribute is false ------------------------------------


@dataclass(frozen=True, slots=True)
class OneOf:
    """Some value of the attribute is one of `values` (sorted and distinct; false if empty)."""

    attribute: Strings
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Labels:
    """A label is in `exact`, is or is a subtype of one in `plain`, or matches one of `patterns`; or `negated`."""

    plain: tuple[str, ...]
    exact: tuple[str, ...]
    negated: bool = False
    patterns: tuple[Pattern, ...] = ()


@dataclass(frozen=True, slots=True)
class Bears:
    """The word's relation label satisfies `labels`. An absent label satisfies only a negated list."""

    labels: Labels


@dataclass(frozen=True, slots=True)
class Matches:
    """The regex matches some value of the attribute as a whole. `ignore_case` applies only to ASCII letters."""

    attribute: Strings
    regex: Regex
    ignore_case: bool


@dataclass(frozen=True, slots=True)
class Contains:
    """Some value of the attribute contains, starts with or ends with `part`. The empty part is in every value."""

    attribute: Strings
    at: Literal["contains", "starts", "ends"]
    part: str


@dataclass(frozen=True, slots=True)
class Present:
    attribute: Strings


@dataclass(frozen=True, slots=True)
class Compares:
    """Some value of the attribute is a number for which the comparison with `number` (decimal, as text) holds."""

    attribute: Strings | Numbers
    op: Comparison
    number: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """The forms (`lower`: in lower case) of words from here on, joined by spaces, are one of `values`."""

    values: tuple[str, ...]
    lower: bool


@dataclass(frozen=True, slots=True)
class Projective:
    """No two tree edges of the sentence cross."""


@dataclass(frozen=True, slots=True)
class Not:
    test: Test


@dataclass(frozen=True, slots=True)
class All:
    """Every test holds. True if there are none."""

    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """At least one test holds. False if there are none."""

    tests: tuple[Test, ...]


Test: TypeAlias = OneOf | Bears | Matches | Contains | Present | Compares | Phrase | Projective | Not | All | Any


# --- conditions -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tested:
    node: Node
    test: Test


@dataclass(frozen=True, slots=True)
class SentenceTested:
    test: Test


@dataclass(frozen=True, slots=True)
class Edge:
    """`head` is the head of `dependent`. Its label is tested by `Bears` on the dependent."""

    head: Node
    dependent: Node


@dataclass(frozen=True, slots=True)
class EnhancedEdge:
    """The enhanced graph has an edge from `head` to `dependent` that satisfies `labels` (any edge if None)."""

    head: Node
    dependent: Node
    labels: Labels | None


@dataclass(frozen=True, slots=True)
class Dominates:
    """`above` is `low` to `high` steps above `below` in the tree. Zero steps means the same word."""

    above: Node
    below: Node
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Precedes:
    """id(right) − id(left) is between `low` and `high`."""

    left: Node
    right: Node
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Between:
    """`middle` is between `left` and `right`, in either order."""

    middle: Node
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Siblings:
    """Both words have the same head. A root has no head."""

    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Crossing:
    """The tree edges into two words cross. A root has no edge."""

    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Shares:
    """The attributes of two words have a value in common, or not if `negated`. An absent attribute has no value."""

    left: Node
    left_attribute: Strings
    right: Node
    right_attribute: Strings
    negated: bool


@dataclass(frozen=True, slots=True)
class NumbersCompare:
    """A comparison of two words' numbers. It is false if a number is absent, but `!=` is the negation of `=`."""

    left: Node
    left_column: NumberColumn
    op: Comparison
    right: Node
    right_column: NumberColumn


@dataclass(frozen=True, slots=True)
class Ordered:
    """Some value of each attribute is a decimal number, and `op` (< <= > >=) holds. Both nodes may be the same."""

    left: Node
    left_attribute: Strings | Numbers
    op: Comparison
    right: Node
    right_attribute: Strings | Numbers


@dataclass(frozen=True, slots=True)
class SubtreeLength:
    """The number of words of the subtree of `node`, which includes the word itself."""

    node: Node


@dataclass(frozen=True, slots=True)
class Distance:
    """The difference of the ids of two words, without its sign. `left` is the smaller node."""

    left: Node
    right: Node


Measure: TypeAlias = SubtreeLength | Distance


@dataclass(frozen=True, slots=True)
class SumCompares:
    """The sum of the measures (at least one), each times its factor (not 0), compares so with `number`."""

    terms: tuple[tuple[int, Measure], ...]
    op: Comparison
    number: int


@dataclass(frozen=True, slots=True)
class InRows:
    """A combination of values of the words, joined by tabs, is in `rows` (sorted). Absent values are in none."""

    nodes: tuple[Node, ...]
    attributes: tuple[Strings, ...]
    rows: tuple[str, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class Distinct:
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Without:
    """No reading is satisfied by any assignment of words to its own nodes."""

    readings: tuple[Conjunction, ...]


@dataclass(frozen=True, slots=True)
class Count:
    """The number of different words for the `counted` node of each reading, over all readings, is `low` to `high`."""

    low: int
    high: int | None
    readings: tuple[Conjunction, ...]
    counted: tuple[Node, ...]


Condition: TypeAlias = (
    Tested
    | SentenceTested
    | Edge
    | EnhancedEdge
    | Dominates
    | Precedes
    | Between
    | Siblings
    | Crossing
    | Shares
    | NumbersCompare
    | Ordered
    | SumCompares
    | InRows
    | Distinct
    | Without
    | Count
)


@dataclass(frozen=True, slots=True)
class Conjunction:
    """One reading of a block: its own `nodes`, and `conditions` that must all hold."""

    nodes: tuple[Node, ...]
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading of the `match` block. `bound` holds the node of each of the filter's names, or None."""

    conjunction: Conjunction
    bound: tuple[Node | None, ...]


@dataclass(frozen=True, slots=True)
class Action:
    """An action: a verb, the kind of its target, and the target's nodes as indices into the filter's names.

    A `mask` has either a replacement string or a tag column (upos, xpos or deprel). Other verbs have neither.
    """

    verb: Verb
    target: TargetKind
    nodes: tuple[int, ...]
    replacement: str | None
    tag: str | None


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter: the union of its readings, with the `names` of the result's columns and the actions in order.

    `roles` maps each node to a number for its position in the source text. Nodes of different readings that come from
    the same position share a role; nodes that are in scope together do not.
    """

    names: tuple[str, ...]
    readings: tuple[Reading, ...]
    actions: tuple[Action, ...]
    roles: tuple[int, ...] = ()


def key(filter_: Filter) -> str:
    """Return the SHA-256 (hex) of the canonical form, which is independent of layout, comments and names."""
    return digest(["ir", 1, canonical(filter_.readings), canonical(filter_.actions)])


def digest(content: object) -> str:
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def canonical(value: object) -> object:
    """Convert an IR or regex value to lists, strings, numbers, booleans and None, for serialization as JSON."""
    match value:
        case tuple():
            return [canonical(item) for item in value]
        case None | str() | int():
            return value
    fields = ((name, getattr(value, name)) for name in _fields(value))
    added_defaults = _ADDED_FIELDS.get(type(value).__name__, {})
    included = (part for name, part in fields if name not in added_defaults or part != added_defaults[name])
    return [type(value).__name__, *(canonical(part) for part in included)]


# Fields added to a class after its first release. The default is left out of the canonical form, so that the content
# keys of filters that do not use the field are unchanged.
_ADDED_FIELDS: dict[str, dict[str, object]] = {"Labels": {"patterns": ()}}


def walk(value: object) -> Iterator[object]:
    match value:
        case tuple():
            for item in value:
                if not isinstance(item, str):  # word lists may be long
                    yield from walk(item)
        case None | str() | int():
            pass
        case _:
            yield value
            for name in _fields(value):
                yield from walk(getattr(value, name))


def _fields(value: object) -> tuple[str, ...]:
    names: tuple[str, ...] = type(value).__match_args__  # type: ignore[attr-defined]  # faster than dataclasses.fields
    return names
