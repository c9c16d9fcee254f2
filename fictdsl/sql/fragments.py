"""SQL literals, names, logical operators and rows, and the statement under construction.

All strings and feature names of filters enter SQL through this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sqlglot import exp

from fictdsl.schema import FEATURE_PREFIX, PLAIN, Layout, identifier
from fictdsl.sql.regex import escape_literal
from fictdsl.sql.statement import Dialect

_OPERATORS = {"=": exp.EQ, "!=": exp.NEQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE}
_MAX_INTEGER = 2**62  # greater than any number in a corpus, and within BIGINT


def string(value: str) -> exp.Expression:
    return exp.Literal.string(value)


def strings(values: Iterable[str]) -> list[exp.Expression]:
    return [string(value) for value in values]


def string_rows(values: Iterable[str]) -> exp.Select:
    """Return a query with a row for each string, written as one literal. The strings must not contain newlines."""
    split = exp.Anonymous(this="STRING_SPLIT", expressions=[string("\n".join(values)), string("\n")])
    return exp.select(exp.Anonymous(this="UNNEST", expressions=[split]))


def integer(value: int) -> exp.Expression:
    """Return an integer literal, clamped to ±2**62, which BIGINT can hold."""
    value = max(-_MAX_INTEGER, min(_MAX_INTEGER, value))
    literal = exp.Literal.number(str(abs(value)))
    return exp.Neg(this=literal) if value < 0 else literal


def double(value: str) -> exp.Expression:
    number = float(value)
    literal = repr(number) if abs(number) != float("inf") else "Infinity" if number > 0 else "-Infinity"
    return exp.Cast(this=string(literal), to=exp.DataType.build("double"))


def null(type_name: str) -> exp.Expression:
    return exp.Cast(this=exp.Null(), to=exp.DataType.build(type_name))


def column(alias: str, name: str) -> exp.Expression:
    return exp.column(name, alias, quoted=True)


def table(name: str, alias: str) -> exp.Expression:
    """Return a table under a generated alias."""
    return exp.Table(this=exp.to_identifier(name), alias=exp.TableAlias(this=exp.to_identifier(alias)))


def comparison(op: str, left: exp.Expression, right: exp.Expression) -> exp.Expression:
    """Return the comparison of two expressions by `=`, `!=`, `<`, `<=`, `>` or `>=`. It is NULL if one is NULL."""
    return _OPERATORS[op](this=left, expression=right)


def one_of(value: exp.Expression, options: Sequence[exp.Expression]) -> exp.Expression:
    """Return `value = option` or `value IN (…)`, for at least one option."""
    if len(options) == 1:
        return exp.EQ(this=value, expression=options[0])
    return exp.In(this=value, expressions=list(options))


def any_of(conditions: Sequence[exp.Expression]) -> exp.Expression:
    """Return a disjunction, which is false if empty."""
    return exp.or_(*conditions, copy=False) if conditions else exp.false()


def all_of(conditions: Sequence[exp.Expression]) -> exp.Expression:
    """Return a conjunction, which is true if empty."""
    return exp.and_(*conditions, copy=False) if conditions else exp.true()


def negation(condition: exp.Expression) -> exp.Expression:
    """Return the negation of a condition. It is NULL if the condition is NULL."""
    return exp.Not(this=exp.paren(condition, copy=False))


def or_null(value: exp.Expression, condition: exp.Expression) -> exp.Expression:
    """Return `value IS NULL OR condition`."""
    return exp.or_(exp.Is(this=value.copy(), expression=exp.Null()), condition, copy=False)


def false_if_null(condition: exp.Expression) -> exp.Expression:
    return exp.Coalesce(this=exp.paren(condition, copy=False), expressions=[exp.false()])


def concat(*parts: exp.Expression) -> exp.Expression:
    result = parts[0]
    for part in parts[1:]:
        result = exp.DPipe(this=result, expression=part, safe=True)
    return result


# --- rows and statements


def from_conllu(alias: str, name: str) -> exp.Expression:
    """Return a column of `tokens` computed from CoNLL-U columns. A feature keeps its comma-separated value."""
    base, _, suffix = name.partition("_")
    match base, suffix:
        case (("form" | "lemma"), "l"):
            return exp.Lower(this=column(alias, base))
        case (("form" | "lemma"), "len"):
            return exp.Length(this=column(alias, base))
        case "feat", feature:
            return _value(column(alias, "feats"), feature)
    return column(alias, name)


def has_part(alias: str, feature: str, values: Sequence[str]) -> exp.Expression:
    """Return the SQL condition that `values` contains one of a feature's comma-separated values.

    `values` must not be empty, and no value may contain a comma. The condition is NULL if a word has no features. It
    compares an extracted text, because DuckDB then evaluates it once per distinct string of `feats`.
    """
    options = "|".join(escape_literal(value) for value in values)
    pattern = rf"[|]{escape_literal(feature)}=((?:[^|]*,)?(?:{options})(?:,[^|]*)?)[|]"
    return exp.NEQ(this=_extracted(column(alias, "feats"), pattern), expression=string(""))


def _value(feats: exp.Expression, feature: str) -> exp.Expression:
    value = _extracted(feats, rf"[|]{escape_literal(feature)}=([^|]*)[|]")
    return exp.Nullif(this=value, expression=string(""))


def _extracted(feats: exp.Expression, pattern: str) -> exp.Expression:
    framed = concat(string("|"), feats, string("|"))
    return exp.RegexpExtract(this=framed, expression=string(pattern), group=integer(1))


_MAX_LITERALS = 1_000  # values; longer lists are written as one string


class Row(Protocol):
    """The row of a word or sentence, from which tests read columns."""

    @property
    def sort_column(self) -> str | None:
        """The column by which the table is sorted, or None."""
        ...

    def column(self, name: str) -> exp.Expression:
        """Return a column of `tokens` or `sentences` as SQL."""
        ...


@dataclass(frozen=True)
class TableRow:
    """A row of a base table under an alias."""

    alias: str
    builder: StatementBuilder
    sort_column: str | None = "deprel"

    def column(self, name: str) -> exp.Expression:
        """Return a column under its SQL name. If it is a feature, record the feature in the builder."""
        if name.startswith(FEATURE_PREFIX):
            self.builder.features.add(name.removeprefix(FEATURE_PREFIX))
        if self.builder.raw:
            return from_conllu(self.alias, name)
        return column(self.alias, identifier(name))


@dataclass
class StatementBuilder:
    """A statement under construction. `ctes` are its common table expressions.

    `features` are the features that it reads. `phrases` maps the values and `lower` of a phrase test to its table.
    """

    dialect: Dialect
    layout: Layout = PLAIN
    recursive: bool = False
    ctes: list[exp.CTE] = field(default_factory=list)
    features: set[str] = field(default_factory=set)
    phrases: dict[tuple[tuple[str, ...], bool], str] = field(default_factory=dict)

    def add(self, name: str, query: exp.Expression, *, materialized: bool, ctes: list[exp.CTE] | None = None) -> str:
        """Add a CTE to the statement, or to `ctes` if given. Return its name."""
        (self.ctes if ctes is None else ctes).append(
            exp.CTE(
                this=query,
                alias=exp.TableAlias(this=exp.to_identifier(name)),
                materialized=True if materialized and self.dialect.materialized else None,
            )
        )
        return name

    @property
    def raw(self) -> bool:
        """Whether the layout has only the columns of CoNLL-U."""
        return self.layout.raw

    @property
    def with_clause(self) -> exp.With:
        return self.with_(self.ctes)

    def with_(self, ctes: list[exp.CTE]) -> exp.With:
        return exp.With(expressions=ctes, recursive=self.recursive or None)

    def membership(self, value: exp.Expression, options: Sequence[str], *, in_order: bool = False) -> exp.Expression:
        """Return the condition of a WHERE clause that a value is one of the options.

        DuckDB runs `= ANY` as a semi-join, at about half the cost of IN. But only IN can skip row groups by their
        minimum and maximum, so for tables sorted by the value (`in_order`) the condition contains both. A long list is
        written as one literal, since parsing a million literals takes longer than running the query.
        """
        if self._is_one_literal(options):
            return exp.EQ(this=value, expression=exp.Any(this=exp.Subquery(this=string_rows(options))))
        member = one_of(value, strings(options))
        if not self.dialect.any_of_list or len(options) < 2:
            return member
        option_list = exp.Paren(this=exp.Array(expressions=strings(options)))
        semi_join = exp.EQ(this=value.copy(), expression=exp.Any(this=option_list))
        return exp.and_(semi_join, member) if in_order else semi_join

    def match_condition(self, value: exp.Expression, pattern: str, *, may_be_empty: bool) -> exp.Expression:
        """Return the SQL condition that an anchored pattern matches a value.

        `may_be_empty` says whether the pattern matches the empty string.

        DuckDB extracts a match once for each entry of a column's dictionary, but looks for a match in every row.
        """
        if may_be_empty or not self.dialect.extraction:
            return exp.RegexpLike(this=value, expression=string(pattern))
        extracted = exp.RegexpExtract(this=value, expression=string(pattern))
        return exp.NEQ(this=extracted, expression=string(""))

    def array(self, options: Sequence[str]) -> exp.Expression:
        """Return strings as an SQL list. A long list is written as one literal."""
        if self._is_one_literal(options):
            return exp.Split(this=string("\n".join(options)), expression=string("\n"))
        return exp.Array(expressions=strings(options))

    def overlap(self, left: exp.Expression, right: exp.Expression) -> exp.Expression:
        """Return the SQL condition that two lists share an element."""
        return exp.Anonymous(this=self.dialect.overlap, expressions=[left, right])

    def _is_one_literal(self, options: Sequence[str]) -> bool:
        """Return whether a list is long, and its values can be joined by line breaks."""
        is_long = self.dialect.any_of_list and len(options) > _MAX_LITERALS
        return is_long and not any("\n" in option for option in options)
