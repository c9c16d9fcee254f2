"""SQL literals, names and logical operators. All strings and feature names of filters enter SQL through this module."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

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
