"""Read the rows of a suite's CSV file, and report errors with the line that caused them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.source import Source, Span
from runner.errors import InputError

OPTIONAL = ("paradigm", "phenomenon", "field", "rating")  # columns that some suites have


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a CSV file: the number of its last line (from 1), its cells and its source text."""

    line: int
    cells: list[str]
    text: str


def csv_columns(path: Path) -> list[str]:
    """Return the header of a CSV file, which empty lines may precede, or an empty list if it is missing or invalid."""
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        try:
            return next(filter(None, csv.reader(file)), [])
        except csv.Error:
            return []  # left to the reader of the rows, which reports the error


def csv_records(path: Path, text: str, required: Sequence[str]) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Yield the rows of a CSV suite as mappings by column, each with the number of its last line.

    Raises InputError as `csv_rows` does.
    """
    header, *rows = csv_rows(path, text, required)
    for row in rows:
        yield row.line, dict(zip(header.cells, row.cells, strict=False))


def csv_rows(path: Path, text: str, required: Sequence[str]) -> Iterator[Row]:
    """Yield the header of a CSV suite, then its rows. Empty lines are skipped.

    Raises InputError: FICT811 if a required column is missing or a column that suites have occurs twice, and FICT812 if
    the CSV is invalid or a row has more cells than the header.
    """
    lines = _lines(text)
    reader = csv.reader(lines, strict=True)
    columns: list[str] | None = None
    row_start = 0  # index of the first line of the row
    try:
        for cells in reader:
            row_text = "".join(lines[row_start : reader.line_num])
            row_start = reader.line_num
            if not cells:
                continue
            if columns is None:
                columns = cells
                _check_columns(path, columns, required)
            if len(cells) > len(columns):
                reason = "it has more cells than the header; quote cells that contain commas"
                raise line_error(path, text, reader.line_num, reason)
            yield Row(reader.line_num, cells, row_text)
    except csv.Error as error:
        raise line_error(path, text, reader.line_num, str(error)) from error
    if columns is None:
        _check_columns(path, [], required)


def _lines(text: str) -> list[str]:
    return list(io.StringIO(text, newline=""))  # splitlines also splits at U+2028


def _check_columns(path: Path, columns: Sequence[str], required: Sequence[str]) -> None:
    missing = [name for name in required if name not in columns]
    if missing:
        present_columns = f"its columns are {', '.join(columns)}" if columns else "it has no columns"
        reason = f"it has no column {' and no column '.join(missing)}; {present_columns}"
        raise InputError(diagnostic("FICT811", path=path, reason=reason))
    repeated = next((name for name in (*required, *OPTIONAL) if columns.count(name) > 1), None)
    if repeated is not None:
        raise InputError(diagnostic("FICT811", path=path, reason=f"it has two columns {repeated}"))


def line_error(path: Path, text: str, line: int, reason: str) -> InputError:
    """Return an InputError (FICT812) whose message shows the line as an excerpt."""
    lines = _lines(text)
    previous, excerpt_lines = lines[: line - 1], lines[line - 1 : line]
    start = sum(map(len, previous))
    span = Span(start, start + sum(len(shown.rstrip("\r\n")) for shown in excerpt_lines))
    return InputError(diagnostic("FICT812", Source(str(path), text, path), span, path=path, line=line, reason=reason))
