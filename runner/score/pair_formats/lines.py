"""A pair for each line: tables with the columns good and bad, or with BLiMP's names, and JSON Lines with such keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from runner.score.suite_files import (
    BAD,
    GOOD,
    Pair,
    csv_records,
    is_table,
    json_records,
    non_empty,
    pair_of,
    suite_text,
)

NAME = ".csv, .tsv, .jsonl"


def claims(path: Path) -> bool:
    return is_table(path) or (path.suffix.lower() in (".jsonl", ".json") and not path.is_dir())


def pairs(path: Path) -> Iterator[Pair]:
    text = suite_text(path)
    records = csv_records(path, text, (GOOD[::-1], BAD[::-1])) if is_table(path) else json_records(path, text)
    yield from non_empty(path, (pair_of(path, text, line, record) for line, record in records))
