"""Which sorted copy of the words' rows a scan may read, and whether that is worth while."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fictdsl.plan.columns import condition_cells, test_columns
from fictdsl.plan.layout import Layout, Place, Projection, copy_name
from fictdsl.plan.near import STEPS, presence
from fictdsl.plan.nodes import RowScan, TokenScan
from fictdsl.semantics import ir


def sorted_copy(scan: TokenScan | RowScan, layout: Layout) -> Projection | None:
    """The copy in which the fewest rows need be read; None where that is the table itself, sorted by relation.

    A copy has only the words that have a value in its column, so some test must ask for one.
    """
    if not layout.projections or layout.words is None:
        return None
    tests = list(_tests(scan))
    fewest: float = layout.words
    for test in tests:
        asked = _asked(test)
        if asked is not None and asked[0] == "deprel":
            fewest = min(fewest, _rows(layout, *asked))
    best = None
    needed = _columns(scan)
    for projection in layout.projections:
        for test in tests:
            asked = _asked(test)
            if asked is None or asked[0] != projection.by or not needed <= projection.columns:
                continue
            rows = _rows(layout, *asked)
            if rows < fewest:
                best, fewest = projection, rows
    return best


def _rows(layout: Layout, column: str, values: Sequence[str]) -> float:
    known = [layout.count(column, value) for value in values]
    return sum(float("inf") if count is None else count for count in known)


def _asked(test: ir.Test) -> tuple[str, Sequence[str]] | None:
    """A column of the word and the values of which a test asks one; subtypes of relations, which are few, left out."""
    match test:
        case ir.OneOf(attribute=ir.Column(name=name), values=values):
            return name, values
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
    for place in presence(scan):
        read |= {_column(place, "id")} | ({"n"} if place in STEPS else set())
    return read


def _column(place: Place, column: str) -> str:
    if column != "id":
        return copy_name(place, column)
    return "id" if place in STEPS else "head" if place == "h" else "h_head"
