"""The log of a training run: one JSON line per event, continued from a checkpoint."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from runner.workspace import LineFile, write_text


class EventLog:
    """The file `train.jsonl`. Opening it drops events after the checkpoint, since training repeats them."""

    def __init__(self, path: Path, keep_lines: int) -> None:
        """Open `path` and truncate it to its first `keep_lines` lines."""
        lines = path.read_text("utf-8").splitlines(keepends=True)[:keep_lines] if path.is_file() else []
        write_text(path, "".join(lines))
        self.count = len(lines)
        self._file = LineFile(path)

    def __enter__(self) -> EventLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def write(self, event: Mapping[str, Any]) -> None:
        """Append an event and flush it to the file."""
        self._file.append(json.dumps(dict(event)))
        self.count += 1


def check_read_once(path: Path, rows: int) -> None:
    """Check against the log that the first `rows` rows were read once and in order.

    The key `rows` of a `train` event has the ranges [first, last] of rows read since the previous `train` event.
    Raises AssertionError if the check fails, since this is a bug.
    """
    events = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    ranges = [row_range for event in events for row_range in event.get("rows", ())]
    next_row = 0
    for first, last in ranges:
        if first != next_row:
            raise AssertionError(f"row {first} was read where row {next_row} was expected")
        next_row = last + 1
    if next_row != rows:
        raise AssertionError(f"{next_row} rows were read, not {rows}")
