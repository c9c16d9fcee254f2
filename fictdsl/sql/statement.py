"""The SQL statement of a filter, with what is needed to run it and read its result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Select:
    """A SELECT over the tables of a store and over the parts of a statement that it `reads`, by name."""

    text: str
    reads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A common table expression (CTE) of a statement: its name, query and definition in a WITH clause.

    Parts with equal `key` have the same rows, in whatever statement, and whatever their names and the names of the
    parts that they read. A `materialized` part is computed once.
    """

    name: str
    query: Select
    definition: str
    key: str
    materialized: bool


@dataclass(frozen=True, slots=True)
class Statement:
    """A SELECT over tables of a store that returns distinct rows `sid, m0, m1, …`, sorted.

    `m_i` is the id of the word bound to `names[i]`, or NULL if the reading does not bind it. `tables` are the tables
    and sorted copies that it reads, and `features` the features whose columns it reads. `text` consists of a WITH
    clause of the `parts`, in order of dependency, and of `matches`; if parts are recursive, of `matches` alone. The
    text `sentences`, with `matched`, returns each `sid` with a match once.
    """

    names: tuple[str, ...]
    features: tuple[str, ...]
    tables: tuple[str, ...]
    dialect: str
    matches: Select
    matched: Select
    parts: tuple[Part, ...] = ()

    @property
    def text(self) -> str:
        """The complete SELECT of matches."""
        return with_clause(part.definition for part in self.parts) + self.matches.text

    @property
    def sentences(self) -> str:
        """The complete SELECT of sentences."""
        return with_clause(part.definition for part in self.parts) + self.matched.text


def with_clause(definitions: Iterable[str]) -> str:
    """Return a WITH clause of definitions, followed by a space; empty if there are none."""
    joined = ", ".join(definitions)
    return f"WITH {joined} " if joined else ""
