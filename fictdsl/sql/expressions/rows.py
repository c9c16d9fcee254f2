"""SQL for tuples of attributes that are rows of a list."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from fictdsl.schema import feature_column
from fictdsl.semantics import ir
from fictdsl.sql import fragments
from fictdsl.sql.context import Row, StatementBuilder
from fictdsl.sql.expressions.long_tables import LongAttribute, conditions_of, is_long, table_of

_TAB = "\t"


def in_rows(condition: ir.InRows, words: Sequence[Row], builder: StatementBuilder) -> exp.Expression:
    """Return the SQL condition that a combination of values of the words' attributes is a row of the list."""
    membership = _membership(condition, words, builder) if condition.rows else exp.false()
    return fragments.negation(fragments.false_if_null(membership)) if condition.negated else membership


def _membership(condition: ir.InRows, words: Sequence[Row], builder: StatementBuilder) -> exp.Expression:
    """Return the SQL condition that the values are a row of the list. It is NULL or false if an attribute is absent."""
    values: list[exp.Expression] = []
    tables: list[exp.Expression] = []
    conditions: list[exp.Expression] = []
    for attribute, word in zip(condition.attributes, words, strict=True):
        if is_long(attribute):
            alias = f"m{len(tables)}"
            tables.append(fragments.table(table_of(attribute), alias))
            conditions += _conditions_on_table(attribute, word, alias)
            values.append(fragments.column(alias, "value"))
        else:
            values.append(_value(attribute, word))
    is_in_list = _list_condition(values, condition.rows, builder)
    if not tables:
        return is_in_list
    query = exp.select(exp.Literal.number("1")).from_(tables[0])
    for table in tables[1:]:
        query = query.join(table, join_type="cross")
    return exp.Exists(this=query.where(*conditions, is_in_list))


def _conditions_on_table(attribute: LongAttribute, word: Row, alias: str) -> list[exp.Expression]:
    same_word = [exp.EQ(this=fragments.column(alias, name), expression=word.column(name)) for name in ("sid", "id")]
    return [*same_word, *conditions_of(attribute, alias)]


def _value(attribute: ir.Strings, word: Row) -> exp.Expression:
    """Return the value of a column, or the list of the values of a feature."""
    match attribute:
        case ir.Column(name=name):
            return word.column(name)
        case ir.Feature(name=name):
            return exp.Split(this=word.column(feature_column(name)), expression=fragments.string(","))
    raise AssertionError(f"{attribute} is not a column of a word")


def _list_condition(values: Sequence[exp.Expression], rows: Sequence[str], builder: StatementBuilder) -> exp.Expression:
    """Return the SQL condition that the values, joined by tabs, are one of the rows.

    If values are lists, it is enough that one combination of their elements is one of the rows.
    """
    if not any(isinstance(value, exp.Split) for value in values):
        return builder.membership(_joined_by_tabs(values), rows)
    names = [exp.to_identifier(f"x{index}", quoted=True) for index in range(len(values))]
    parts = [
        exp.column(name.copy()) if isinstance(value, exp.Split) else value
        for name, value in zip(names, values, strict=True)
    ]
    combinations: exp.Expression = exp.Array(expressions=[_joined_by_tabs(parts)])
    for name, value in zip(names, values, strict=True):
        if isinstance(value, exp.Split):
            transformed = exp.Transform(this=value, expression=exp.Lambda(this=combinations, expressions=[name]))
            combinations = exp.Flatten(this=transformed)
    return builder.overlap(combinations, builder.array(rows))


def _joined_by_tabs(parts: Sequence[exp.Expression]) -> exp.Expression:
    return fragments.concat(*[piece for part in parts for piece in (fragments.string(_TAB), part)][1:])
