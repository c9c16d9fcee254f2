"""SQL for tests of words and sentences, and for conditions between words.

An SQL condition is true if and only if the two-valued condition is true, and false or NULL otherwise. Negation is
pushed down to the simple tests, where a negated test of an absent value is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard, assert_never

from fictdsl.plan.layout_passes import lowercase_lookup
from fictdsl.plan.nodes import Ends, JoinCondition
from fictdsl.schema import DECIMAL, feature_column
from fictdsl.semantics import ir
from fictdsl.sql.fragments import (
    Row,
    StatementBuilder,
    TableRow,
    all_of,
    any_of,
    column,
    columns,
    comparison,
    double,
    equal_columns,
    false_if_null,
    has_part,
    in_query,
    integer,
    negation,
    one_of,
    or_null,
    overlap,
    select,
    split,
    table,
    transform,
)
from fictdsl.sql.paths import crossing_sentences, edges_cross, phrase_table
from fictdsl.sql.regex import matches_empty, part_pattern, pattern
from fictdsl.sql.statement import string

LongAttribute: TypeAlias = ir.Misc | ir.Computed | ir.Meta
Rows: TypeAlias = Mapping[ir.Node, Row]  # the rows of words and of enhanced edges


# --- attributes


def is_long(attribute: ir.Strings | ir.Numbers) -> TypeGuard[LongAttribute]:
    return isinstance(attribute, ir.Misc | ir.Computed | ir.Meta)


def _table_of(attribute: LongAttribute, alias: str) -> str:
    match attribute:
        case ir.Computed(name=name):
            return table(name, alias)
        case ir.Misc():
            return table("misc", alias)
    return table("meta", alias)


def _rows_of(attribute: LongAttribute, alias: str) -> list[str]:
    return [] if isinstance(attribute, ir.Computed) else [f"{column(alias, 'key')} = {string(attribute.key)}"]


def _rows_of_word(attribute: LongAttribute, alias: str, row: Row) -> list[str]:
    keys = ("sid",) if isinstance(attribute, ir.Meta) else ("sid", "id")
    return [*(f"{column(alias, key)} = {row.column(key)}" for key in keys), *_rows_of(attribute, alias)]


def _stored_number(attribute: LongAttribute, alias: str) -> str:
    return _as_number(column(alias, "value")) if isinstance(attribute, ir.Computed) else column(alias, "num")


def _as_number(text: str) -> str:
    unsigned = f"CASE WHEN STARTS_WITH({text}, '+') THEN SUBSTRING({text}, 2) ELSE {text} END"
    is_number = rf"REGEXP_MATCHES({text}, '\A{DECIMAL}\z')"
    return f"CASE WHEN {is_number} THEN TRY_CAST({unsigned} AS DOUBLE) END"


def _extreme(attribute: ir.Strings | ir.Numbers, row: Row, *, highest: bool) -> str:
    """Return SQL for the lowest or highest number among the values of an attribute, NULL if there is none.

    Some number of one attribute is below some number of another if and only if its lowest is below the other's highest.
    """
    function = "MAX" if highest else "MIN"
    match attribute:
        case ir.NumberColumn(name=name):
            return row.column(name)
        case ir.Column(name=name) | ir.SentenceColumn(name=name):
            return _as_number(row.column(name))
        case ir.Feature(name=name):
            numbers = transform(split(row.column(feature_column(name))), "x", _as_number('"x"'))
            return f"LIST_{function}({numbers})"
        case ir.Misc() | ir.Computed() | ir.Meta():
            number = f"{function}({_stored_number(attribute, 'm')})"
            return f"({select([number], _table_of(attribute, 'm'), *_rows_of_word(attribute, 'm', row))})"


@dataclass(frozen=True)
class _Value:
    """The column of an attribute. If it `splits`, it is a comma-separated list of values."""

    column: str
    splits: bool

    @property
    def parts(self) -> str:
        return split(self.column)


def _value(row: Row, attribute: ir.Strings) -> _Value:
    match attribute:
        case ir.Column(name=name):
            return _Value(row.column(name), splits=False)
        case ir.Feature(name=name):
            return _Value(row.column(feature_column(name)), splits=True)
    raise AssertionError(f"{attribute} is not a column of a word")


# --- tests


def conjuncts(tests: Iterable[ir.Test], row: Row, builder: StatementBuilder) -> list[str]:
    conditions: list[str] = []
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


def test_sql(test: ir.Test, row: Row, builder: StatementBuilder, *, holds: bool = True) -> str:
    """Return SQL that is true if and only if the test holds, or with `holds` false, if it does not hold."""
    match test:
        case ir.Not(test=negated_test):
            return test_sql(negated_test, row, builder, holds=not holds)
        case ir.All(tests=tests) | ir.Any(tests=tests):
            conditions = [test_sql(part, row, builder, holds=holds) for part in tests]
            return all_of(conditions) if isinstance(test, ir.All) == holds else any_of(conditions)
        case ir.Bears(labels=labels):
            return label_sql(labels, row.column("deprel"), builder, holds=holds)
        case ir.Phrase(values=values, lower=lower):
            begins = "FALSE"
            if values:
                phrases = table(phrase_table(values, lower=lower, builder=builder), "t")
                begins = _is_word_of(row, phrases)
            return begins if holds else negation(begins)
        case ir.Projective():
            crosses = in_query([row.column("sid")], crossing_sentences(builder))
            return negation(crosses) if holds else crosses
        case ir.OneOf() | ir.Matches() | ir.Contains() | ir.Present() | ir.Compares():
            return _simple_sql(test, row, builder, holds)
    assert_never(test)


def label_sql(labels: ir.Labels, label: str, builder: StatementBuilder, *, holds: bool = True) -> str:
    """Return the test of a relation label as SQL. An absent label satisfies only a negated list."""
    names = sorted({*labels.plain, *labels.exact})
    conditions = [one_of(label, names)] if names else []
    conditions += [f"STARTS_WITH({label}, {string(f'{name}:')})" for name in labels.plain]
    for label_pattern in labels.patterns:
        text = pattern(label_pattern.regex, ignore_case=label_pattern.ignore_case)
        conditions.append(builder.match_condition(label, text, may_be_empty=matches_empty(label_pattern.regex)))
    return _negated_unless(any_of(conditions), label, holds != labels.negated)


def _negated_unless(condition: str, value: str, holds: bool) -> str:
    """Return `condition`, or its negation if `holds` is false. If `value` is NULL, the negation is true."""
    return condition if holds else or_null(value, negation(condition))


_SimpleTest = ir.OneOf | ir.Matches | ir.Contains | ir.Present | ir.Compares


def _simple_sql(test: _SimpleTest, row: Row, builder: StatementBuilder, holds: bool) -> str:
    match test.attribute:
        case ir.Feature() | ir.Column() | ir.SentenceColumn() if isinstance(test, ir.Compares):
            number = _extreme(test.attribute, row, highest=test.op in (">", ">="))
            return _negated_unless(comparison(test.op, number, double(test.number)), number, holds)
        case ir.Feature(name=name) if isinstance(test, ir.OneOf) and builder.layout.raw and isinstance(row, TableRow):
            single_values = [value for value in test.values if "," not in value]
            has_value = has_part(row.alias, name, single_values) if single_values else "FALSE"
            return _negated_unless(has_value, column(row.alias, "feats"), holds)
        case ir.Misc() | ir.Computed() | ir.Meta():
            exists = _in_long_table(test, test.attribute, row, builder)
            return exists if holds else negation(exists)
        case ir.Feature(name=name):
            value, splits = row.column(feature_column(name)), True
        case ir.Column(name=name) | ir.SentenceColumn(name=name) | ir.NumberColumn(name=name):
            value, splits = row.column(name), False
    if isinstance(test, ir.Present):
        return f"NOT {value} IS NULL" if holds else f"{value} IS NULL"
    return _negated_unless(_value_test(test, value, builder, splits=splits), value, holds)


def _value_test(test: _SimpleTest, value: str, builder: StatementBuilder, *, splits: bool) -> str:
    match test:
        case ir.OneOf(values=values):
            if splits:
                return _one_of_parts(value, values)
            return one_of(value, values) if values else "FALSE"
        case ir.Matches(regex=regex, ignore_case=ignore_case):
            text = (part_pattern if splits else pattern)(regex, ignore_case=ignore_case)
            return builder.match_condition(value, text, may_be_empty=matches_empty(regex))
        case ir.Contains():
            return _substring_condition(test, value, splits=splits)
        case ir.Compares(op=op, number=number):
            return comparison(op, value, double(number) if "." in number else integer(int(number)))
        case ir.Present():
            return "TRUE"
    assert_never(test)


def _one_of_parts(value: str, values: Sequence[str]) -> str:
    single_values = [part for part in values if "," not in part]
    if not single_values:
        return "FALSE"
    contained = [f"CONTAINS(',' || {value} || ',', {string(f',{part},')})" for part in single_values]
    is_part = all_of([f"CONTAINS({value}, ',')", any_of(contained)])
    return any_of([one_of(value, single_values), is_part])


_SUBSTRING = {"contains": "CONTAINS", "starts": "STARTS_WITH", "ends": "ENDS_WITH"}


def _substring_condition(test: ir.Contains, value: str, *, splits: bool) -> str:
    if splits and "," in test.part:
        return "FALSE"
    condition = f"{_SUBSTRING[test.at]}({value}, {string(test.part)})"
    if not splits or test.at == "contains":
        return condition
    text_at_comma = {"starts": f",{test.part}", "ends": f"{test.part},"}[test.at]
    return any_of([condition, f"CONTAINS({value}, {string(text_at_comma)})"])


def _in_long_table(test: _SimpleTest, attribute: LongAttribute, row: Row, builder: StatementBuilder) -> str:
    if isinstance(test, ir.Compares):
        condition = comparison(test.op, _stored_number(attribute, "t"), double(test.number))
    else:
        condition = _value_test(test, column("t", "value"), builder, splits=False)
    conditions, source = [*_rows_of(attribute, "t"), condition], _table_of(attribute, "t")
    if isinstance(attribute, ir.Meta):
        return in_query([row.column("sid")], select(columns("t", "sid"), source, *conditions))
    return _is_word_of(row, source, *conditions)


def _is_word_of(row: Row, source: str, *conditions: str) -> str:
    """Return the condition that the row's word is in a table aliased `t`, where conditions hold. Never NULL."""
    return in_query([row.column("sid"), row.column("id")], select(columns("t", "sid", "id"), source, *conditions))


# --- conditions between words


def condition_sql(condition: JoinCondition, rows: Rows, builder: StatementBuilder) -> str:
    """Return an SQL condition on the rows of its nodes. `builder` collects what the SQL reads besides them."""

    def ids(*nodes: ir.Node) -> list[str]:
        return [rows[node].column("id") for node in nodes]

    match condition:
        case ir.Tested(node=node, test=test):
            return test_sql(test, rows[node], builder)
        case ir.Edge(head=head, dependent=dependent):
            return f"{rows[dependent].column('head')} = {rows[head].column('id')}"
        case ir.Dominates():
            return _dominance(condition, rows)
        case ir.Precedes(left=left, right=right, low=low, high=high):
            left_id, right_id = ids(left, right)
            return _distance(left_id, right_id, low, high)
        case ir.Between(middle=middle, left=left, right=right):
            middle_id, left_id, right_id = ids(middle, left, right)
            orders = [f"{left_id} < {middle_id}", f"{middle_id} < {right_id}"]
            other_orders = [f"{right_id} < {middle_id}", f"{middle_id} < {left_id}"]
            return any_of([all_of(orders), all_of(other_orders)])
        case ir.Siblings(left=left, right=right):
            head_id = rows[left].column("head")
            return all_of([f"{head_id} = {rows[right].column('head')}", f"{head_id} > 0"])
        case ir.Crossing(left=left, right=right):
            return edges_cross(rows[left], rows[right])
        case ir.Shares(negated=negated):
            share_value = _shared_value(condition, rows)
            return negation(false_if_null(share_value)) if negated else share_value
        case ir.NumbersCompare(left=left, left_column=left_column, op=op, right=right, right_column=right_column):
            numbers = rows[left].column(left_column.name), rows[right].column(right_column.name)
            return negation(false_if_null(comparison("=", *numbers))) if op == "!=" else comparison(op, *numbers)
        case ir.SumCompares(terms=terms, op=op, number=number):
            return comparison(op, _sum(terms, rows), integer(number))
        case ir.InRows(negated=negated):
            membership = _row_membership(condition, rows, builder) if condition.rows else "FALSE"
            return negation(false_if_null(membership)) if negated else membership
        case ir.Ordered(left=left, left_attribute=first, op=op, right=right, right_attribute=second):
            highest = op in (">", ">=")  # NULL if one attribute has no number
            left_number = _extreme(first, rows[left], highest=highest)
            return comparison(op, left_number, _extreme(second, rows[right], highest=not highest))
        case ir.Distinct(left=left, right=right):
            return comparison("!=", *ids(left, right))
        case Ends(edge=edge, head=head, dependent=dependent):
            head_id, dependent_id = ids(head, dependent)
            ends = [f"{rows[edge].column('head')} = {head_id}", f"{rows[edge].column('dep')} = {dependent_id}"]
            return all_of(ends)
    assert_never(condition)


def has_subquery(condition: JoinCondition) -> bool:
    """Return whether a condition may contain a subquery, which belongs in WHERE rather than in a join condition."""
    match condition:
        case ir.Shares() | ir.Ordered():
            return is_long(condition.left_attribute) or is_long(condition.right_attribute)
        case ir.Tested() | ir.InRows():
            return True
    return False


def _distance(left: str, right: str, low: int, high: int | None) -> str:
    if low == high:
        return f"{right} = {left} + {integer(low)}" if low else f"{right} = {left}"
    conditions = [f"{left} < {right}" if low == 1 else f"{left} + {integer(low)} <= {right}"]
    if high is not None:
        conditions.append(f"{right} <= {left} + {integer(high)}")
    return all_of(conditions)


def _dominance(condition: ir.Dominates, rows: Rows) -> str:
    above, below = rows[condition.above], rows[condition.below]
    position, position_below = above.column("pre"), below.column("pre")
    if condition.high == 0:
        return f"{position_below} = {position}"
    conditions = [f"{position} {'<=' if condition.low == 0 else '<'} {position_below}"]
    conditions.append(f"{position_below} <= {above.column('last')}")
    if condition.high is not None or condition.low > 1:
        # The difference of depths is the number of steps.
        conditions.append(_distance(above.column("depth"), below.column("depth"), condition.low, condition.high))
    return all_of(conditions)


def _sum(terms: Sequence[tuple[int, ir.Measure]], rows: Rows) -> str:
    total = ""
    for factor, measure in terms:
        sign = (" - " if factor < 0 else " + ") if total else ("-" if factor < 0 else "")
        multiplier = "" if abs(factor) == 1 else f"{integer(abs(factor))} * "
        total += f"{sign}{multiplier}{_measure(measure, rows)}"
    return total


def _measure(measure: ir.Measure, rows: Rows) -> str:
    match measure:
        case ir.SubtreeLength(node=node):
            return f"({rows[node].column('last')} - {rows[node].column('pre')} + 1)"
        case ir.Distance(left=left, right=right):
            first, second = rows[left].column("id"), rows[right].column("id")
            return f"ABS({first} - {f'({second})' if '+' in second else second})"  # `id + 1` of a neighbour
    assert_never(measure)


def _shared_value(condition: ir.Shares, rows: Rows) -> str:
    """Return the condition that two attributes have a value in common. It is false or NULL if they have none."""
    left, right = rows[condition.left], rows[condition.right]
    left_attribute, right_attribute = condition.left_attribute, condition.right_attribute
    if is_long(left_attribute):
        if is_long(right_attribute):
            return _both_in_tables((left, left_attribute), (right, right_attribute))
        return _in_table(left, left_attribute, _value(right, right_attribute))
    if is_long(right_attribute):
        return _in_table(right, right_attribute, _value(left, left_attribute))
    values = _value(left, left_attribute), _value(right, right_attribute)
    splitting = [value.parts for value in values if value.splits]
    single = [value.column for value in values if not value.splits]
    if len(splitting) == 1:
        return f"ARRAY_CONTAINS({splitting[0]}, {single[0]})"
    return overlap(*splitting) if splitting else comparison("=", *single)


def _in_table(row: Row, attribute: LongAttribute, value: _Value) -> str:
    source = _table_of(attribute, "m")
    if not value.splits:
        query = select(columns("m", "sid", "id", "value"), source, *_rows_of(attribute, "m"))
        return in_query([row.column("sid"), row.column("id"), value.column], query)
    has_value = f"ARRAY_CONTAINS({value.parts}, {column('m', 'value')})"
    return f"EXISTS({select(['1'], source, *_rows_of_word(attribute, 'm', row), has_value)})"


def _both_in_tables(left: tuple[Row, LongAttribute], right: tuple[Row, LongAttribute]) -> str:
    """Return the condition that two words share a value, by one subquery of all such pairs: per row is too slow."""
    on = all_of(equal_columns(("sid", "value"), "m", "o"))
    join = f"{_table_of(left[1], 'm')} JOIN {_table_of(right[1], 'o')} ON {on}"
    conditions = [*_rows_of(left[1], "m"), *_rows_of(right[1], "o")]
    query = select([*columns("m", "sid", "id"), column("o", "id")], join, *conditions)
    return in_query([left[0].column("sid"), left[0].column("id"), right[0].column("id")], query)


def _row_membership(condition: ir.InRows, rows: Rows, builder: StatementBuilder) -> str:
    """Return the condition that the values are a row of the list. It is NULL or false if an attribute is absent."""
    values: list[_Value] = []
    tables: list[str] = []
    conditions: list[str] = []
    for attribute, node in zip(condition.attributes, condition.nodes, strict=True):
        if is_long(attribute):
            alias = f"m{len(tables)}"
            tables.append(_table_of(attribute, alias))
            conditions += _rows_of_word(attribute, alias, rows[node])
            values.append(_Value(column(alias, "value"), splits=False))
        else:
            values.append(_value(rows[node], attribute))
    is_in_list = _list_condition(values, condition.rows, builder)
    return f"EXISTS({select(['1'], ' CROSS JOIN '.join(tables), *conditions, is_in_list)})" if tables else is_in_list


def _list_condition(values: Sequence[_Value], rows: Sequence[str], builder: StatementBuilder) -> str:
    joined = " || '\t' || ".join(f'"x{index}"' if value.splits else value.column for index, value in enumerate(values))
    if not any(value.splits for value in values):
        return builder.membership(joined, rows)
    combinations = f"[{joined}]"
    for index, value in enumerate(values):
        if value.splits:
            combinations = f"FLATTEN({transform(value.parts, f'x{index}', combinations)})"
    return overlap(combinations, builder.array(rows))
