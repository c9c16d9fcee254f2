"""A statement under construction: its dialect, layout, common table expressions and features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sqlglot import exp

from fictdsl.plan.layout import PLAIN, Layout
from fictdsl.schema import FEATURE_PREFIX, identifier
from fictdsl.sql import fragments
from fictdsl.sql.regex import escape_literal
from fictdsl.sql.statement import Dialect


def from_conllu(alias: str, name: str) -> exp.Expression:
    """Return a column of `tokens` computed from CoNLL-U columns. A feature keeps its comma-separated value."""
    base, _, suffix = name.partition("_")
    match base, suffix:
        case (("form" | "lemma"), "l"):
            return exp.Lower(this=fragments.column(alias, base))
        case (("form" | "lemma"), "len"):
            return exp.Length(this=fragments.column(alias, base))
        case "feat", feature:
            return _value(fragments.column(alias, "feats"), feature)
    return fragments.column(alias, name)


def has_part(alias: str, feature: str, values: Sequence[str]) -> exp.Expression:
    """Return the SQL condition that `values` contains one of a feature's comma-separated values.

    `values` must not be empty, and no value may contain a comma. The condition is NULL if a word has no features. It
    compares an extracted text, because DuckDB then evaluates it once per distinct string of `feats`.
    """
    options = "|".join(escape_literal(value) for value in values)
    pattern = rf"[|]{escape_literal(feature)}=((?:[^|]*,)?(?:{options})(?:,[^|]*)?)[|]"
    return exp.NEQ(this=_extracted(fragments.column(alias, "feats"), pattern), expression=fragments.string(""))


def _value(feats: exp.Expression, feature: str) -> exp.Expression:
    value = _extracted(feats, rf"[|]{escape_literal(feature)}=([^|]*)[|]")
    return exp.Nullif(this=value, expression=fragments.string(""))


def _extracted(feats: exp.Expression, pattern: str) -> exp.Expression:
    framed = fragments.concat(fragments.string("|"), feats, fragments.string("|"))
    return exp.RegexpExtract(this=framed, expression=fragments.string(pattern), group=fragments.integer(1))


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
        return fragments.column(self.alias, identifier(name))


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
            return exp.EQ(this=value, expression=exp.Any(this=exp.Subquery(this=fragments.string_rows(options))))
        one_of = fragments.one_of(value, fragments.strings(options))
        if not self.dialect.any_of_list or len(options) < 2:
            return one_of
        option_list = exp.Paren(this=exp.Array(expressions=fragments.strings(options)))
        semi_join = exp.EQ(this=value.copy(), expression=exp.Any(this=option_list))
        return exp.and_(semi_join, one_of) if in_order else semi_join

    def match_condition(self, value: exp.Expression, pattern: str, *, may_be_empty: bool) -> exp.Expression:
        """Return the SQL condition that an anchored pattern matches a value.

        `may_be_empty` says whether the pattern matches the empty string.

        DuckDB extracts a match once for each entry of a column's dictionary, but looks for a match in every row.
        """
        if may_be_empty or not self.dialect.extraction:
            return exp.RegexpLike(this=value, expression=fragments.string(pattern))
        extracted = exp.RegexpExtract(this=value, expression=fragments.string(pattern))
        return exp.NEQ(this=extracted, expression=fragments.string(""))

    def array(self, options: Sequence[str]) -> exp.Expression:
        """Return strings as an SQL list. A long list is written as one literal."""
        if self._is_one_literal(options):
            return exp.Split(this=fragments.string("\n".join(options)), expression=fragments.string("\n"))
        return exp.Array(expressions=fragments.strings(options))

    def overlap(self, left: exp.Expression, right: exp.Expression) -> exp.Expression:
        """Return the SQL condition that two lists share an element."""
        return exp.Anonymous(this=self.dialect.overlap, expressions=[left, right])

    def _is_one_literal(self, options: Sequence[str]) -> bool:
        """Return whether a list is long, and its values can be joined by line breaks."""
        is_long = self.dialect.any_of_list and len(options) > _MAX_LITERALS
        return is_long and not any("\n" in option for option in options)
