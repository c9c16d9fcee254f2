"""Tables with the columns good and bad, or with BLiMP's names; commas, semicolons or tabs separate them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from runner.score.suite_files import BAD, GOOD, Pair, csv_records, is_table, non_empty, pair_of, suite_text

NAME = ".csv, .tsv"


def claims(path: Path) -> bool:
    return is_table(path)


def pairs(path: Path) -> Iterator[Pair]:
    """Yield the pairs of the rows. Raises InputError (FICT811, 812)."""
    text = suite_text(path)
    records = csv_records(path, text, (GOOD[::-1], BAD[::-1]))
    yield from non_empty(path, (pair_of(path, text, line, record) for line, record in records))
