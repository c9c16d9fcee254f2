"""The values of matches by which they are counted or sorted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter

Aggregate: TypeAlias = Literal["min", "max", "mean"]
AGGREGATES: tuple[Aggregate, ...] = ("min", "max", "mean")


@dataclass(frozen=True, slots=True)
class SentenceAttribute:
    """A column of the table `sentences`, or the key of a comment."""

    attribute: str


@dataclass(frozen=True, slots=True)
class WordAttribute:
    """The first of `attributes` that the word bound to `name` has."""

    attributes: tuple[str, ...]
    name: str


@dataclass(frozen=True, slots=True)
class Order:
    """The bound names in the order of their words, such as `S V O`."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Distance:
    """The distance between two bound words: id(second) − id(first)."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class EdgeLabel:
    """The label of the tree edge from one bound word to another."""

    head: str
    dependent: str


@dataclass(frozen=True, slots=True)
class ClauseTest:
    """Whether additional clauses hold for a match. `extended` is the filter with these clauses."""

    extended: CompiledFilter


Value: TypeAlias = SentenceAttribute | WordAttribute | Order | Distance | EdgeLabel | ClauseTest


@dataclass(frozen=True, slots=True)
class GroupKey:
    """A key: a value, its bin of `width`, or an aggregate of it. `text` is the key as written."""

    text: str
    value: Value
    width: int | None = None
    aggregate: Aggregate | None = None


def is_whole(value: Value) -> bool:
    """Return whether the value is an integer in every match."""
    match value:
        case Distance():
            return True
        case SentenceAttribute(attribute=attribute):
            return attribute == "length"
        case WordAttribute(attributes=attributes):
            return set(attributes) <= set(WORD_NUMBERS)
    return False


WORD_NUMBERS = {"id": "id", "form.length": "form_len", "lemma.length": "lemma_len"}  # attribute → column of `tokens`
