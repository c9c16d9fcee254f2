"""The event log of a run, with one JSON line per event."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from runner.workspace import LineFile

Event: TypeAlias = dict[str, Any]
Listener: TypeAlias = Callable[[Event], None]


class EventLog:
    """A thread-safe log that appends events with their time to a file and forwards them to a listener."""

    def __init__(self, path: Path, listener: Listener | None = None) -> None:
        self._file = LineFile(path)
        self._listener = listener
        self._lock = threading.Lock()

    def __call__(self, event: Event) -> None:
        """Log an event."""
        with self._lock:
            self._file.append(json.dumps({"time": round(time.time(), 3), **event}, ensure_ascii=False))
            if self._listener is not None:
                self._listener(event)

    def close(self) -> None:
        """Close the log file."""
        self._file.close()
