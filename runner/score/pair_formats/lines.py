"""A pair for each line: tables with the columns good and bad, or with BLiMP's names, and JSON Lines with such keys."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from runner.readers import parse_json
from runner.score.suite_files import (
    BAD,
    GOOD,
    Pair,
    csv_records,
    is_table,
    line_error,
    non_empty,
    pair_of,
    suite_text,
)

NAME = ".csv, .tsv, .jsonl"


def claims(path: Path) -> bool:
    return is_table(path) or (path.suffix.lower() in (".jsonl", ".json") and not path.is_dir())


def pairs(path: Path) -> Iterator[Pair]:
    text = suite_text(path)
    records = csv_records(path, text, (GOOD[::-1], BAD[::-1])) if is_table(path) else _records(path, text)
    yield from non_empty(path, (pair_of(path, text, line, record) for line, record in records))


def _records(path: Path, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):  # splitlines would also split at U+2028 within a string
        if not line.strip():
            continue
        try:
            record = parse_json(line)
        except json.JSONDecodeError as error:
            reason = f"{error.msg}, column {error.colno}" if error.doc else error.msg
            raise line_error(path, text, number, f"it is not JSON ({reason})") from error
        if not isinstance(record, dict):
            raise line_error(path, text, number, "it is not a JSON object")
        yield number, record
