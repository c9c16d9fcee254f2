"""Sheets are read as they were written, and mistakes in them are found with their line."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from runner.audit.sheet import COLUMNS, JUDGEMENT_COLUMN, Sheet, SheetRow, StratumSize, read_sheet
from runner.audit.strata import draw, make_sheets, partition
from runner.corpus.store import Store
from runner.errors import InputError
from tests.unit.runner.audit.test_strata import PASSIVES, store

__all__ = ["store"]

SHEET = Sheet(
    *("passive", "f" * 64, "wiki", "c" * 64, 7),
    {"matches": StratumSize(2, 5, 60), "others": StratumSize(2, 95, 940)},
    (
        SheetRow("It was, so they say, seen.", "was:2 seen:7", "a.conllu", 3, "a-3", "matches", "y", "clear"),
        SheetRow("=SUM(1) is no formula", "", "a.conllu", 5, "", "others", "n"),
        SheetRow("“Dogs”; cats\tand\tmice", "", "b.conllu", 1, "b-1", "others", "?"),
        SheetRow("Get lost", "Get:1", "b.conllu", 2, "b-2", "matches"),
    ),
)


def read(folder: Path, text: str | bytes) -> Sheet:
    path = folder / "sheet.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_sheet(path)


def edited(change: Callable[[list[dict[str, str]]], object], **options: str) -> str:
    rows = list(csv.DictReader(io.StringIO(SHEET.text())))
    change(rows)
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n", **options)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def put(row: int, column: str, value: str) -> Callable[[list[dict[str, str]]], object]:
    return lambda rows: rows[row].update({column: value})


def problem(folder: Path, change: Callable[[list[dict[str, str]]], object]) -> tuple[str, str, str | None]:
    with pytest.raises(InputError) as raised:
        read(folder, edited(change))
    (found,) = raised.value.diagnostics
    return found.code, found.message.replace(f"{folder}/", ""), found.hint


def test_a_sheet_is_read_as_written(tmp_path: Path) -> None:
    assert read(tmp_path, SHEET.text()) == SHEET
    assert SHEET.text().splitlines()[0].split(",")[-1] == "stratum", "a judge does not see the stratum first"


def test_what_spreadsheets_do_makes_no_difference(tmp_path: Path) -> None:
    assert read(tmp_path, "\ufeff" + edited(lambda rows: rows.reverse(), delimiter=";")) == SHEET
    assert read(tmp_path, SHEET.text().replace("\n", "\r\n") + "," * 16 + "\r\n") == SHEET
    assert read(tmp_path, edited(put(0, JUDGEMENT_COLUMN, " Y "))) == SHEET


@pytest.mark.parametrize(("value", "hint"), [("yes", "`y`"), ("No", "`n`"), ("1", None), ("y?", "`y`")])
def test_another_judgement(tmp_path: Path, value: str, hint: str | None) -> None:
    message = f"line 3 of sheet.csv has `{value}` in the column has construction, where y, n or ? is expected"
    expected = ("FICT871", message, hint and f"the nearest is {hint}")
    assert problem(tmp_path, put(1, JUDGEMENT_COLUMN, value)) == expected


def test_only_the_last_rows_may_be_without_a_judgement(tmp_path: Path) -> None:
    message = "line 3 of sheet.csv has nothing in the column has construction, where y, n or ? is expected"
    assert problem(tmp_path, put(1, JUDGEMENT_COLUMN, "")) == ("FICT871", message, None)
    assert len(read(tmp_path, edited(put(2, JUDGEMENT_COLUMN, ""))).judged) == 2


def test_missing_rows(tmp_path: Path) -> None:
    assert problem(tmp_path, lambda rows: rows.pop(1)) == ("FICT872", "sheet.csv lacks 1 of 4 rows: row 2", None)
    assert problem(tmp_path, lambda rows: rows.pop()) == ("FICT872", "sheet.csv lacks 1 of 4 rows: row 4", None)
    # all rows of a stratum
    found = problem(tmp_path, lambda rows: [rows.pop(2), rows.pop(1)])
    assert found == ("FICT872", "sheet.csv lacks 2 of 4 rows: rows 2; 3", None)


@pytest.mark.parametrize(
    ("row", "column", "value", "reason"),
    [
        (2, "row", "1", "row 1 occurs twice, first in line 2"),
        (2, "row", "three", "`three` in the column row is not a number"),
        (3, "words of stratum", "61", "the sizes of the stratum `matches` are not those of the rows above"),
        (3, "stratum", "match", "`match` is none of the strata matches, near misses, cue words and others"),
        (3, "filter key", "0" * 64, "its filter, corpus or seed is not that of the first row"),
        (1, "number", "", "`` in the column number is not a number"),
    ],
)
def test_rows_that_do_not_fit(tmp_path: Path, row: int, column: str, value: str, reason: str) -> None:
    code, message, _ = problem(tmp_path, put(row, column, value))
    assert code == "FICT812"
    assert message == f"line {row + 2} of sheet.csv is invalid: {reason}"


@pytest.mark.parametrize("text", ["", "row,sentence\n1,a\n", SHEET.text().splitlines()[0] + "\n"])
def test_no_sheet(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match="FICT875"):
        read(tmp_path, text)


def test_two_judges_have_the_same_rows_in_different_orders(store: Store) -> None:
    parts = partition(store, PASSIVES)
    draws = draw(store, PASSIVES, parts.strata, 50, 3)
    first, second = make_sheets(store, PASSIVES, draws, "toy", 3, 2)
    assert first.rows != second.rows
    assert sorted(first.rows, key=lambda row: row.place) == sorted(second.rows, key=lambda row: row.place)
    assert first.strata["others"].sentences == 60
    assert sum(size.rows for size in first.strata.values()) == len(first.rows) == 50
    assert first.filter_key == PASSIVES.key and first.corpus_key == store.key
    row = next(row for row in first.rows if row.stratum == "matches")
    assert (row.sentence, row.highlighted, row.word_ids) == ("it was seen", "seen:3", [3])
    again = make_sheets(store, PASSIVES, draws, "toy", 3, 1)
    assert again == [first]
