"""What becomes part of a statement means what it meant before."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fictdsl.sql import fragments, statement

WRITABLE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


def selected(value: str) -> object:
    with duckdb.connect() as connection:
        rows = connection.execute(f"SELECT {value}").fetchall()
    assert len(rows) == 1
    return rows[0][0]


@given(WRITABLE)
def test_texts(value: str) -> None:
    assert selected(statement.string(value)) == value


@pytest.mark.parametrize("value", [0, 1, -1, 2**31, -(2**40)])
def test_integers(value: int) -> None:
    assert selected(fragments.integer(value)) == value


def test_integers_beyond_any_column_are_cut() -> None:
    assert selected(fragments.integer(10**30)) == 2**62
    assert selected(fragments.integer(-(10**30))) == -(2**62)


@pytest.mark.parametrize("value", ["0.5", "-2.25", "12345678901234567890.5", "9" * 400])
def test_doubles(value: str) -> None:
    assert selected(fragments.double(value)) == float(value)


def test_empty_conditions() -> None:
    assert selected(fragments.all_of([])) is True
    assert selected(fragments.any_of([])) is False


@pytest.mark.parametrize(("written", "meant"), [("NULL", False), ("TRUE", True), ("FALSE", False)])
def test_two_values(written: str, meant: bool) -> None:
    assert selected(fragments.false_if_null(written)) is meant
    assert selected(fragments.or_null(written, fragments.negation(written))) is not meant
