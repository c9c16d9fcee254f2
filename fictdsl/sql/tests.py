"""SQL for tests of a word or sentence. An SQL condition is true if and only if the two-valued test is true.

A condition may be NULL if the test is false. Negation is pushed down to the simple tests, where a negated test of an
absent value is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from sqlglot import exp

from fictdsl.plan.layout_passes import lowercase_lookup
from fictdsl.schema import feature_column
from fictdsl.semantics import ir
from fictdsl.sql import fragments
from fictdsl.sql.attributes import LongAttribute, conditions_of, extreme, stored_number, table_of
from fictdsl.sql.context import Row, StatementBuilder, TableRow, has_part
from fictdsl.sql.paths import crossing_sentences, phrase_table
from fictdsl.sql.regex import matches_empty, part_pattern, pattern


def conjuncts(tests: Iterable[ir.Test], row: Row, builder: StatementBuilder) -> list[exp.Expression]:
    """Return the conjuncts of a WHERE clause for tests that must all hold."""
    conditions: list[exp.Expression] = []
    for test in tests:
        match test:
            case ir.All(tests=inner_tests):
                conditions += conjuncts(inner_tests, row, builder)
            case ir.OneOf(attribute=ir.Column(name=name), values=values) if values:
                lowercase = lowercase_lookup(test)
                if lowercase is not None and lowercase[0] == row.sort_column:
                    conditions.append(builder.membership(row.column(lowercase[0]), lowercase[1], in_order=True))
                conditions.append(builder.membership(row.column(name), values, in_order=name == row.sort_column))
            case _:
                conditions.append(test_sql(test, row, builder))
    return conditions


def test_sql(test: ir.Test, row: Row, builder: StatementBuilder, *, holds: bool = True) -> exp.Expression:
    """Return SQL that is true if and only if the test holds, or with `holds` false, if it does not hold."""
    match test:
        case ir.Not(test=negated_test):
            return test_sql(negated_test, row, builder, holds=not holds)
        case ir.All(tests=tests) | ir.Any(tests=tests):
            conditions = [test_sql(part, row, builder, holds=holds) for part in tests]
            return fragments.all_of(conditions) if isinstance(test, ir.All) == holds else fragments.any_of(conditions)
        case ir.Bears(labels=labels):
            return label_sql(labels, row.column("deprel"), builder, holds=holds)
        case ir.Phrase(values=values, lower=lower):
            begins = exp.false()
            if values:
                name = phrase_table(values, lower=lower, builder=builder)
                begins = _word_in_result(
                    row, exp.select(fragments.column("t", "sid"), fragments.column("t", "id")), name
                )
            return begins if holds else fragments.negation(begins)
        case ir.Projective():
            crosses = exp.In(this=row.column("sid"), query=exp.Subquery(this=crossing_sentences(builder)))
            return fragments.negation(crosses) if holds else crosses
        case ir.OneOf() | ir.Matches() | ir.Contains() | ir.Present() | ir.Compares():
            return _simple_sql(test, row, builder, holds)
    assert_never(test)


def label_sql(
    labels: ir.Labels, label: exp.Expression, builder: StatementBuilder, *, holds: bool = True
) -> exp.Expression:
    """Return the test of a relation label as SQL. An absent label satisfies only a negated list."""
    names = sorted({*labels.plain, *labels.exact})
    conditions = [fragments.one_of(label, fragments.strings(names))] if names else []
    conditions += [exp.StartsWith(this=label.copy(), expression=fragments.string(f"{name}:")) for name in labels.plain]
    for label_pattern in labels.patterns:
        text = pattern(label_pattern.regex, ignore_case=label_pattern.ignore_case)
        conditions.append(builder.match_condition(label.copy(), text, may_be_empty=matches_empty(label_pattern.regex)))
    return _negated_unless(fragments.any_of(conditions), label, holds != labels.negated)


def _negated_unless(condition: exp.Expression, value: exp.Expression, holds: bool) -> exp.Expression:
    """Return `condition`, or its negation if `holds` is false. If `value` is NULL, the negation is true."""
    return condition if holds else fragments.or_null(value, fragments.negation(condition))


_SimpleTest = ir.OneOf | ir.Matches | ir.Contains | ir.Present | ir.Compares


def _simple_sql(test: _SimpleTest, row: Row, builder: StatementBuilder, holds: bool) -> exp.Expression:
    match test.attribute:
        case ir.Feature() | ir.Column() | ir.SentenceColumn() if isinstance(test, ir.Compares):
            number = extreme(test.attribute, row, highest=test.op in (">", ">="))
            compared = fragments.comparison(test.op, number, fragments.double(test.number))
            return _negated_unless(compared, number, holds)
        case ir.Feature(name=name) if isinstance(test, ir.OneOf) and builder.raw and isinstance(row, TableRow):
            single_values = [value for value in test.values if "," not in value]
            has_value = has_part(row.alias, name, single_values) if single_values else exp.false()
            return _negated_unless(has_value, fragments.column(row.alias, "feats"), holds)
        case ir.Misc() | ir.Computed() | ir.Meta():
            exists = _in_long_table(test, test.attribute, row, builder)
            return exists if holds else fragments.negation(exists)
        case ir.Feature(name=name):
            value, split = row.column(feature_column(name)), True
        case ir.Column(name=name) | ir.SentenceColumn(name=name) | ir.NumberColumn(name=name):
            value, split = row.column(name), False
    if isinstance(test, ir.Present):
        is_absent = exp.Is(this=value, expression=exp.Null())
        return exp.Not(this=is_absent) if holds else is_absent
    return _negated_unless(_value_test(test, value, builder, split=split), value, holds)


def _value_test(test: _SimpleTest, value: exp.Expression, builder: StatementBuilder, *, split: bool) -> exp.Expression:
    """Return the test of a value, or with `split`, of any part of a comma-separated list."""
    match test:
        case ir.OneOf(values=values):
            return _one_of_parts(value, values) if split else _one_of(value, values)
        case ir.Matches(regex=regex, ignore_case=ignore_case):
            text = (part_pattern if split else pattern)(regex, ignore_case=ignore_case)
            return builder.match_condition(value, text, may_be_empty=matches_empty(regex))
        case ir.Contains():
            return _substring_condition(test, value, split=split)
        case ir.Compares(op=op, number=number):
            literal = fragments.double(number) if "." in number else fragments.integer(int(number))
            return fragments.comparison(op, value, literal)
        case ir.Present():
            return exp.true()
    assert_never(test)


def _one_of(value: exp.Expression, values: Sequence[str]) -> exp.Expression:
    return fragments.one_of(value, fragments.strings(values)) if values else exp.false()


def _one_of_parts(value: exp.Expression, values: Sequence[str]) -> exp.Expression:
    """Return the SQL condition that one of the values is in a comma-separated list. Values with a comma never are."""
    single_values = [part for part in values if "," not in part]
    if not single_values:
        return exp.false()
    framed_list = fragments.concat(fragments.string(","), value.copy(), fragments.string(","))
    contained = [
        exp.Contains(this=framed_list.copy(), expression=fragments.string(f",{part},")) for part in single_values
    ]
    comma = exp.Contains(this=value.copy(), expression=fragments.string(","))
    return exp.or_(
        fragments.one_of(value.copy(), fragments.strings(single_values)), exp.and_(comma, fragments.any_of(contained))
    )


_SUBSTRING: dict[str, type[exp.Expression]] = {"contains": exp.Contains, "starts": exp.StartsWith, "ends": exp.EndsWith}


def _substring_condition(test: ir.Contains, value: exp.Expression, *, split: bool) -> exp.Expression:
    """Return the SQL condition of a substring test of a value, or with `split`, of any part of a list."""
    if split and "," in test.part:
        return exp.false()
    condition = _SUBSTRING[test.at](this=value, expression=fragments.string(test.part))
    if not split or test.at == "contains":
        return condition
    text_at_comma = {"starts": f",{test.part}", "ends": f"{test.part},"}[test.at]
    return exp.or_(condition, exp.Contains(this=value.copy(), expression=fragments.string(text_at_comma)))


def _in_long_table(test: _SimpleTest, attribute: LongAttribute, row: Row, builder: StatementBuilder) -> exp.Expression:
    """Return the SQL condition that some row of the attribute's table satisfies a test."""
    conditions = conditions_of(attribute, "t")
    if isinstance(test, ir.Compares):
        conditions.append(fragments.comparison(test.op, stored_number(attribute, "t"), fragments.double(test.number)))
    else:
        conditions.append(_value_test(test, fragments.column("t", "value"), builder, split=False))
    sid, id_ = fragments.column("t", "sid"), fragments.column("t", "id")
    if isinstance(attribute, ir.Meta):
        query = exp.select(sid).from_(fragments.table("meta", "t")).where(*conditions)
        return exp.In(this=row.column("sid"), query=exp.Subquery(this=query))
    return _word_in_result(row, exp.select(sid, id_).where(*conditions), table_of(attribute))


def _word_in_result(row: Row, query: exp.Select, table: str) -> exp.Expression:
    """Return the SQL condition that the row's word is in the result of a query (over `table` as t). Never NULL."""
    word = exp.Tuple(expressions=[row.column("sid"), row.column("id")])
    return exp.In(this=word, query=exp.Subquery(this=query.from_(fragments.table(table, "t"))))
