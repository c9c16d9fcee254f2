"""Conditions between words to SQL conditions that are true exactly where the two-valued condition is."""

from __future__ import annotations

from typing import assert_never

from sqlglot import exp

from fictdsl.plan.nodes import Ends, JoinCondition
from fictdsl.semantics import ir
from fictdsl.sql import quote
from fictdsl.sql.context import Gathered, Row
from fictdsl.sql.tests import test_sql

_OPERATORS = {"=": exp.EQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE}


class Rows:
    """Where the words of all nodes of a join are found; subclassed by the emitter."""

    def word(self, node: ir.Node) -> Row:
        """The word bound to a node (or the enhanced edge)."""
        raise NotImplementedError


def condition_sql(condition: JoinCondition, rows: Rows, statement: Gathered) -> exp.Expression:
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


def needs_a_query(condition: JoinCondition) -> bool:
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


def _shares(condition: ir.Shares, rows: Rows, statement: Gathered) -> exp.Expression:
    """Whether two attributes have a value in common; false or NULL where they have not."""
    sides = [(condition.left, condition.left_attribute), (condition.right, condition.right_attribute)]
    where: list[exp.Expression] = []
    tables: list[exp.Expression] = []
    values: list[tuple[exp.Expression, bool]] = []
    for number, (node, attribute) in enumerate(sides):
        row = rows.word(node)
        match attribute:
            case ir.Column(name=name):
                values.append((row.column(name), False))
            case ir.Feature(name=name):
                values.append((row.column(f"feat_{name}"), True))
            case ir.Misc(key=key):
                alias = f"m{number}"
                tables.append(quote.table("misc", alias))
                where += [exp.EQ(this=quote.column(alias, name), expression=row.column(name)) for name in ("sid", "id")]
                where.append(exp.EQ(this=quote.column(alias, "key"), expression=quote.text(key)))
                values.append((quote.column(alias, "value"), False))
            case _:
                raise AssertionError(f"{attribute} is no attribute of a word")
    equal = _common_value(values, statement)
    if not tables:
        return equal
    query = exp.select(exp.Literal.number("1")).from_(tables[0])
    for table in tables[1:]:
        query = query.join(table, join_type="cross")
    return exp.Exists(this=query.where(*where, equal))


def _common_value(values: list[tuple[exp.Expression, bool]], statement: Gathered) -> exp.Expression:
    """Whether two values are equal; one marked as split stands for its parts between commas."""
    (left, left_splits), (right, right_splits) = values
    if not left_splits and not right_splits:
        return exp.EQ(this=left, expression=right)
    if left_splits and right_splits:
        return statement.overlap(_parts(left), _parts(right))
    splitting, single = (left, right) if left_splits else (right, left)
    return exp.ArrayContains(this=_parts(splitting), expression=single)


def _parts(value: exp.Expression) -> exp.Expression:
    return exp.Split(this=value, expression=quote.text(","))
