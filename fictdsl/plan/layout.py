"""The physical layout of a store: copied columns, sorted copies of its rows, and value statistics."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol


class Counts(Protocol):
    """The value statistics of a store. Statistics with the same content have the same `key`, and are equal."""

    @property
    def key(self) -> str:
        """A digest of all counts."""
        ...

    def count(self, column: str, value: str) -> int | None:
        """Return the number of words with a value in a column (`feat_X` for a feature), or None if unknown."""
        ...


@dataclass(frozen=True, slots=True)
class SortedCopy:
    """A table with some `columns` of every word that has a value in the column `by`, sorted by that column.

    `rows` is the number of these words; None if unknown.
    """

    table: str
    by: str
    columns: frozenset[str]
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns, tables and statistics of a store. `copies` are names in `schema.COPIES`; `words` counts its words.

    The layout affects the cost of a plan, never its result. A `raw` layout has one table, `tokens`, with the columns
    of CoNLL-U: sid, id, form, lemma, upos, xpos, feats, head, deprel (NULL for `_`). `fictdsl.plan.build` lists what it
    does not support.
    """

    copies: frozenset[str] = frozenset()
    sorted_copies: tuple[SortedCopy, ...] = ()
    words: int | None = None
    counts: Counts | None = None
    raw: bool = False

    @property
    def content(self) -> list[object]:
        """The fields as lists, strings, numbers, booleans and None, for serialization as JSON."""
        sorted_copies = [[copy.table, copy.by, sorted(copy.columns), copy.rows] for copy in self.sorted_copies]
        counts = None if self.counts is None else self.counts.key
        return [sorted(self.copies), sorted_copies, self.words, counts, self.raw]

    def count(self, column: str, value: str) -> int | None:
        """Return the number of words with a value in a column (`feat_X` for a feature), or None if unknown."""
        return None if self.counts is None else self.counts.count(column, value)

    def share(self, column: str, values: Iterable[str]) -> float | None:
        """Return the share of words with one of the values in a column, or None if unknown."""
        counts = [self.count(column, value) for value in values]
        known_counts = [count for count in counts if count is not None]
        return sum(known_counts) / self.words if self.words and len(known_counts) == len(counts) else None


PLAIN = Layout()
RAW = Layout(raw=True)
