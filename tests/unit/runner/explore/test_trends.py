"""Positions of values on an axis, and long tables of rates."""

from __future__ import annotations

import pytest

from runner.explore.counting import Rate, position, trend_html


@pytest.mark.parametrize(
    ("value", "expected"), [("1990", 1990.0), ("1990-07", 1990.5), ("1990-95", None), ("1990-01-32", None)]
)
def test_positions(value: str, expected: float | None) -> None:
    assert position(value) == expected


def test_the_axis_of_a_plot_covers_only_plotted_rates() -> None:
    rows = [Rate("1990", "", 1, 1000), Rate("1991", "", 2, 1000), Rate("unknown", "other", 999, 1000)]
    plot, _, _ = trend_html("year", "kind", rows).partition("<table")
    assert ">2k<" in plot and ">500k<" not in plot and "other" not in plot


def test_years_are_not_abbreviated() -> None:
    plot, _, _ = trend_html("year", "", [Rate("1990", "", 1, 1000), Rate("2000", "", 2, 1000)]).partition("<table")
    assert ">1990<" in plot and ">1992<" in plot and "at 1990:" in plot


def test_rows_that_are_left_out_are_counted() -> None:
    rows = [Rate(f"d{number}", "", 1, 10) for number in range(403)]
    assert "(3 more rows in the CSV)" in trend_html("doc", "", rows)
    assert "more rows" not in trend_html("doc", "", rows[:400])
