"""Python values to SQL expressions: the only place where a string of a filter or a name becomes part of a statement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

_LARGEST = 2**62  # beyond every number a corpus holds, within BIGINT


def string(value: str) -> exp.Expression:
    """A string literal."""
    return exp.Literal.string(value)


def strings(values: Iterable[str]) -> list[exp.Expression]:
    """String literals."""
    return [string(value) for value in values]


def string_rows(values: Iterable[str]) -> exp.Select:
    """A query with a row for each string, written as one literal. No string may hold a newline."""
    split = exp.Anonymous(this="STRING_SPLIT", expressions=[string("\n".join(values)), string("\n")])
    return exp.select(exp.Anonymous(this="UNNEST", expressions=[split]))


def integer(value: int) -> exp.Expression:
    """An integer literal, cut to what a BIGINT holds."""
    value = max(-_LARGEST, min(_LARGEST, value))
    literal = exp.Literal.number(str(abs(value)))
    return exp.Neg(this=literal) if value < 0 else literal


def double(value: str) -> exp.Expression:
    """A decimal number as a DOUBLE."""
    number = float(value)
    spelt = repr(number) if abs(number) != float("inf") else "Infinity" if number > 0 else "-Infinity"
    return exp.Cast(this=string(spelt), to=exp.DataType.build("double"))


def null(kind: str) -> exp.Expression:
    """A typed NULL."""
    return exp.Cast(this=exp.Null(), to=exp.DataType.build(kind))


def column(table: str, name: str) -> exp.Expression:
    """A quoted column of a table's alias."""
    return exp.column(name, table, quoted=True)


def table(name: str, alias: str) -> exp.Expression:
    """A table under a generated alias."""
    return exp.alias_(exp.to_table(name), alias, table=True)


def one_of(value: exp.Expression, options: Sequence[exp.Expression]) -> exp.Expression:
    """`value = option` or `value IN (…)`."""
    if len(options) == 1:
        return exp.EQ(this=value, expression=options[0])
    return exp.In(this=value, expressions=list(options))


def any_of(parts: Sequence[exp.Expression]) -> exp.Expression:
    """A disjunction; of nothing, false."""
    return exp.or_(*parts, copy=False) if parts else exp.false()


def all_of(parts: Sequence[exp.Expression]) -> exp.Expression:
    """A conjunction; of nothing, true."""
    return exp.and_(*parts, copy=False) if parts else exp.true()


def negation(part: exp.Expression) -> exp.Expression:
    """NOT of an expression that is never NULL."""
    return exp.Not(this=exp.paren(part, copy=False))


def or_null(value: exp.Expression, part: exp.Expression) -> exp.Expression:
    """True where `value` is NULL, and else where `part` holds."""
    return exp.or_(exp.Is(this=value.copy(), expression=exp.Null()), part, copy=False)


def false_if_null(part: exp.Expression) -> exp.Expression:
    """A two-valued form of `part`."""
    return exp.Coalesce(this=exp.paren(part, copy=False), expressions=[exp.false()])


def concat(*parts: exp.Expression) -> exp.Expression:
    """Strings one after the other."""
    result = parts[0]
    for part in parts[1:]:
        result = exp.DPipe(this=result, expression=part, safe=True)
    return result
