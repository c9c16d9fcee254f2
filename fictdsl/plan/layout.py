"""What a store offers the planner beyond the plain columns: copied columns, sorted copies of its rows, its words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Literal, Protocol, TypeAlias, get_args

Neighbour: TypeAlias = Literal["h", "hh", "n", "n2", "n3"]  # the head, its head; the next words

FEATURE = "feat_"  # begins the columns of features
_COPIED = ("upos", "deprel", "form_l", "lemma_l", "head")


def copy_name(place: Neighbour, column: str) -> str:
    """The column that holds, in the row of a word, a column of the word at a place near it."""
    return f"{place}_{column}"


def identifier(column: str) -> str:
    """Return the SQL name of a column: different columns have names that differ in more than upper and lower case.

    DuckDB and Spark compare names without case, but `Voice` and `VOICE` are two features. In the name of a feature,
    `~` stands before each letter that is not in its expected case: a capital first, then small letters. `~` itself is
    doubled, and a character outside ASCII is written as its code point.
    """
    if not column.startswith(FEATURE):
        return column
    name = column.removeprefix(FEATURE)
    return FEATURE + "".join(_marked(char, first=place == 0) for place, char in enumerate(name))


def _marked(char: str, *, first: bool) -> str:
    if not char.isascii():
        return f"~{{{ord(char):x}}}"
    return f"~{char}" if char == "~" or (char.isalpha() and char.isupper() != first) else char


COPIES = frozenset(copy_name(place, column) for place, column in product(get_args(Neighbour), _COPIED))


class Counts(Protocol):
    """The value statistics of a store; equal ones say the same."""

    def count(self, column: str, value: str) -> int | None:
        """How many words have the value in a column (`feat_X` for a feature); None where that is not known."""
        ...


@dataclass(frozen=True, slots=True)
class Projection:
    """A table with some `columns` of every word that has a value in the column `by`, sorted by that; `rows` of them."""

    table: str
    by: str
    columns: frozenset[str]
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """What there is in every chunk of a store: `copies` are names in `COPIES`, `words` how many there are in all.

    Plans for any layout find the same; only what they cost differs. With `raw` there is one table, `tokens`, with the
    columns of CoNLL-U: sid, id, form, lemma, upos, xpos, feats, head, deprel (NULL for `_`); `fictdsl.plan.raw` says
    what no plan can find in it.
    """

    copies: frozenset[str] = frozenset()
    projections: tuple[Projection, ...] = ()
    words: int | None = None
    counts: Counts | None = None
    raw: bool = False

    def count(self, column: str, value: str) -> int | None:
        """How many words have the value in a column (`feat_X` for a feature); None where that is not known."""
        return None if self.counts is None else self.counts.count(column, value)

    def share(self, column: str, values: Iterable[str]) -> float | None:
        """The share of words with one of the values in a column; None where that is not known."""
        counts = [self.count(column, value) for value in values]
        known = [count for count in counts if count is not None]
        return sum(known) / self.words if self.words and len(known) == len(counts) else None


PLAIN = Layout()
RAW = Layout(raw=True)
