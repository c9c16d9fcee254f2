"""JSON Lines, an object for each pair."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from runner.readers import json_reason, parse_json
from runner.score.suite_files import Pair, line_error, non_empty, pair_of, suite_text

NAME = ".jsonl"


def claims(path: Path) -> bool:
    """Return whether a path is a JSON Lines file."""
    return path.suffix.lower() in (".jsonl", ".json") and not path.is_dir()


def pairs(path: Path) -> Iterator[Pair]:
    """Yield the pairs of the lines. Raises InputError (FICT811, 812)."""
    text = suite_text(path)
    yield from non_empty(path, (pair_of(path, text, line, record) for line, record in _records(path, text)))


def _records(path: Path, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):  # splitlines would also split at U+2028 within a string
        if not line.strip():
            continue
        try:
            record = parse_json(line)
        except json.JSONDecodeError as error:
            raise line_error(path, text, number, f"it is not JSON ({json_reason(error)})") from error
        if not isinstance(record, dict):
            raise line_error(path, text, number, "it is not a JSON object")
        yield number, record
