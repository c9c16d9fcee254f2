"""No cell of a table is run by a spreadsheet."""

from __future__ import annotations

import csv
import io
from operator import itemgetter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.report.long_form import COLUMNS, read_long_form
from runner.tables import Column, Table, csv_text, quote, to_csv, unquote


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+cmd|' /C calc'!A0", "@SUM(A1)", "-2+3", "\t=1", "\r=1", " =1", "-", "--", "=", "-x", "'=1", "''\t"],
)
def test_formulas_are_text(text: str) -> None:
    assert quote(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "a", "a=b", "-1", "+1.5", "-1e-05", "-inf", "'", "'a", "1-2", "the cat"])
def test_numbers_and_other_text_stay(text: str) -> None:
    assert quote(text) == text


def test_a_report_quotes_text_and_keeps_numbers() -> None:
    names = ("text", "number", "count", "none", "truth")
    columns = tuple(Column(name, name, value=itemgetter(i)) for i, name in enumerate(names))
    table = Table("t", "T", columns, (("=HYPERLINK(1)", -1.5, -2, None, True), ("- no", -0.25, 0, None, False)))
    rows = list(csv.reader(io.StringIO(to_csv(table))))
    assert rows[1:] == [["'=HYPERLINK(1)", "-1.5", "-2", "", "true"], ["'- no", "-0.25", "0", "", "false"]]


@given(st.text(st.sampled_from("'=+-@\t\r 1.e\na"), max_size=6) | st.text(max_size=6))
def test_what_was_quoted_comes_back(text: str) -> None:
    assert unquote(quote(text)) == text


@pytest.mark.parametrize("name", ["=1+1", "@SUM", "-x", "'=1", "-1", "plain"])
def test_a_table_in_long_form_comes_back(name: str, tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text(csv_text([COLUMNS, (name, name, 1, f"{name}/p", "accuracy", 0.5)]))
    (row,) = read_long_form(path).rows
    assert (row.corpus, row.arch, row.benchmark, row.value) == (name, name, f"{name}/p", 0.5)
