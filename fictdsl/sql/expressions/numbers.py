"""SQL for attributes whose values are compared as decimal numbers."""

from __future__ import annotations

from sqlglot import exp

from fictdsl.schema import feature_column
from fictdsl.semantics import ir
from fictdsl.sql import fragments
from fictdsl.sql.context import Row
from fictdsl.sql.expressions.long_tables import LongAttribute, conditions_of, table_of

_DECIMAL = r"\A[+-]?[0-9]+(?:\.[0-9]+)?\z"


def number_order(condition: ir.Ordered, left: Row, right: Row) -> exp.Expression:
    """Return the SQL condition that the comparison holds for some number of each attribute. NULL if one has none."""
    highest = condition.op in (">", ">=")
    left_number = extreme(condition.left_attribute, left, highest=highest)
    return fragments.comparison(
        condition.op, left_number, extreme(condition.right_attribute, right, highest=not highest)
    )


def extreme(attribute: ir.Strings | ir.Numbers, row: Row, *, highest: bool) -> exp.Expression:
    """Return SQL for the lowest or highest number among the values of an attribute, NULL if there is none.

    Some number of one attribute is below some number of another if and only if its lowest is below the other's highest.
    """
    match attribute:
        case ir.NumberColumn(name=name):
            return row.column(name)
        case ir.Column(name=name) | ir.SentenceColumn(name=name):
            return _as_number(row.column(name))
        case ir.Feature(name=name):
            values = exp.Split(this=row.column(feature_column(name)), expression=fragments.string(","))
            element = exp.to_identifier("x", quoted=True)
            numbers = exp.Transform(
                this=values, expression=exp.Lambda(this=_as_number(exp.column(element.copy())), expressions=[element])
            )
            return exp.ArrayMax(this=numbers) if highest else exp.ArrayMin(this=numbers)
        case ir.Misc() | ir.Computed() | ir.Meta():
            return _from_table(attribute, row, highest=highest)


def _as_number(text: exp.Expression) -> exp.Expression:
    is_number = exp.RegexpLike(this=text, expression=fragments.string(_DECIMAL))
    number = exp.TryCast(this=_without_plus(text.copy()), to=exp.DataType.build("double"))
    return exp.Case(ifs=[exp.If(this=is_number, true=number)])


def _without_plus(text: exp.Expression) -> exp.Expression:
    has_plus = exp.StartsWith(this=text.copy(), expression=fragments.string("+"))
    unsigned = exp.Substring(this=text.copy(), start=fragments.integer(2))
    return exp.Case(ifs=[exp.If(this=has_plus, true=unsigned)], default=text)


def _from_table(attribute: LongAttribute, row: Row, *, highest: bool) -> exp.Expression:
    keys = ("sid",) if isinstance(attribute, ir.Meta) else ("sid", "id")
    same_row = [exp.EQ(this=fragments.column("m", name), expression=row.column(name)) for name in keys]
    number = stored_number(attribute, "m")
    query = exp.select(exp.Max(this=number) if highest else exp.Min(this=number))
    query = query.from_(fragments.table(table_of(attribute), "m"))
    return exp.Subquery(this=query.where(*same_row, *conditions_of(attribute, "m")))


def stored_number(attribute: LongAttribute, alias: str) -> exp.Expression:
    """Return the number in a row of the attribute's table, or NULL if its value is not a number."""
    if isinstance(attribute, ir.Computed):
        return _as_number(fragments.column(alias, "value"))
    return fragments.column(alias, "num")
