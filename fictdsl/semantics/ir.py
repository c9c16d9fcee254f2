"""The core language a filter is lowered to: every name bound, every value known, every rule made explicit.

Nodes are numbers. A `Conjunction` is one way of reading a block: its own nodes, and conditions that all hold.
What the surface leaves to rules (that different nodes are different words, that `nsubj` has subtypes, that each
step of a labelled path bears the label) stands here as a condition of its own.
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


# --- what a test looks at ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    """A string column of a word: form, lemma, upos, xpos, deprel, form_l, lemma_l."""

    name: str


@dataclass(frozen=True, slots=True)
class Feature:
    """A morphological feature, `Number` or `Number[psor]`; its value splits at commas."""

    name: str


@dataclass(frozen=True, slots=True)
class Misc:
    """The values of one key in MISC."""

    key: str


@dataclass(frozen=True, slots=True)
class Meta:
    """The values of one comment of the sentence."""

    key: str


@dataclass(frozen=True, slots=True)
class SentenceColumn:
    """A string of the sentence: text, sent_id, doc."""

    name: str


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """A number of a word (id, form_len, lemma_len) or of the sentence (length)."""

    name: str


Strings: TypeAlias = Column | Feature | Misc | Meta | SentenceColumn
Numbers: TypeAlias = NumberColumn | Misc | Meta


# --- tests: two-valued, an absent attribute makes every one of the simple tests false ------------------


@dataclass(frozen=True, slots=True)
class OneOf:
    """Some value of the attribute is one of `values` (sorted, without repetition; none is false)."""

    attribute: Strings
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Labels:
    """A relation label is one of `exact`, or is or begins (up to a colon) with one of `plain`; or, `negated`, not."""

    plain: tuple[str, ...]
    exact: tuple[str, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Bears:
    """The word's own relation label satisfies `labels`; an absent one satisfies only a negated list."""

    labels: Labels


@dataclass(frozen=True, slots=True)
class Matches:
    """Some whole value of the attribute matches; `ignore_case` folds ASCII letters."""

    attribute: Strings
    regex: Regex
    ignore_case: bool


@dataclass(frozen=True, slots=True)
class Present:
    """The attribute is there."""

    attribute: Strings


@dataclass(frozen=True, slots=True)
class Compares:
    """Some value of the attribute reads as a number that compares with `number` (decimal digits, as text)."""

    attribute: Numbers
    op: Comparison
    number: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """Some run of words that starts here, forms joined by one space, is one of `values`."""

    values: tuple[str, ...]
    lower: bool


@dataclass(frozen=True, slots=True)
class Not:
    """The test does not hold."""

    test: Test


@dataclass(frozen=True, slots=True)
class All:
    """Every test holds; of none, true."""

    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """One test or more holds; of none, false."""

    tests: tuple[Test, ...]


Test: TypeAlias = OneOf | Bears | Matches | Present | Compares | Phrase | Not | All | Any


# --- conditions -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tested:
    """The word of `node` passes a test."""

    node: Node
    test: Test


@dataclass(frozen=True, slots=True)
class SentenceTested:
    """The sentence passes a test."""

    test: Test


@dataclass(frozen=True, slots=True)
class Edge:
    """`head` is the head of `dependent`; what its label must be is a test of the dependent."""

    head: Node
    dependent: Node


@dataclass(frozen=True, slots=True)
class EnhancedEdge:
    """Some edge of the enhanced graph from `head` to `dependent` satisfies `labels` where there are any."""

    head: Node
    dependent: Node
    labels: Labels | None


@dataclass(frozen=True, slots=True)
class Dominates:
    """`above` is `low` to `high` steps above `below`; zero steps is the same word."""

    above: Node
    below: Node
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Precedes:
    """id(right) − id(left) lies between `low` and `high`."""

    left: Node
    right: Node
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Between:
    """`middle` stands between `left` and `right`, whichever of these comes first."""

    middle: Node
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Siblings:
    """Both words have the same head, and have one."""

    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Shares:
    """The two words' attributes have a value in common; or, `negated`, have not (absence has none)."""

    left: Node
    left_attribute: Strings
    right: Node
    right_attribute: Strings
    negated: bool


@dataclass(frozen=True, slots=True)
class NumbersCompare:
    """Two words' numbers compare; false where one is absent, except `!=`, which is the negation of `=`."""

    left: Node
    left_column: NumberColumn
    op: Comparison
    right: Node
    right_column: NumberColumn


@dataclass(frozen=True, slots=True)
class Distinct:
    """Two nodes are different words."""

    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Without:
    """None of the readings can be satisfied by words for their own nodes."""

    readings: tuple[Conjunction, ...]


@dataclass(frozen=True, slots=True)
class Count:
    """The number of words `counted` (one node to a reading), over all readings, is `low` to `high`."""

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
    | Shares
    | NumbersCompare
    | Distinct
    | Without
    | Count
)


@dataclass(frozen=True, slots=True)
class Conjunction:
    """One reading of a block: words for `nodes` such that all `conditions` hold."""

    nodes: tuple[Node, ...]
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading of the whole match; `bound` gives, for each name of the filter, its node or None."""

    conjunction: Conjunction
    bound: tuple[Node | None, ...]


@dataclass(frozen=True, slots=True)
class Action:
    """What is done to each match: a verb, a kind of target and its nodes (places in the filter's names).

    A `mask` has a replacement, the string it puts, or a tag: upos, xpos or deprel. Other verbs have neither.
    """

    verb: Verb
    target: TargetKind
    nodes: tuple[int, ...]
    replacement: str | None
    tag: str | None


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter: the union of its readings. `names` are the result's columns; `actions` what is done, in order.

    `roles` numbers, for each node, the place of the text at which it is written: no two nodes of a conjunction or of
    those around it have one role, but a place that stands in several readings has a node in each.
    """

    names: tuple[str, ...]
    readings: tuple[Reading, ...]
    actions: tuple[Action, ...]
    roles: tuple[int, ...] = ()


def key(filter_: Filter) -> str:
    """The sha256 (hex) of the canonical form: the same for filters that differ in layout, comments and names only."""
    content = ["ir", 1, canonical(filter_.readings), canonical(filter_.actions)]
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def canonical(value: object) -> object:
    """A tree of lists, strings, numbers, booleans and None that says the same as an IR or regex value."""
    match value:
        case tuple():
            return [canonical(item) for item in value]
        case None | str() | int():
            return value
    return [type(value).__name__, *(canonical(getattr(value, name)) for name in _fields(value))]


def walk(value: object) -> Iterator[object]:
    """Every dataclass instance inside an IR value, itself included, outermost first."""
    match value:
        case tuple():
            for item in value:
                if not isinstance(item, str):  # a list of words may be long
                    yield from walk(item)
        case None | str() | int():
            pass
        case _:
            yield value
            for name in _fields(value):
                yield from walk(getattr(value, name))


def _fields(value: object) -> tuple[str, ...]:
    names: tuple[str, ...] = type(value).__match_args__  # type: ignore[attr-defined]  # a dataclass's fields, in order
    return names
