"""Events of a training to one JSON line each, in a file that continues where a checkpoint left it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from runner.workspace import LineFile, write_text


class EventLog:
    """The file `train.jsonl`. Events after the last checkpoint are dropped at the start, since they come again."""

    def __init__(self, path: Path, keep: int) -> None:
        """Open `path` with its first `keep` lines; a torn last line goes too."""
        lines = path.read_text("utf-8").splitlines(keepends=True)[:keep] if path.is_file() else []
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
        """Append one event; it is in the file when this returns."""
        self._file.append(json.dumps(dict(event)))
        self.count += 1


def check_read_once(path: Path, rows: int) -> None:
    """That by the logged numbers the first `rows` rows were read once and as they stand; an error of ours if not.

    `rows` in a `train` event are the stretches [first, last] that were read since the event before.
    """
    events = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    read = [stretch for event in events for stretch in event.get("rows", ())]
    expected = 0
    for first, last in read:
        if first != expected:
            raise AssertionError(f"row {first} was read where row {expected} stands")
        expected = last + 1
    if expected != rows:
        raise AssertionError(f"{expected} rows were read, not {rows}")
