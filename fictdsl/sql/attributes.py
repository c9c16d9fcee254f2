"""SQL for attributes of words: numbers, rows of lists, copied columns of neighbours, MISC entries and comments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard

from sqlglot import exp

from fictdsl.plan.columns import OFFSETS
from fictdsl.schema import Neighbour, copy_name, feature_column
from fictdsl.semantics import ir
from fictdsl.sql import fragments
from fictdsl.sql.context import Row, StatementBuilder

LongAttribute: TypeAlias = ir.Misc | ir.Computed | ir.Meta


def is_long(attribute: ir.Strings | ir.Numbers) -> TypeGuard[LongAttribute]:
    """Return whether the values of an attribute are rows of a table of their own."""
    return isinstance(attribute, ir.Misc | ir.Computed | ir.Meta)


def table_of(attribute: LongAttribute) -> str:
    """Return the table with a row for each value, in its column `value`."""
    match attribute:
        case ir.Computed(name=name):
            return name
        case ir.Misc():
            return "misc"
    return "meta"


def conditions_of(attribute: LongAttribute, alias: str) -> list[exp.Expression]:
    """Return the conditions that select the attribute's rows of the table."""
    if isinstance(attribute, ir.Computed):
        return []
    return [exp.EQ(this=fragments.column(alias, "key"), expression=fragments.string(attribute.key))]


@dataclass(frozen=True)
class NeighbourRow:
    """A neighbour of the word of another row, read from that row's copied columns."""

    row: Row
    neighbour: Neighbour
    sort_column: None = None

    def column(self, name: str) -> exp.Expression:
        """Return a column of the neighbour. `sid` and `id` have no copies and are derived from the row."""
        if name == "sid":
            return self.row.column("sid")
        if name != "id":
            return self.row.column(copy_name(self.neighbour, name))
        if self.neighbour in OFFSETS:
            return exp.Add(this=self.row.column("id"), expression=fragments.integer(OFFSETS[self.neighbour]))
        return self.row.column("head" if self.neighbour == "h" else "h_head")


def neighbour_exists(row: Row, neighbour: Neighbour) -> exp.Expression:
    """Return SQL that is true if and only if the word of `row` has this neighbour."""
    if neighbour in OFFSETS:
        last_id = exp.Sub(this=row.column("n"), expression=fragments.integer(OFFSETS[neighbour]))
        return exp.LTE(this=row.column("id"), expression=last_id)
    return exp.GT(this=NeighbourRow(row, neighbour).column("id"), expression=fragments.integer(0))


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
