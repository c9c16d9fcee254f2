"""The SQL statement of a filter, with the tables that it reads and the columns of its result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Select:
    """A SELECT over tables of a store and CTEs of a statement. `reads` are the names of these CTEs."""

    text: str
    reads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CommonTableExpression:
    """A common table expression (CTE) of a statement: its name, query and definition in a WITH clause.

    CTEs with equal keys have the same rows, even in other statements and under other names. A `materialized` CTE is
    computed once.
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
    and sorted copies that it reads, and `features` the features whose columns it reads.

    `text` is a WITH clause of the `ctes`, in order of dependency, followed by `matches`. If a CTE is recursive, `ctes`
    is empty and `matches` contains the WITH clause. `sentences_text` has `matching_sentences` in place of `matches`:
    it returns each `sid` with a match once.
    """

    names: tuple[str, ...]
    features: tuple[str, ...]
    tables: tuple[str, ...]
    dialect: str
    matches: Select
    matching_sentences: Select
    ctes: tuple[CommonTableExpression, ...] = ()

    @property
    def text(self) -> str:
        """The complete SELECT of matches."""
        return with_clause(cte.definition for cte in self.ctes) + self.matches.text

    @property
    def sentences_text(self) -> str:
        """The complete SELECT of sentences."""
        return with_clause(cte.definition for cte in self.ctes) + self.matching_sentences.text


def with_clause(definitions: Iterable[str]) -> str:
    """Return a WITH clause of definitions, followed by a space; empty if there are none."""
    definition_list = ", ".join(definitions)
    return f"WITH {definition_list} " if definition_list else ""
