"""What becomes part of a statement means what it meant before."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from fictdsl.sql import quote

WRITABLE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


def selected(value: exp.Expression) -> object:
    with duckdb.connect() as connection:
        rows = connection.execute(exp.select(value).sql(dialect="duckdb", identify=True)).fetchall()
    assert len(rows) == 1
    return rows[0][0]


@given(WRITABLE)
def test_texts(value: str) -> None:
    assert selected(quote.string(value)) == value


@pytest.mark.parametrize("value", [0, 1, -1, 2**31, -(2**40)])
def test_integers(value: int) -> None:
    assert selected(quote.integer(value)) == value


def test_integers_beyond_any_column_are_cut() -> None:
    assert selected(quote.integer(10**30)) == 2**62
    assert selected(quote.integer(-(10**30))) == -(2**62)


@pytest.mark.parametrize("value", ["0.5", "-2.25", "12345678901234567890.5", "9" * 400])
def test_doubles(value: str) -> None:
    assert selected(quote.double(value)) == float(value)


def test_empty_conditions() -> None:
    assert selected(quote.all_of([])) is True
    assert selected(quote.any_of([])) is False


@pytest.mark.parametrize(("written", "meant"), [("NULL", False), ("TRUE", True), ("FALSE", False)])
def test_two_values(written: str, meant: bool) -> None:
    value = exp.maybe_parse(written)
    assert selected(quote.false_if_null(value)) is meant
    assert selected(quote.or_null(value, quote.negation(value))) is not meant
