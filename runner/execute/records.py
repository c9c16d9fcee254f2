"""Records of a run on disk: events, and the status of each cell."""

from __future__ import annotations

import json
import os
import platform
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from threading import Event as threading_Event
from threading import Lock, Thread
from types import TracebackType
from typing import Any, Literal, TypeAlias

from runner.errors import InputError
from runner.readers import parse_json
from runner.workspace import LineFile, alive, disk_full, write_text

Event: TypeAlias = dict[str, Any]
Listener: TypeAlias = Callable[[Event], None]


class EventLog:
    """A thread-safe log that appends events with their time to a file and forwards them to a listener."""

    def __init__(self, path: Path, listener: Listener | None = None) -> None:
        self._file = LineFile(path)
        self._listener = listener
        self._lock = threading.Lock()

    def __call__(self, event: Event) -> None:
        with self._lock:
            self._file.append(json.dumps({"time": round(time.time(), 3), **event}, ensure_ascii=False))
            if self._listener is not None:
                self._listener(event)

    def close(self) -> None:
        self._file.close()


HEARTBEAT_INTERVAL = 10.0  # seconds between updates by a running cell
HEARTBEAT_TIMEOUT = 300.0  # seconds without an update after which a cell on another machine counts as dead
INTERRUPTED = "interrupted"

State = Literal["running", "failed", "stopped", "done"]


def _slurm_task() -> str:
    """Return the job id that Slurm commands accept, or an empty string without Slurm."""
    array = os.environ.get("SLURM_ARRAY_JOB_ID")
    return f"{array}_{os.environ.get('SLURM_ARRAY_TASK_ID')}" if array else os.environ.get("SLURM_JOB_ID", "")


@dataclass(frozen=True, slots=True)
class Record:
    """The last recorded status of the cell whose results have the key `key`. `at` is a Unix timestamp."""

    state: State
    key: str
    host: str = field(default_factory=platform.node)
    pid: int = field(default_factory=os.getpid)
    task: str = field(default_factory=_slurm_task)
    at: float = field(default_factory=time.time)
    error: str = ""
    last: Mapping[str, Any] = field(default_factory=dict)  # the last event

    @classmethod
    def read(cls, path: Path, key: str | None = None) -> Record | None:
        """Read the record of a cell. Return None if it is missing or damaged, or has another key than `key`."""
        try:
            record = cls(**parse_json(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None
        return record if key in (None, record.key) else None

    def write(self, path: Path) -> None:
        """Replace the file with this record."""
        write_text(path, json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n")

    @property
    def alive(self) -> bool:
        """Whether the process is running or, on another machine, has updated the record recently."""
        if self.state != "running":
            return False
        if self.host == platform.node():
            return alive(self.pid)
        return time.time() - self.at < HEARTBEAT_TIMEOUT


class Recorder:
    """A context manager that records that a cell is running and, at exit, how it ended."""

    def __init__(self, path: Path, key: str) -> None:
        self._path = path
        self._record = Record("running", key)
        self._lock = Lock()
        self._ended = threading_Event()

    def __enter__(self) -> Recorder:
        self._write("running")
        Thread(target=self._beat, daemon=True).start()
        return self

    def record_event(self, event: Mapping[str, Any]) -> None:
        """Store an event as the last one. The next update of the record contains it."""
        self._record = replace(self._record, last=event)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._ended.set()
        # neither a full disk nor the death of the run, which reads the events of its cells, is an error of the cell
        is_stopped = not isinstance(error, Exception) or isinstance(error, BrokenPipeError) or disk_full(error)
        self._write("done" if error is None else "stopped" if is_stopped else "failed", _error_text(error))

    def _beat(self) -> None:
        while not self._ended.wait(HEARTBEAT_INTERVAL):
            self._write("running")

    def _write(self, state: State, error: str = "") -> None:
        with self._lock:
            if state == "running" and self._ended.is_set():
                return
            with suppress(InputError, OSError):  # a cell must not fail because of its record
                replace(self._record, state=state, error=error, at=time.time()).write(self._path)


def _error_text(error: BaseException | None) -> str:
    match error:
        case InputError():
            return reason(error)
        case Exception():
            return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}".removesuffix(": ")
    return ""


def reason(error: InputError) -> str:
    """Return the codes and messages of an error in one line."""
    return "; ".join(f"{problem.code} {problem.message}" for problem in error.diagnostics)
