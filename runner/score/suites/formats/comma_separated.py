"""CSV files with the columns good and bad."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from runner.score.suites.csv_rows import csv_records
from runner.score.suites.pair import Pair, non_empty, pair_of, suite_text

NAME = ".csv"


def claims(path: Path) -> bool:
    """Return whether a path is a CSV file."""
    return path.suffix.lower() == ".csv" and not path.is_dir()


def pairs(path: Path) -> Iterator[Pair]:
    """Yield the pairs of the rows. Raises InputError (FICT811, 812)."""
    text = suite_text(path)
    records = csv_records(path, text, ("good", "bad"))
    yield from non_empty(path, (pair_of(path, text, line, record) for line, record in records))
