"""Which sorted copy of the words' rows a scan may read, and whether that is worth while."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fictdsl.plan.columns import condition_cells, test_columns
from fictdsl.plan.layout import Layout, Neighbour, Projection, copy_name
from fictdsl.plan.neighbours import STEPS, presence_checks
from fictdsl.plan.nodes import RowScan, TokenScan
from fictdsl.semantics import ir

_GROUP = 200_000  # rows that are read at least where one of a value is
_SHARE = 0.4  # measured: what a row costs there of what one of the table costs, since equal values stand together


def sorted_copy(scan: TokenScan | RowScan, layout: Layout) -> Projection | None:
    """The copy in which the rows that must be read cost least; None where that is the table itself, sorted by relation.

    A copy has only the words that have a value in its column, so some test must ask for one.
    """
    if not layout.projections or layout.words is None:
        return None
    asked = [each for test in _tests(scan) if (each := _asked(test)) is not None]
    fewest = min([layout.words, *(_rows(layout, values, 0, "deprel") for by, values in asked if by == "deprel")])
    best = None
    needed = _columns(scan)
    for projection in layout.projections:
        for by, values in asked:
            if by == projection.by and needed <= projection.columns:
                rows = _SHARE * _read(layout, projection, values)
                if rows < fewest:
                    best, fewest = projection, rows
    return best


def in_lower_case(test: ir.Test) -> tuple[str, Sequence[str]] | None:
    """The column in lower case and the values that a word must have there to pass a test of form or lemma."""
    match test:
        case ir.OneOf(attribute=ir.Column(name="form" | "lemma" as name), values=values) if "".join(values).isascii():
            return f"{name}_l", sorted({value.lower() for value in values})
    return None


def _read(layout: Layout, projection: Projection, values: Sequence[str]) -> float:
    """How many rows of a sorted copy are read for some values: around each its row group, of a feature all."""
    whole = float("inf") if projection.rows is None else projection.rows
    if projection.by.startswith("feat_"):  # a value may be one of several, between commas
        return whole if projection.rows is not None else _rows(layout, values, 0, projection.by)
    return min(whole, _rows(layout, values, _GROUP, projection.by))


def _rows(layout: Layout, values: Sequence[str], around: int, column: str) -> float:
    known = [layout.count(column, value) for value in values]
    return sum(float("inf") if count is None else count + (around if count else 0) for count in known)


def _asked(test: ir.Test) -> tuple[str, Sequence[str]] | None:
    """A column of the word and the values of which a test asks one; subtypes of relations, which are few, left out."""
    match test:
        case ir.OneOf(attribute=ir.Column(name=name), values=values):
            small = in_lower_case(test)
            return (name, values) if small is None else small
        case ir.OneOf(attribute=ir.Feature(name=name), values=values):
            return f"feat_{name}", values
        case ir.Bears(labels=ir.Labels(plain=plain, exact=exact, negated=False)):
            return "deprel", (*plain, *exact)
    return None


def _tests(scan: TokenScan | RowScan) -> Iterator[ir.Test]:
    """The tests of the scanned word itself that must all hold."""
    match scan:
        case TokenScan(tests=tests):
            pass
        case RowScan(node=node, conditions=conditions):
            tests = tuple(c.test for c in conditions if isinstance(c, ir.Tested) and c.node == node)
    for test in tests:
        yield from test.tests if isinstance(test, ir.All) else (test,)


def _columns(scan: TokenScan | RowScan) -> set[str]:
    """The columns of the table that the scan reads."""
    match scan:
        case TokenScan(tests=tests, columns=columns):
            return {"sid", *columns}.union(*map(test_columns, tests))
    places = dict(scan.near)
    cells = set(scan.keeps).union(*(condition_cells(condition) for condition in scan.conditions))
    read = {"sid"}
    for node, column in cells:
        read.add(_column(places[node], column) if node in places else column)
    for place in presence_checks(scan):
        read |= {_column(place, "id")} | ({"n"} if place in STEPS else set())
    return read


def _column(place: Neighbour, column: str) -> str:
    if column != "id":
        return copy_name(place, column)
    return "id" if place in STEPS else "head" if place == "h" else "h_head"
