"""SQL text: literals, names, logical operators and rows, and the statement under construction.

All strings and feature names of filters enter SQL through this module. The text is in DuckDB's dialect;
`emit.translated` converts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from fictdsl.plan.nodes import OFFSETS
from fictdsl.schema import COMPUTED_NUMBERS, FEATURE_PREFIX, PLAIN, Layout, Neighbour, copy_name, identifier
from fictdsl.sql.regex import escape_literal
from fictdsl.sql.statement import CommonTableExpression, Dialect, quoted, string, with_clause

_MAX_INTEGER = 2**62  # greater than any number in a corpus, and within BIGINT
_MAX_LITERALS = 1_000  # values; longer lists are written as one string


class Connected(str):
    """A conjunction or disjunction, which is put in brackets inside of another."""

    __slots__ = ()


def strings(values: Iterable[str]) -> str:
    return ", ".join(map(string, values))


def lines(values: Iterable[str]) -> str:
    return string("\n".join(values))


NEWLINE = string("\n")


def integer(value: int) -> str:
    """Return an integer literal, clamped to ±2**62, which BIGINT can hold."""
    return str(max(-_MAX_INTEGER, min(_MAX_INTEGER, value)))


def double(value: str) -> str:
    number = float(value)
    literal = repr(number) if abs(number) != float("inf") else "Infinity" if number > 0 else "-Infinity"
    return f"CAST({string(literal)} AS DOUBLE)"


def column(alias: str, column_name: str) -> str:
    return f"{quoted(alias)}.{quoted(column_name)}"


def columns(alias: str, *names: str) -> list[str]:
    return [column(alias, column_name) for column_name in names]


def table(table_name: str, alias: str) -> str:
    return f"{quoted(table_name)} AS {quoted(alias)}"


def aliased(value: str, alias: str) -> str:
    return f"{value} AS {quoted(alias)}"


def subquery(query: str, alias: str) -> str:
    return aliased(f"({query})", alias)


def equal_columns(names: Iterable[str], left: str, right: str) -> list[str]:
    return [f"{column(left, each)} = {column(right, each)}" for each in names]


def select(values: Sequence[str], source: str, *conditions: str, distinct: bool = False) -> str:
    where = f" WHERE {all_of(conditions)}" if conditions else ""
    return f"SELECT {'DISTINCT ' if distinct else ''}{', '.join(values)} FROM {source}{where}"  # noqa: S608


def comparison(op: str, left: str, right: str) -> str:
    """Return the comparison of two expressions by `=`, `!=`, `<`, `<=`, `>` or `>=`. It is NULL if one is NULL."""
    return f"{left} {'<>' if op == '!=' else op} {right}"


def one_of(value: str, options: Sequence[str]) -> str:
    return f"{value} = {string(options[0])}" if len(options) == 1 else f"{value} IN ({strings(options)})"


def any_of(conditions: Sequence[str]) -> str:
    return _connected(" OR ", conditions) if conditions else "FALSE"


def all_of(conditions: Sequence[str]) -> str:
    return _connected(" AND ", conditions) if conditions else "TRUE"


def _connected(operator: str, conditions: Sequence[str]) -> str:
    if len(conditions) == 1:
        return conditions[0]
    return Connected(operator.join(f"({part})" if isinstance(part, Connected) else part for part in conditions))


def negation(condition: str) -> str:
    """Return the negation of a condition. It is NULL if the condition is NULL."""
    return f"NOT ({condition})"


def or_null(value: str, condition: str) -> str:
    return any_of([f"{value} IS NULL", condition])


def false_if_null(condition: str) -> str:
    return f"COALESCE(({condition}), FALSE)"


def extraction(text: str, pattern: str, group: int | None = None) -> str:
    """Return what a pattern, or a group of it, matches first in a text; empty if it matches nothing."""
    return f"REGEXP_EXTRACT({text}, {string(pattern)}{'' if group is None else f', {group}'})"


def split(text: str) -> str:
    return f"STR_SPLIT({text}, ',')"


def overlap(left: str, right: str) -> str:
    return f"LIST_HAS_ANY({left}, {right})"


def transform(values: str, variable: str, result: str) -> str:
    return f"LIST_TRANSFORM({values}, LAMBDA {quoted(variable)} : {result})"


def in_query(values: Sequence[str], query: str) -> str:
    row = ", ".join(values)
    return f"{row if len(values) == 1 else f'({row})'} IN ({query})"


def union(queries: Iterable[str]) -> str:
    return " UNION ALL ".join(queries)


# --- rows and statements


def from_conllu(alias: str, column_name: str) -> str:
    """Return a column of `tokens` computed from CoNLL-U columns. A feature keeps its comma-separated value."""
    if column_name in COMPUTED_NUMBERS:
        base, sql = COMPUTED_NUMBERS[column_name]
        return sql.format(column(alias, base))
    base, _, suffix = column_name.partition("_")
    match base, suffix:
        case (("form" | "lemma"), "l"):
            return f"LOWER({column(alias, base)})"
        case "feat", feature:
            return f"NULLIF({_extracted_feature(alias, feature, '([^|]*)')}, '')"
    return column(alias, column_name)


def has_part(alias: str, feature: str, values: Sequence[str]) -> str:
    """Return the condition that `values` contains one of a feature's comma-separated values.

    `values` must not be empty, and no value may contain a comma. The condition is NULL if a word has no features. It
    compares an extracted text, because DuckDB then evaluates it once per distinct string of `feats`.
    """
    options = "|".join(escape_literal(value) for value in values)
    return f"{_extracted_feature(alias, feature, f'((?:[^|]*,)?(?:{options})(?:,[^|]*)?)')} <> ''"


def _extracted_feature(alias: str, feature: str, value_pattern: str) -> str:
    framed = f"'|' || {column(alias, 'feats')} || '|'"
    return extraction(framed, f"[|]{escape_literal(feature)}={value_pattern}[|]", 1)


class Row(Protocol):
    """The row of a word or sentence, from which tests read columns."""

    @property
    def sort_column(self) -> str | None:
        """The column by which the table is sorted, or None."""
        ...

    def column(self, column_name: str) -> str: ...


@dataclass(frozen=True)
class TableRow:
    alias: str
    builder: StatementBuilder
    sort_column: str | None = "deprel"

    def column(self, column_name: str) -> str:
        if column_name.startswith(FEATURE_PREFIX):
            self.builder.features.add(column_name.removeprefix(FEATURE_PREFIX))
        if self.builder.layout.raw:
            return from_conllu(self.alias, column_name)
        return column(self.alias, identifier(column_name))


@dataclass(frozen=True)
class NeighbourRow:
    """A neighbour of the word of another row, read from that row's copied columns."""

    row: Row
    neighbour: Neighbour
    sort_column: None = None

    def column(self, column_name: str) -> str:
        """Return a column of the neighbour. `sid` and `id` have no copies and are derived from the row."""
        if column_name == "sid":
            return self.row.column("sid")
        if column_name != "id":
            return self.row.column(copy_name(self.neighbour, column_name))
        if self.neighbour in OFFSETS:
            return f"{self.row.column('id')} + {OFFSETS[self.neighbour]}"
        return self.row.column("head" if self.neighbour == "h" else "h_head")


def neighbour_exists(row: Row, neighbour: Neighbour) -> str:
    if neighbour in OFFSETS:
        return f"{row.column('id')} <= {row.column('n')} - {OFFSETS[neighbour]}"
    return f"{NeighbourRow(row, neighbour).column('id')} > 0"


@dataclass
class StatementBuilder:
    """A statement under construction. `phrases` maps the values and `lower` of a phrase test to its table."""

    dialect: Dialect
    layout: Layout = PLAIN
    recursive: bool = False
    ctes: list[CommonTableExpression] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    features: set[str] = field(default_factory=set)
    phrases: dict[tuple[tuple[str, ...], bool], str] = field(default_factory=dict)

    def add(self, name: str, query: str, *, materialized: bool, ctes: list[CommonTableExpression] | None = None) -> str:
        cte = CommonTableExpression(name, query, materialized and self.dialect.materialized)
        (self.ctes if ctes is None else ctes).append(cte)
        self.names.add(name)
        return name

    @property
    def with_clause(self) -> str:
        return with_clause((cte.definition for cte in self.ctes), recursive=self.recursive)

    def membership(self, value: str, options: Sequence[str], *, in_order: bool = False) -> str:
        """Return the condition of a WHERE clause that a value is one of the options.

        DuckDB runs `= ANY` as a semi-join, at about half the cost of IN. But only IN can skip row groups by their
        minimum and maximum, so for tables sorted by the value (`in_order`) the condition contains both. A long list is
        written as one literal, since parsing a million literals takes longer than running the query.
        """
        if self._is_one_literal(options):
            return f"{value} = ANY (SELECT UNNEST(STRING_SPLIT({lines(options)}, {NEWLINE})))"
        member = one_of(value, options)
        if not self.dialect.any_of_list or len(options) < 2:
            return member
        semi_join = f"{value} = ANY([{strings(options)}])"
        return all_of([semi_join, member]) if in_order else semi_join

    def match_condition(self, value: str, pattern: str, *, may_be_empty: bool) -> str:
        """DuckDB extracts a match once for each entry of a column's dictionary, but looks for a match in every row."""
        if may_be_empty or not self.dialect.extraction:
            return f"REGEXP_MATCHES({value}, {string(pattern)})"
        return f"{extraction(value, pattern)} <> ''"

    def array(self, options: Sequence[str]) -> str:
        if self._is_one_literal(options):
            return f"STR_SPLIT({lines(options)}, {NEWLINE})"
        return f"[{strings(options)}]"

    def _is_one_literal(self, options: Sequence[str]) -> bool:
        is_long = self.dialect.any_of_list and len(options) > _MAX_LITERALS
        return is_long and not any("\n" in option for option in options)
