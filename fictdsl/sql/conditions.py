"""Conditions between words to SQL conditions that are true exactly where the two-valued condition is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from sqlglot import exp

from fictdsl.plan.nodes import Ends, JoinCondition
from fictdsl.semantics import ir
from fictdsl.sql import quote
from fictdsl.sql.context import Row, StatementBuilder
from fictdsl.sql.tests import test_sql

_OPERATORS = {"=": exp.EQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE}


class Rows:
    """Where the words of all nodes of a join are found; subclassed by the emitter."""

    def word(self, node: ir.Node) -> Row:
        """The word bound to a node (or the enhanced edge)."""
        raise NotImplementedError


def condition_sql(condition: JoinCondition, rows: Rows, statement: StatementBuilder) -> exp.Expression:
    """One condition of a join."""
    match condition:
        case ir.Tested(node=node, test=test):
            return test_sql(test, rows.word(node), statement)
        case ir.Edge(head=head, dependent=dependent):
            return exp.EQ(this=rows.word(dependent).column("head"), expression=rows.word(head).column("id"))
        case ir.Dominates():
            return _dominates(condition, rows)
        case ir.Precedes(left=left, right=right, low=low, high=high):
            return _distance(rows.word(left).column("id"), rows.word(right).column("id"), low, high)
        case ir.Between(middle=middle, left=left, right=right):
            place, one, other = (rows.word(node).column("id") for node in (middle, left, right))
            return exp.or_(
                exp.and_(exp.LT(this=one, expression=place), exp.LT(this=place.copy(), expression=other)),
                exp.and_(
                    exp.LT(this=other.copy(), expression=place.copy()),
                    exp.LT(this=place.copy(), expression=one.copy()),
                ),
            )
        case ir.Siblings(left=left, right=right):
            head = rows.word(left).column("head")
            same = exp.EQ(this=head, expression=rows.word(right).column("head"))
            return exp.and_(same, exp.GT(this=head.copy(), expression=quote.integer(0)))
        case ir.Shares():
            shared = _shares(condition, rows, statement)
            return quote.negation(quote.false_if_null(shared)) if condition.negated else shared
        case ir.NumbersCompare():
            return _numbers(condition, rows)
        case ir.Distinct(left=left, right=right):
            return exp.NEQ(this=rows.word(left).column("id"), expression=rows.word(right).column("id"))
        case Ends(edge=edge, head=head, dependent=dependent):
            ends = rows.word(edge)
            return exp.and_(
                exp.EQ(this=ends.column("head"), expression=rows.word(head).column("id")),
                exp.EQ(this=ends.column("dep"), expression=rows.word(dependent).column("id")),
            )
    assert_never(condition)


def has_subquery(condition: JoinCondition) -> bool:
    """Whether the condition holds a sub-query, which belongs after the joins rather than in one."""
    match condition:
        case ir.Shares(left_attribute=left, right_attribute=right):
            return isinstance(left, ir.Misc) or isinstance(right, ir.Misc)
        case ir.Tested():
            return True
    return False


def _distance(left: exp.Expression, right: exp.Expression, low: int, high: int | None) -> exp.Expression:
    """`low` ≤ right − left ≤ `high`."""
    if low == high:
        shifted = exp.Add(this=left, expression=quote.integer(low)) if low else left
        return exp.EQ(this=right, expression=shifted)
    if low == 1:
        parts = [exp.LT(this=left, expression=right)]
    else:
        parts = [exp.LTE(this=exp.Add(this=left, expression=quote.integer(low)), expression=right)]
    if high is not None:
        limit = exp.Add(this=left.copy(), expression=quote.integer(high))
        parts.append(exp.LTE(this=right.copy(), expression=limit))
    return exp.and_(*parts)


def _dominates(condition: ir.Dominates, rows: Rows) -> exp.Expression:
    above, below = rows.word(condition.above), rows.word(condition.below)
    start, place = above.column("pre"), below.column("pre")
    if condition.high == 0:
        return exp.EQ(this=place, expression=start)
    compare = exp.LTE if condition.low == 0 else exp.LT
    parts = [
        compare(this=start, expression=place),
        exp.LTE(this=place.copy(), expression=above.column("last")),
    ]
    if condition.high is not None or condition.low > 1:
        # depths say how many steps; the words in between are on one path
        parts.append(_distance(above.column("depth"), below.column("depth"), condition.low, condition.high))
    return exp.and_(*parts)


def _numbers(condition: ir.NumbersCompare, rows: Rows) -> exp.Expression:
    left = rows.word(condition.left).column(condition.left_column.name)
    right = rows.word(condition.right).column(condition.right_column.name)
    if condition.op == "!=":
        return quote.negation(quote.false_if_null(exp.EQ(this=left, expression=right)))
    return _OPERATORS[condition.op](this=left, expression=right)


def _shares(condition: ir.Shares, rows: Rows, statement: StatementBuilder) -> exp.Expression:
    """Whether two attributes have a value in common; false or NULL where they have not."""
    left, right = rows.word(condition.left), rows.word(condition.right)
    match condition.left_attribute, condition.right_attribute:
        case ir.Misc(key=one), ir.Misc(key=other):
            return _both_in_misc((left, one), (right, other))
        case ir.Misc(key=key), attribute:
            return _in_misc(left, key, _value(right, attribute))
        case attribute, ir.Misc(key=key):
            return _in_misc(right, key, _value(left, attribute))
        case one_attribute, other_attribute:
            return _common_value(_value(left, one_attribute), _value(right, other_attribute), statement)


@dataclass(frozen=True)
class _Value:
    """An attribute's column; one that `splits` stands for its parts between commas."""

    column: exp.Expression
    splits: bool

    @property
    def parts(self) -> exp.Expression:
        return exp.Split(this=self.column, expression=quote.string(","))


def _value(row: Row, attribute: ir.Strings) -> _Value:
    match attribute:
        case ir.Column(name=name):
            return _Value(row.column(name), splits=False)
        case ir.Feature(name=name):
            return _Value(row.column(f"feat_{name}"), splits=True)
    raise AssertionError(f"{attribute} is no column of a word")


def _common_value(left: _Value, right: _Value, statement: StatementBuilder) -> exp.Expression:
    match left.splits, right.splits:
        case False, False:
            return exp.EQ(this=left.column, expression=right.column)
        case True, True:
            return statement.overlap(left.parts, right.parts)
        case True, False:
            return exp.ArrayContains(this=left.parts, expression=right.column)
    return exp.ArrayContains(this=right.parts, expression=left.column)


def _in_misc(row: Row, key: str, value: _Value) -> exp.Expression:
    """Whether a word has, under a key of MISC, the value (or a part of it)."""
    listed = quote.column("m", "value")
    has_key = exp.EQ(this=quote.column("m", "key"), expression=quote.string(key))
    if not value.splits:
        wanted = [row.column("sid"), row.column("id"), value.column]
        query = exp.select(quote.column("m", "sid"), quote.column("m", "id"), listed)
        return _among(wanted, query.from_(quote.table("misc", "m")).where(has_key))
    same = [exp.EQ(this=quote.column("m", name), expression=row.column(name)) for name in ("sid", "id")]
    query = exp.select(exp.Literal.number("1")).from_(quote.table("misc", "m"))
    return exp.Exists(this=query.where(*same, has_key, exp.ArrayContains(this=value.parts, expression=listed)))


def _both_in_misc(left: tuple[Row, str], right: tuple[Row, str]) -> exp.Expression:
    """Whether two words have a value in common under a key of MISC each.

    The pairs of words of a sentence that have are listed once; a sub-query for each pair of rows would not do.
    """
    wanted = [left[0].column("sid"), left[0].column("id"), right[0].column("id")]
    same = [exp.EQ(this=quote.column("m", name), expression=quote.column("o", name)) for name in ("sid", "value")]
    keys = [
        exp.EQ(this=quote.column(alias, "key"), expression=quote.string(key))
        for alias, key in (("m", left[1]), ("o", right[1]))
    ]
    query = exp.select(quote.column("m", "sid"), quote.column("m", "id"), quote.column("o", "id"))
    query = query.from_(quote.table("misc", "m")).join(quote.table("misc", "o"), on=exp.and_(*same))
    return _among(wanted, query.where(*keys))


def _among(values: list[exp.Expression], query: exp.Select) -> exp.Expression:
    return exp.In(this=exp.Tuple(expressions=values), query=exp.Subquery(this=query))
