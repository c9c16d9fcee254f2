"""Which words a row tells of, and when it must be asked whether they are there."""

from __future__ import annotations

import pytest

from fictdsl.plan.build import build
from fictdsl.plan.nodes import RowScan, are_readable, neighbour_words, presence_checks
from fictdsl.plan.passes import optimize
from fictdsl.schema import Layout, Neighbour
from fictdsl.semantics import ir
from tests.support.tables import COPIES
from tests.unit.fictdsl.semantics.test_lower import lowered


def test_near_words_follow_edges_up_and_order_on() -> None:
    conditions = (ir.Edge(1, 0), ir.Edge(2, 1), ir.Edge(3, 2), ir.Precedes(0, 4, 1, 1), ir.Precedes(4, 5, 2, 2))
    assert neighbour_words(0, conditions) == [(1, "h"), (2, "hh"), (4, "n"), (5, "n3")]
    assert neighbour_words(5, conditions) == []  # nothing is copied from words before


def test_what_may_lie_further_away_is_not_near() -> None:
    assert neighbour_words(0, (ir.Precedes(0, 1, 1, 2), ir.Precedes(0, 2, 4, 4), ir.Dominates(3, 0, 1, None))) == []


@pytest.mark.parametrize(
    ("columns", "place", "copies", "there"),
    [
        ({"id"}, "h", set(), True),  # the id of the head is the word's own column
        ({"id"}, "hh", set(), False),
        ({"id"}, "hh", {"h_head"}, True),
        ({"id", "upos"}, "n2", {"n2_upos"}, True),
        ({"upos"}, "n2", {"n_upos"}, False),
    ],
)
def test_readable(columns: set[str], place: Neighbour, copies: set[str], there: bool) -> None:
    assert are_readable(columns, place, frozenset(copies)) is there


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("V -[nsubj]-> S", ["h"]),
        ("V:VERB -[nsubj]-> S", []),
        ("V[not upos = VERB] -[nsubj]-> S", ["h"]),
        ("V[upos = VERB or not deprel = root] -[nsubj]-> S", ["h"]),
        ("V[upos = VERB or deprel = root] -[nsubj]-> S", []),
        ("U -> V -[nsubj]-> S", ["hh"]),  # whose head has a head has a head
        ("U:VERB -> V -[nsubj]-> S", []),
        ("A < B < C", ["n2"]),
        ("A < B < C:NOUN", []),
        ("A < B:NOUN < C", ["n2"]),
    ],
)
def test_presence_is_asked_where_no_test_says_it(text: str, asked: list[Neighbour]) -> None:
    layout = Layout(copies=COPIES)
    (scan,) = optimize(build(lowered(text).ir), layout).relations
    assert isinstance(scan, RowScan)
    assert presence_checks(scan) == asked
