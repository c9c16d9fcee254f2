"""Tests of one word or sentence to SQL conditions that are true exactly where the two-valued test is.

A condition may be NULL where the test is false, never where it is true; a negated test is written so that an
absent value makes it true. NOT is pushed down to the simple tests, which keeps that rule simple.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from sqlglot import exp

from fictdsl.plan.sorted_copies import in_lower_case
from fictdsl.semantics import ir
from fictdsl.sql import quote
from fictdsl.sql.context import Row, StatementBuilder, TableRow
from fictdsl.sql.phrases import phrase_table
from fictdsl.sql.raw import has_part
from fictdsl.sql.regex import part_pattern, pattern

_OPERATORS = {"=": exp.EQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE}


def conjuncts(tests: Iterable[ir.Test], row: Row, statement: StatementBuilder) -> list[exp.Expression]:
    """The parts of a WHERE clause that are all true exactly where all the tests hold."""
    parts: list[exp.Expression] = []
    for test in tests:
        match test:
            case ir.All(tests=inner):
                parts += conjuncts(inner, row, statement)
            case ir.OneOf(attribute=ir.Column(name=name), values=values) if values:
                small = in_lower_case(test)
                if small is not None and small[0] == row.by:
                    parts.append(statement.among(row.column(small[0]), small[1], in_order=True))
                parts.append(statement.among(row.column(name), values, in_order=name == row.by))
            case _:
                parts.append(test_sql(test, row, statement))
    return parts


def test_sql(test: ir.Test, row: Row, statement: StatementBuilder, *, holds: bool = True) -> exp.Expression:
    """True exactly where the test holds (or, with `holds` false, does not)."""
    match test:
        case ir.Not(test=inner):
            return test_sql(inner, row, statement, holds=not holds)
        case ir.All(tests=tests) | ir.Any(tests=tests):
            parts = [test_sql(part, row, statement, holds=holds) for part in tests]
            return quote.all_of(parts) if isinstance(test, ir.All) == holds else quote.any_of(parts)
        case ir.Bears(labels=labels):
            return label_sql(labels, row.column("deprel"), holds=holds)
        case ir.Phrase(values=values, lower=lower):
            found = exp.false()
            if values:
                name = phrase_table(values, lower=lower, statement=statement)
                found = _listed(row, exp.select(quote.column("t", "sid"), quote.column("t", "id")), name)
            return found if holds else quote.negation(found)
        case ir.OneOf() | ir.Matches() | ir.Present() | ir.Compares():
            return _simple(test, row, statement, holds)
    assert_never(test)


def label_sql(labels: ir.Labels, label: exp.Expression, *, holds: bool = True) -> exp.Expression:
    """A list of relation labels; an absent label satisfies only a negated one."""
    names = sorted({*labels.plain, *labels.exact})
    parts = [quote.one_of(label, quote.strings(names))] if names else []
    parts += [exp.StartsWith(this=label.copy(), expression=quote.string(f"{name}:")) for name in labels.plain]
    return _absent_is_false(quote.any_of(parts), label, holds != labels.negated)


def _absent_is_false(part: exp.Expression, value: exp.Expression, holds: bool) -> exp.Expression:
    """`part`, which is NULL exactly where `value` is; or its negation, which holds there."""
    return part if holds else quote.or_null(value, quote.negation(part))


_Simple = ir.OneOf | ir.Matches | ir.Present | ir.Compares


def _simple(test: _Simple, row: Row, statement: StatementBuilder, holds: bool) -> exp.Expression:
    match test.attribute:
        case ir.Feature(name=name) if isinstance(test, ir.OneOf) and statement.raw and isinstance(row, TableRow):
            parts = [value for value in test.values if "," not in value]
            found = has_part(row.alias, name, parts) if parts else exp.false()
            return _absent_is_false(found, quote.column(row.alias, "feats"), holds)
        case ir.Misc(key=key) | ir.Meta(key=key):
            found = _in_long_table(test, key, row)
            return found if holds else quote.negation(found)
        case ir.Feature(name=name):
            value, split = row.column(f"feat_{name}"), True
        case ir.Column(name=name) | ir.SentenceColumn(name=name) | ir.NumberColumn(name=name):
            value, split = row.column(name), False
    if isinstance(test, ir.Present):
        present = exp.Is(this=value, expression=exp.Null())
        return exp.Not(this=present) if holds else present
    return _absent_is_false(_about(test, value, split=split), value, holds)


def _about(test: _Simple, value: exp.Expression, *, split: bool) -> exp.Expression:
    """The test of one value, or with `split` of any part between commas."""
    match test:
        case ir.OneOf(values=values):
            return _one_of_parts(value, values) if split else _one_of(value, values)
        case ir.Matches(regex=regex, ignore_case=ignore_case):
            text = (part_pattern if split else pattern)(regex, ignore_case=ignore_case)
            return exp.RegexpLike(this=value, expression=quote.string(text))
        case ir.Compares(op=op, number=number):
            literal = quote.double(number) if "." in number else quote.integer(int(number))
            return _OPERATORS[op](this=value, expression=literal)
        case ir.Present():
            return exp.true()
    assert_never(test)


def _one_of(value: exp.Expression, values: Sequence[str]) -> exp.Expression:
    return quote.one_of(value, quote.strings(values)) if values else exp.false()


def _one_of_parts(value: exp.Expression, values: Sequence[str]) -> exp.Expression:
    """Equal to one of the values, or with one of them between commas; a value with a comma is never a part."""
    whole = [part for part in values if "," not in part]
    if not whole:
        return exp.false()
    framed = quote.concat(quote.string(","), value.copy(), quote.string(","))
    several = [exp.Contains(this=framed.copy(), expression=quote.string(f",{part},")) for part in whole]
    comma = exp.Contains(this=value.copy(), expression=quote.string(","))
    return exp.or_(quote.one_of(value.copy(), quote.strings(whole)), exp.and_(comma, quote.any_of(several)))


def _in_long_table(test: _Simple, key: str, row: Row) -> exp.Expression:
    """A test of the values of a MISC key or a comment: whether some row of the long table passes."""
    where = [exp.EQ(this=quote.column("t", "key"), expression=quote.string(key))]
    if isinstance(test, ir.Compares):
        compared = _OPERATORS[test.op](this=quote.column("t", "num"), expression=quote.double(test.number))
        where.append(compared)
    else:
        where.append(_about(test, quote.column("t", "value"), split=False))
    sid, id_ = quote.column("t", "sid"), quote.column("t", "id")
    if isinstance(test.attribute, ir.Meta):
        query = exp.select(sid).from_(quote.table("meta", "t")).where(*where)
        return exp.In(this=row.column("sid"), query=exp.Subquery(this=query))
    return _listed(row, exp.select(sid, id_).where(*where), "misc")


def _listed(row: Row, query: exp.Select, table: str) -> exp.Expression:
    """Whether the row's word is among those that a query (over `table` as t) lists; never NULL."""
    word = exp.Tuple(expressions=[row.column("sid"), row.column("id")])
    return exp.In(this=word, query=exp.Subquery(this=query.from_(quote.table(table, "t"))))
