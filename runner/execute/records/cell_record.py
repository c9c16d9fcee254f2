"""How a cell is doing, as its own process says every few seconds in a small file, and back."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Any, Literal

from runner.errors import InputError
from runner.readers import parse_json
from runner.workspace import alive, disk_full, write_text

BEAT = 10.0  # seconds between two words of a cell that is running
SILENCE = 300.0  # seconds after which a cell on another machine, of which nothing is heard, counts as gone
INTERRUPTED = "interrupted"

State = Literal["running", "failed", "stopped", "done"]


def _task() -> str:
    """The number that Slurm gave this job, as its commands take it; nothing elsewhere."""
    array = os.environ.get("SLURM_ARRAY_JOB_ID")
    return f"{array}_{os.environ.get('SLURM_ARRAY_TASK_ID')}" if array else os.environ.get("SLURM_JOB_ID", "")


@dataclass(frozen=True, slots=True)
class Record:
    """What was last heard of the cell whose results `key` names; `at` is in seconds since 1970."""

    state: State
    key: str
    host: str = field(default_factory=platform.node)
    pid: int = field(default_factory=os.getpid)
    task: str = field(default_factory=_task)
    at: float = field(default_factory=time.time)
    error: str = ""
    last: Mapping[str, Any] = field(default_factory=dict)  # the last event

    @classmethod
    def read(cls, path: Path, key: str) -> Record | None:
        """What the file says of the cell with these results; None if it says nothing, or of others."""
        try:
            found = cls(**parse_json(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None
        return found if found.key == key else None

    def write(self, path: Path) -> None:
        """Put this in the place of what the file said before."""
        write_text(path, json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n")

    @property
    def alive(self) -> bool:
        """Whether the process that said so still runs, as far as one can know from here."""
        if self.state != "running":
            return False
        if self.host == platform.node():
            return alive(self.pid)
        return time.time() - self.at < SILENCE


class Recorder:
    """Inside the `with`, the cell runs; how the block ends is how the cell ended."""

    def __init__(self, path: Path, key: str) -> None:
        self._path = path
        self._record = Record("running", key)
        self._lock = Lock()
        self._ended = Event()

    def __enter__(self) -> Recorder:
        self._say("running")
        Thread(target=self._beat, daemon=True).start()
        return self

    def hear(self, event: Mapping[str, Any]) -> None:
        """Remember an event as the last."""
        self._record = replace(self._record, last=event)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._ended.set()
        fails = isinstance(error, Exception) and not disk_full(error)  # a full disk is no fault of the cell
        self._say("done" if error is None else "failed" if fails else "stopped", _told(error))

    def _beat(self) -> None:
        while not self._ended.wait(BEAT):
            self._say("running")

    def _say(self, state: State, error: str = "") -> None:
        with self._lock:
            if state == "running" and self._ended.is_set():
                return
            with suppress(InputError, OSError):  # a cell does not fail because nobody can be told
                replace(self._record, state=state, error=error, at=time.time()).write(self._path)


def _told(error: BaseException | None) -> str:
    match error:
        case InputError():
            return reason(error)
        case Exception():
            return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}".removesuffix(": ")
    return ""


def reason(error: InputError) -> str:
    """What is wrong, with its codes, in one line."""
    return "; ".join(f"{found.code} {found.message}" for found in error.diagnostics)
