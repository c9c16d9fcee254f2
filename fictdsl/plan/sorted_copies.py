"""Choose the sorted copy of the `tokens` table (an index) that a scan reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fictdsl.plan.columns import condition_columns, test_columns
from fictdsl.plan.layout import Layout, SortedCopy
from fictdsl.plan.neighbours import OFFSETS, presence_checks
from fictdsl.plan.nodes import RowScan, TokenScan
from fictdsl.schema import FEATURE_PREFIX, LOWERED, Neighbour, copy_name, feature_column
from fictdsl.semantics import ir

_EXTRA_ROWS = 200_000  # rows read for a value besides its own, because row groups are read whole
_ROW_COST = 0.4  # measured cost of a row of a copy, relative to a row of `tokens`: equal values are adjacent


def sorted_copy(scan: TokenScan | RowScan, layout: Layout) -> SortedCopy | None:
    """Return the cheapest copy for a scan; None if none is cheaper than `tokens`, which is sorted by relation.

    A copy contains only words with a value in its sort column, so some test must require such a value.
    """
    if not layout.sorted_copies or layout.words is None:
        return None
    lookups = [lookup for test in _tests(scan) if (lookup := _lookup(test)) is not None]
    lowest_cost = min(
        [layout.words, *(_lookup_rows(layout, values, 0, "deprel") for by, values in lookups if by == "deprel")]
    )
    cheapest = None
    needed_columns = _columns(scan)
    for copy in layout.sorted_copies:
        for by, values in lookups:
            if by == copy.by and needed_columns <= copy.columns:
                cost = _ROW_COST * _rows_read(layout, copy, values)
                if cost < lowest_cost:
                    cheapest, lowest_cost = copy, cost
    return cheapest


def lowercase_lookup(test: ir.Test) -> tuple[str, Sequence[str]] | None:
    """Return a lowercase column and values, one of which a word must have there to pass a test of form or lemma.

    Return None for other tests and for non-ASCII values.
    """
    match test:
        case ir.OneOf(attribute=ir.Column(name="form" | "lemma" as name), values=values) if "".join(values).isascii():
            return LOWERED[name], sorted({value.lower() for value in values})
    return None


def _rows_read(layout: Layout, copy: SortedCopy, values: Sequence[str]) -> float:
    """Estimate the number of rows of a sorted copy that a lookup of values reads.

    Row groups are read whole. For a feature, all rows are read.
    """
    total = float("inf") if copy.rows is None else copy.rows
    if copy.by.startswith(FEATURE_PREFIX):  # a value may be inside a comma-separated list, which sorts elsewhere
        return total if copy.rows is not None else _lookup_rows(layout, values, 0, copy.by)
    return min(total, _lookup_rows(layout, values, _EXTRA_ROWS, copy.by))


def _lookup_rows(layout: Layout, values: Sequence[str], overhead: int, column: str) -> float:
    counts = [layout.count(column, value) for value in values]
    return sum(float("inf") if count is None else count + (overhead if count else 0) for count in counts)


def _lookup(test: ir.Test) -> tuple[str, Sequence[str]] | None:
    """Return a column and values, one of which a word must have there to pass a test.

    Subtypes of relations are ignored. Return None for a test that requires no value.
    """
    match test:
        case ir.OneOf(attribute=ir.Column(name=name), values=values):
            lowercase = lowercase_lookup(test)
            return (name, values) if lowercase is None else lowercase
        case ir.OneOf(attribute=ir.Feature(name=name), values=values):
            return feature_column(name), values
        case ir.Bears(labels=ir.Labels(plain=plain, exact=exact, negated=False, patterns=())):
            return "deprel", (*plain, *exact)
    return None


def _tests(scan: TokenScan | RowScan) -> Iterator[ir.Test]:
    """Yield the tests that the scanned word itself must satisfy."""
    match scan:
        case TokenScan(tests=tests):
            pass
        case RowScan(node=node, conditions=conditions):
            tests = tuple(
                condition.test
                for condition in conditions
                if isinstance(condition, ir.Tested) and condition.node == node
            )
    for test in tests:
        yield from test.tests if isinstance(test, ir.All) else (test,)


def _columns(scan: TokenScan | RowScan) -> set[str]:
    """Return the columns of `tokens` that a scan reads."""
    match scan:
        case TokenScan(tests=tests, columns=columns):
            return {"sid", *columns}.union(*map(test_columns, tests))
    neighbours = dict(scan.neighbours)
    node_columns = set(scan.keeps).union(*(condition_columns(condition) for condition in scan.conditions))
    token_columns = {"sid"}
    for node, column in node_columns:
        token_columns.add(_column(neighbours[node], column) if node in neighbours else column)
    for neighbour in presence_checks(scan):
        token_columns |= {_column(neighbour, "id")} | ({"n"} if neighbour in OFFSETS else set())
    return token_columns


def _column(neighbour: Neighbour, column: str) -> str:
    """Return the column of `tokens` from which a column of a neighbour is read or computed."""
    if column != "id":
        return copy_name(neighbour, column)
    return "id" if neighbour in OFFSETS else "head" if neighbour == "h" else "h_head"
