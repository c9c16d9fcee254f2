"""What a statement gathers while it is written: its common tables, its features, the dialect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from sqlglot import exp

from fictdsl.plan.layout import FEATURE, PLAIN, Layout, identifier
from fictdsl.sql import quote
from fictdsl.sql.raw import from_conllu

Dialect = Literal["duckdb", "spark"]

_MANY = 1_000  # values that are written as one literal


class Row(Protocol):
    """Where a test finds the columns of the word (or sentence) it looks at."""

    @property
    def by(self) -> str | None:
        """The column by which the rows of its table are sorted."""
        ...

    def column(self, name: str) -> exp.Expression:
        """A column of `tokens` (or of `sentences`)."""
        ...


@dataclass(frozen=True)
class TableRow:
    """A row of a base table under an alias."""

    alias: str
    statement: StatementBuilder
    by: str | None = "deprel"

    def column(self, name: str) -> exp.Expression:
        """The column, under the table's own name for it."""
        if name.startswith(FEATURE):
            self.statement.features.add(name.removeprefix(FEATURE))
        if self.statement.raw:
            return from_conllu(self.alias, name)
        return quote.column(self.alias, identifier(name))


@dataclass
class StatementBuilder:
    """The statement so far."""

    dialect: Dialect
    layout: Layout = PLAIN
    recursive: bool = False
    tables: list[exp.CTE] = field(default_factory=list)
    features: set[str] = field(default_factory=set)
    phrases: dict[tuple[tuple[str, ...], bool], str] = field(default_factory=dict)

    def add(self, name: str, query: exp.Expression, *, materialized: bool, tables: list[exp.CTE] | None = None) -> str:
        """Put a common table before the statement, or at the end of `tables`."""
        (self.tables if tables is None else tables).append(
            exp.CTE(
                this=query,
                alias=exp.TableAlias(this=exp.to_identifier(name)),
                materialized=True if materialized and self.dialect == "duckdb" else None,
            )
        )
        return name

    @property
    def raw(self) -> bool:
        """Whether there are only the columns of CoNLL-U."""
        return self.layout.raw

    @property
    def before(self) -> exp.With:
        """The common tables as a WITH clause."""
        return self.with_(self.tables)

    def with_(self, tables: list[exp.CTE]) -> exp.With:
        """A WITH clause of some of the common tables."""
        return exp.With(expressions=tables, recursive=self.recursive or None)

    def among(self, value: exp.Expression, options: Sequence[str], *, in_order: bool = False) -> exp.Expression:
        """Whether a value is one of the options, as a condition of its own in a WHERE clause.

        DuckDB answers `= ANY` with a semi-join, which costs about half of what IN does; but only IN says which row
        groups of rows that are `in_order` of the value have none, so there both are asked. A long list is one literal,
        since a statement with a million of them takes longer to read than to run.
        """
        if self.dialect == "duckdb" and len(options) > _MANY and not any("\n" in option for option in options):
            return exp.EQ(this=value, expression=exp.Any(this=exp.Subquery(this=quote.string_rows(options))))
        one_of = quote.one_of(value, quote.strings(options))
        if self.dialect != "duckdb" or len(options) < 2:
            return one_of
        listed = exp.Paren(this=exp.Array(expressions=quote.strings(options)))
        joined = exp.EQ(this=value.copy(), expression=exp.Any(this=listed))
        return exp.and_(joined, one_of) if in_order else joined

    def overlap(self, left: exp.Expression, right: exp.Expression) -> exp.Expression:
        """Whether two lists share a value."""
        name = "LIST_HAS_ANY" if self.dialect == "duckdb" else "ARRAYS_OVERLAP"
        return exp.Anonymous(this=name, expressions=[left, right])
