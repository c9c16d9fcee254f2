"""Read the rows of a suite's table, and report errors with the line that caused them.

Commas, semicolons or tabs separate the cells, whichever is most frequent in the header.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.source import Source, Span
from runner.errors import InputError

# columns that some suites have
OPTIONAL = ("UID", "paradigm", "linguistics_term", "phenomenon", "field", "pairID", "item", "rating")
_MAX_HEADER = 1 << 20  # characters
_DELIMITERS = {",": "commas", "\t": "tabs", ";": "semicolons"}
Names: TypeAlias = str | tuple[str, ...]  # the name of a column, or several names of which one is there


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a CSV file: the number of its last line (from 1), its cells and its source text."""

    line: int
    cells: list[str]
    text: str


def csv_columns(path: Path) -> list[str]:
    """Return the header of a CSV file, which empty lines may precede, or an empty list if it is missing or invalid."""
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        header = next((line for line in iter(lambda: file.readline(_MAX_HEADER), "") if line.strip()), "")
        try:
            return next(csv.reader(chain([header], file), delimiter=delimiter_of(header)), [])
        except csv.Error:
            return []  # left to the reader of the rows, which reports the error


def delimiter_of(text: str) -> str:
    """Return the character that separates the cells of a table: the most frequent one in its first line with text."""
    header = next((line for line in text.split("\n") if line.strip()), "")
    return max(_DELIMITERS, key=header.count)


def csv_records(path: Path, text: str, required: Sequence[Names]) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Yield the rows of a CSV suite as mappings by column, each with the number of its last line.

    Raises InputError as `csv_rows` does.
    """
    header, *rows = csv_rows(path, text, required)
    for row in rows:
        yield row.line, dict(zip(header.cells, row.cells, strict=False))


def csv_rows(path: Path, text: str, required: Sequence[Names]) -> Iterator[Row]:
    """Yield the header of a CSV suite, then its rows. Empty lines are skipped.

    Raises InputError: FICT811 if a required column is missing or a column that suites have occurs twice, and FICT812 if
    the CSV is invalid or a row has more cells than the header.
    """
    lines, delimiter = _lines(text), delimiter_of(text)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
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
                reason = f"it has more cells than the header; quote cells that contain {_DELIMITERS[delimiter]}"
                raise line_error(path, text, reader.line_num, reason)
            yield Row(reader.line_num, cells, row_text)
    except csv.Error as error:
        raise line_error(path, text, reader.line_num, str(error)) from error
    if columns is None:
        _check_columns(path, [], required)


def _lines(text: str) -> list[str]:
    return list(io.StringIO(text, newline=""))  # splitlines also splits at U+2028


def _check_columns(path: Path, columns: Sequence[str], required: Sequence[Names]) -> None:
    alternatives = [(names,) if isinstance(names, str) else names for names in required]
    missing = [_either(names) for names in alternatives if not set(names) & set(columns)]
    if missing:
        present_columns = f"its columns are {', '.join(columns)}" if columns else "it has no columns"
        reason = f"it has no column {' and no column '.join(missing)}; {present_columns}"
        raise InputError(diagnostic("FICT811", path=path, reason=reason))
    for names in (*alternatives, *((name,) for name in OPTIONAL)):
        if len(repeated := [column for column in columns if column in names]) > 1:
            reason = f"it has two columns {' and '.join(dict.fromkeys(repeated))}"
            raise InputError(diagnostic("FICT811", path=path, reason=reason))


def _either(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} (or {' or '.join(names[1:])})"


def line_error(path: Path, text: str, line: int, reason: str) -> InputError:
    """Return an InputError (FICT812) whose message shows the line as an excerpt."""
    lines = _lines(text)
    previous, excerpt_lines = lines[: line - 1], lines[line - 1 : line]
    start = sum(map(len, previous))
    span = Span(start, start + sum(len(shown.rstrip("\r\n")) for shown in excerpt_lines))
    return InputError(diagnostic("FICT812", Source(str(path), text, path), span, path=path, line=line, reason=reason))
