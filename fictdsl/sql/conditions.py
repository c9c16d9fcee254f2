"""SQL for conditions between words. An SQL condition is true if and only if the two-valued condition is true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from sqlglot import exp

from fictdsl.plan.nodes import Ends, JoinCondition
from fictdsl.schema import feature_column
from fictdsl.semantics import ir
from fictdsl.sql import fragments
from fictdsl.sql.fragments import Row, StatementBuilder
from fictdsl.sql.paths import edges_cross
from fictdsl.sql.tests import LongAttribute, conditions_of, in_rows, is_long, number_order, table_of, test_sql


class Rows:
    """The rows of the nodes of a join. `sql.writer` implements it."""

    def word(self, node: ir.Node) -> Row:
        """Return the row of the word bound to a node, or of an enhanced edge."""
        raise NotImplementedError


def condition_sql(condition: JoinCondition, rows: Rows, builder: StatementBuilder) -> exp.Expression:
    match condition:
        case ir.Tested(node=node, test=test):
            return test_sql(test, rows.word(node), builder)
        case ir.Edge(head=head, dependent=dependent):
            return exp.EQ(this=rows.word(dependent).column("head"), expression=rows.word(head).column("id"))
        case ir.Dominates():
            return _dominance(condition, rows)
        case ir.Precedes(left=left, right=right, low=low, high=high):
            return _distance(rows.word(left).column("id"), rows.word(right).column("id"), low, high)
        case ir.Between(middle=middle, left=left, right=right):
            middle_id, left_id, right_id = (rows.word(node).column("id") for node in (middle, left, right))
            return exp.or_(
                exp.and_(
                    exp.LT(this=left_id, expression=middle_id),
                    exp.LT(this=middle_id.copy(), expression=right_id),
                ),
                exp.and_(
                    exp.LT(this=right_id.copy(), expression=middle_id.copy()),
                    exp.LT(this=middle_id.copy(), expression=left_id.copy()),
                ),
            )
        case ir.Siblings(left=left, right=right):
            head = rows.word(left).column("head")
            same_head = exp.EQ(this=head, expression=rows.word(right).column("head"))
            return exp.and_(same_head, exp.GT(this=head.copy(), expression=fragments.integer(0)))
        case ir.Crossing(left=left, right=right):
            return edges_cross(rows.word(left), rows.word(right))
        case ir.Shares():
            share_value = _shared_value(condition, rows, builder)
            return fragments.negation(fragments.false_if_null(share_value)) if condition.negated else share_value
        case ir.NumbersCompare():
            return _number_comparison(condition, rows)
        case ir.SumCompares(terms=terms, op=op, number=number):
            return fragments.comparison(op, _sum(terms, rows), fragments.integer(number))
        case ir.InRows():
            return in_rows(condition, [rows.word(node) for node in condition.nodes], builder)
        case ir.Ordered(left=left, right=right):
            return number_order(condition, rows.word(left), rows.word(right))
        case ir.Distinct(left=left, right=right):
            return exp.NEQ(this=rows.word(left).column("id"), expression=rows.word(right).column("id"))
        case Ends(edge=edge, head=head, dependent=dependent):
            edge_row = rows.word(edge)
            return exp.and_(
                exp.EQ(this=edge_row.column("head"), expression=rows.word(head).column("id")),
                exp.EQ(this=edge_row.column("dep"), expression=rows.word(dependent).column("id")),
            )
    assert_never(condition)


def has_subquery(condition: JoinCondition) -> bool:
    """Return whether a condition may contain a subquery, which belongs in WHERE rather than in a join condition."""
    match condition:
        case (
            ir.Shares(left_attribute=left, right_attribute=right)
            | ir.Ordered(left_attribute=left, right_attribute=right)
        ):
            return is_long(left) or is_long(right)
        case ir.Tested() | ir.InRows():
            return True
    return False


def _distance(left: exp.Expression, right: exp.Expression, low: int, high: int | None) -> exp.Expression:
    """Return `low` ≤ right − left ≤ `high` as SQL."""
    if low == high:
        shifted = exp.Add(this=left, expression=fragments.integer(low)) if low else left
        return exp.EQ(this=right, expression=shifted)
    if low == 1:
        conditions = [exp.LT(this=left, expression=right)]
    else:
        conditions = [exp.LTE(this=exp.Add(this=left, expression=fragments.integer(low)), expression=right)]
    if high is not None:
        limit = exp.Add(this=left.copy(), expression=fragments.integer(high))
        conditions.append(exp.LTE(this=right.copy(), expression=limit))
    return exp.and_(*conditions)


def _dominance(condition: ir.Dominates, rows: Rows) -> exp.Expression:
    above, below = rows.word(condition.above), rows.word(condition.below)
    above_position, below_position = above.column("pre"), below.column("pre")
    if condition.high == 0:
        return exp.EQ(this=below_position, expression=above_position)
    compare = exp.LTE if condition.low == 0 else exp.LT
    conditions = [
        compare(this=above_position, expression=below_position),
        exp.LTE(this=below_position.copy(), expression=above.column("last")),
    ]
    if condition.high is not None or condition.low > 1:
        # The difference of depths is the number of steps.
        conditions.append(_distance(above.column("depth"), below.column("depth"), condition.low, condition.high))
    return exp.and_(*conditions)


def _sum(terms: Sequence[tuple[int, ir.Measure]], rows: Rows) -> exp.Expression:
    """Return the sum of measures, each times its factor, as SQL."""
    parts = [_product(abs(factor), _measure(measure, rows)) for factor, measure in terms]
    total = exp.Neg(this=parts[0]) if terms[0][0] < 0 else parts[0]
    for (factor, _), part in zip(terms[1:], parts[1:], strict=True):
        total = (exp.Sub if factor < 0 else exp.Add)(this=total, expression=part)
    return total


def _product(factor: int, value: exp.Expression) -> exp.Expression:
    return value if factor == 1 else exp.Mul(this=fragments.integer(factor), expression=value)


def _measure(measure: ir.Measure, rows: Rows) -> exp.Expression:
    match measure:
        case ir.SubtreeLength(node=node):
            word = rows.word(node)
            below = exp.Sub(this=word.column("last"), expression=word.column("pre"))
            return exp.paren(exp.Add(this=below, expression=fragments.integer(1)), copy=False)
        case ir.Distance(left=left, right=right):
            first, second = rows.word(left).column("id"), rows.word(right).column("id")
            second = exp.paren(second, copy=False) if isinstance(second, exp.Binary) else second  # `id + 1`
            return exp.Abs(this=exp.Sub(this=first, expression=second))
    assert_never(measure)


def _number_comparison(condition: ir.NumbersCompare, rows: Rows) -> exp.Expression:
    left = rows.word(condition.left).column(condition.left_column.name)
    right = rows.word(condition.right).column(condition.right_column.name)
    if condition.op == "!=":
        return fragments.negation(fragments.false_if_null(exp.EQ(this=left, expression=right)))
    return fragments.comparison(condition.op, left, right)


def _shared_value(condition: ir.Shares, rows: Rows, builder: StatementBuilder) -> exp.Expression:
    """Return the SQL condition that two attributes have a value in common. It is false or NULL if they have none."""
    left, right = rows.word(condition.left), rows.word(condition.right)
    left_attribute, right_attribute = condition.left_attribute, condition.right_attribute
    if is_long(left_attribute) and is_long(right_attribute):
        return _both_in_tables((left, left_attribute), (right, right_attribute))
    if is_long(left_attribute):
        return _in_table(left, left_attribute, _value(right, right_attribute))
    if is_long(right_attribute):
        return _in_table(right, right_attribute, _value(left, left_attribute))
    return _in_both_columns(_value(left, left_attribute), _value(right, right_attribute), builder)


@dataclass(frozen=True)
class _Value:
    """The column of an attribute. If it `splits`, it is a comma-separated list of values."""

    column: exp.Expression
    splits: bool

    @property
    def parts(self) -> exp.Expression:
        return exp.Split(this=self.column, expression=fragments.string(","))


def _value(row: Row, attribute: ir.Strings) -> _Value:
    match attribute:
        case ir.Column(name=name):
            return _Value(row.column(name), splits=False)
        case ir.Feature(name=name):
            return _Value(row.column(feature_column(name)), splits=True)
    raise AssertionError(f"{attribute} is not a column of a word")


def _in_both_columns(left: _Value, right: _Value, builder: StatementBuilder) -> exp.Expression:
    match left.splits, right.splits:
        case False, False:
            return exp.EQ(this=left.column, expression=right.column)
        case True, True:
            return builder.overlap(left.parts, right.parts)
        case True, False:
            return exp.ArrayContains(this=left.parts, expression=right.column)
    return exp.ArrayContains(this=right.parts, expression=left.column)


def _in_table(row: Row, attribute: LongAttribute, value: _Value) -> exp.Expression:
    """Return the SQL condition that a word has the value, or one of the values, in the attribute's table."""
    stored_value, table = fragments.column("m", "value"), fragments.table(table_of(attribute), "m")
    conditions = conditions_of(attribute, "m")
    if not value.splits:
        columns = [row.column("sid"), row.column("id"), value.column]
        query = exp.select(fragments.column("m", "sid"), fragments.column("m", "id"), stored_value)
        return _in_subquery(columns, query.from_(table).where(*conditions))
    same_word = [exp.EQ(this=fragments.column("m", name), expression=row.column(name)) for name in ("sid", "id")]
    query = exp.select(exp.Literal.number("1")).from_(table)
    return exp.Exists(
        this=query.where(*same_word, *conditions, exp.ArrayContains(this=value.parts, expression=stored_value))
    )


def _both_in_tables(left: tuple[Row, LongAttribute], right: tuple[Row, LongAttribute]) -> exp.Expression:
    """Return the SQL condition that two words share a value, each in the table of its attribute.

    An uncorrelated subquery lists all such pairs once. A subquery for each pair of rows would be too slow.
    """
    columns = [left[0].column("sid"), left[0].column("id"), right[0].column("id")]
    same_value = [
        exp.EQ(this=fragments.column("m", name), expression=fragments.column("o", name)) for name in ("sid", "value")
    ]
    conditions = [*conditions_of(left[1], "m"), *conditions_of(right[1], "o")]
    query = exp.select(fragments.column("m", "sid"), fragments.column("m", "id"), fragments.column("o", "id"))
    tables = fragments.table(table_of(left[1]), "m"), fragments.table(table_of(right[1]), "o")
    query = query.from_(tables[0]).join(tables[1], on=exp.and_(*same_value))
    return _in_subquery(columns, query.where(*conditions))


def _in_subquery(values: list[exp.Expression], query: exp.Select) -> exp.Expression:
    return exp.In(this=exp.Tuple(expressions=values), query=exp.Subquery(this=query))
