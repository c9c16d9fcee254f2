"""JSON Lines: a file, or a folder with a file for each paradigm (BLiMP)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from runner.readers import parse_json
from runner.score.suites.csv_rows import line_error
from runner.score.suites.pair import Pair, non_empty, pair_of, suite_text

NAME = ".jsonl"


def claims(path: Path) -> bool:
    """Return whether a path is a JSON Lines file or a folder of such files."""
    if path.is_dir():
        return any(path.glob("*.jsonl"))
    return path.suffix.lower() in (".jsonl", ".json")


def pairs(path: Path) -> Iterator[Pair]:
    """Yield the pairs of the file, or of the folder's files in order. Raises InputError (FICT811, 812)."""
    for file in sorted(path.glob("*.jsonl")) if path.is_dir() else [path]:
        text = suite_text(file)
        yield from non_empty(file, (pair_of(file, text, line, record) for line, record in _records(file, text)))


def _records(path: Path, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):  # splitlines would also split at U+2028 within a string
        if not line.strip():
            continue
        try:
            record = parse_json(line)
        except json.JSONDecodeError as error:
            raise line_error(path, text, number, f"it is not JSON ({error.msg}, column {error.colno})") from error
        if not isinstance(record, dict):
            raise line_error(path, text, number, "it is not a JSON object")
        yield number, record
