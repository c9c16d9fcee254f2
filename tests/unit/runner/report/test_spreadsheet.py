"""No cell of a table is run by a spreadsheet."""

from __future__ import annotations

import csv
import io

import pytest

from runner.report.spreadsheet import cell
from runner.report.table import Column, Table, to_csv


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd|' /C calc'!A0", "@SUM(A1)", "-2+3", "\t=1", "\r=1", " =1", "-", "--", "=", "-x"]
)
def test_formulas_are_text(text: str) -> None:
    assert cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "a", "a=b", "-1", "+1.5", "-1e-05", "-inf", "'=1", "1-2", "the cat"])
def test_numbers_and_other_text_stay(text: str) -> None:
    assert cell(text) == text


def test_a_report_quotes_text_and_keeps_numbers() -> None:
    columns = tuple(Column(name, name) for name in ("text", "number", "count", "none", "truth"))
    table = Table("t", "T", columns, (("=HYPERLINK(1)", -1.5, -2, None, True), ("- no", -0.25, 0, None, False)))
    rows = list(csv.reader(io.StringIO(to_csv(table))))
    assert rows[1:] == [["'=HYPERLINK(1)", "-1.5", "-2", "", "true"], ["'- no", "-0.25", "0", "", "false"]]
