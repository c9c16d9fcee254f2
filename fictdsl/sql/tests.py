"""SQL for the attributes of words and sentences, and for tests of them.

An SQL condition is true if and only if the two-valued test is true.
A condition may be NULL if the test is false. Negation is pushed down to the simple tests, where a negated test of an
absent value is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard, assert_never

from sqlglot import exp

from fictdsl.plan.columns import OFFSETS
from fictdsl.plan.layout_passes import lowercase_lookup
from fictdsl.schema import Neighbour, copy_name, feature_column
from fictdsl.semantics import ir
from fictdsl.sql import fragments
from fictdsl.sql.fragments import Row, StatementBuilder, TableRow, has_part
from fictdsl.sql.paths import crossing_sentences, phrase_table
from fictdsl.sql.regex import matches_empty, part_pattern, pattern

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
