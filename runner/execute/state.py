"""The state of a run: records of its cells, events, and which steps are missing and why."""

from __future__ import annotations

import json
import os
import platform
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TypeAlias

from runner.errors import InputError
from runner.execute.cache import Cache, is_published
from runner.readers import parse_json
from runner.steps.plan import RunPlan, Training
from runner.steps.step import KINDS, Step
from runner.workspace import LineFile, alive, disk_full, write_text

Event: TypeAlias = dict[str, Any]
Listener: TypeAlias = Callable[[Event], None]


class EventLog:
    """A listener that appends events to a file of JSON lines with their times, and passes them on.

    Threads may share it: another listener gets one event at a time, in the order of the file. Close it last.
    """

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
        write_text(path, json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n")

    @property
    def alive(self) -> bool:
        if self.state != "running":
            return False
        if self.host == platform.node():
            return alive(self.pid)
        return time.time() - self.at < HEARTBEAT_TIMEOUT


class Recorder:
    """Keeps the record of a cell while the cell runs, as a context manager.

    The record is `running` from the start, and is rewritten every `HEARTBEAT_INTERVAL` with the last event; the exit
    writes `done`, `stopped` or `failed`, which no heartbeat overwrites. A record that cannot be written stops no cell.
    """

    def __init__(self, path: Path, key: str) -> None:
        self._path = path
        self._record = Record("running", key)
        self._lock = threading.Lock()
        self._ended = threading.Event()

    def __enter__(self) -> Recorder:
        self._write("running")
        threading.Thread(target=self._beat, daemon=True).start()
        return self

    def record_event(self, event: Mapping[str, Any]) -> None:
        self._record = replace(self._record, last=event)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._ended.set()
        # neither a full disk nor the death of the run, which reads the events of its cells, is an error of the cell
        is_stopped = not isinstance(error, Exception) or isinstance(error, BrokenPipeError) or disk_full(error)
        text = ""
        if isinstance(error, InputError):
            text = reason(error)
        elif isinstance(error, Exception):
            text = f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}".removesuffix(": ")
        self._write("done" if error is None else "stopped" if is_stopped else "failed", text)

    def _beat(self) -> None:
        while not self._ended.wait(HEARTBEAT_INTERVAL):
            self._write("running")

    def _write(self, state: State, error: str = "") -> None:
        with self._lock:
            if state == "running" and self._ended.is_set():
                return
            with suppress(InputError, OSError):  # a cell must not fail because of its record
                replace(self._record, state=state, error=error, at=time.time()).write(self._path)


def reason(error: InputError) -> str:
    return "; ".join(f"{problem.code} {problem.message}" for problem in error.diagnostics)


LOCK = "run.lock.json"
_MAX_REASONS = 3  # for a step
_KEY = re.compile("[0-9a-f]{64}")  # of a filter


# by kind of a step, what must be there before the keys of the steps that read its results are known; the last counts
_AWAITED = {
    "tokens": "the texts are encoded",
    "sample": "the sample is",
    "store": "the texts are imported",
    "tokenizer": "the tokenizer is",
    "suite": "the suites are",
    "match": "the matches are",
    "edit": "the edits are",
    "units": "the injected texts are",
    "corpus": "the corpora are",
}


@dataclass(frozen=True)
class StepState:
    """A step, whether its result is cached, and if not, why. If it `awaits` results, its key is not known before."""

    step: Step
    cached: bool
    reasons: tuple[str, ...] = ()
    key: str | None = None
    awaits: bool = False

    @property
    def reason(self) -> str:
        return "; ".join(self.reasons[:_MAX_REASONS]) + (" …" if len(self.reasons) > _MAX_REASONS else "")


def states(plan: RunPlan, cache: Cache, out: Path) -> list[StepState]:
    last_run = _last_run(out)
    filter_names = {key: compiled.name for key, compiled in plan.resolved.filters_by_key.items()}
    return [_state(step, cache, last_run.get(step.id), filter_names) for step in plan.steps()]


def write_lock(plan: RunPlan, cache: Cache, out: Path) -> None:
    content = {step.id: {"key": cache.key(step), "inputs": step.content(cache.contents(step))} for step in plan.steps()}
    write_text(out / LOCK, json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def _last_run(out: Path) -> Mapping[str, Any]:
    try:
        content = parse_json((out / LOCK).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    entries = content.items() if isinstance(content, dict) else ()
    return {step: entry for step, entry in entries if isinstance(entry, dict) and entry.keys() >= {"key", "inputs"}}


def _state(step: Step, cache: Cache, previous: Mapping[str, Any] | None, filter_names: Mapping[str, str]) -> StepState:
    key = cache.key(step)
    if cache.has(step):
        return StepState(step, True, key=key)
    if previous is None:
        return StepState(step, False, ("new",), key)
    if key is not None and previous["key"] == key:
        return StepState(step, False, ("its result is missing or damaged",), key)
    reasons = _reasons(step, cache.contents(step), previous["inputs"], filter_names)
    if reasons or key is not None:
        return StepState(step, False, reasons or ("new",), key)
    missing = set(_missing_kinds(step, cache))  # the reason names the kind that is made last
    awaited = next(phrase for kind, phrase in reversed(_AWAITED.items()) if kind in missing)
    return StepState(step, False, (f"known once {awaited}",), awaits=True)


def _missing_kinds(step: Step, cache: Cache) -> Iterator[str]:
    for label, content in cache.contents(step).items():
        if content is None:
            need = step.needs[label]
            if not KINDS[need.kind].in_cell:
                yield need.kind
            yield from _missing_kinds(need, cache)


@dataclass(frozen=True, slots=True)
class Change:
    """A difference in the content of a step, at a path of keys. `values` are those before and after."""

    path: tuple[str, ...]
    verb: Literal["is new", "was removed", "changed"]
    values: tuple[Any, Any] = (None, None)

    @property
    def of_filter(self) -> bool:
        return _KEY.fullmatch(self.path[-1]) is not None

    def sentence(self, filter_names: Mapping[str, str]) -> str:
        subject, (old, new) = ".".join(self.path).removeprefix("inputs."), self.values
        if self.of_filter:
            kind = "matches of" if self.verb == "changed" else "filter"
            unnamed = "matches" if self.verb == "changed" else "a filter"
            name = filter_names.get(self.path[-1])
            return f"{f'{kind} {name}' if name else unnamed} {self.verb}"
        if isinstance(new, (int, float, str, bool)) and len(str(new)) <= 32 and len(str(old)) <= 32:
            return f"{subject}: {old} → {new}"
        return f"{subject.removeprefix('needs.') if self.verb == 'changed' else subject} {self.verb}"


def _reasons(
    step: Step, contents: Mapping[str, str | None], previous: Mapping[str, Any], filter_names: Mapping[str, str]
) -> tuple[str, ...]:
    """Return what has changed since the last run, without what follows from other changes.

    Results that are missing may come out the same: they are ignored. An edit makes a filter new and removes one.
    """
    last_contents = previous.get("needs", {})
    compared = {label: content or last_contents.get(label) for label, content in contents.items()}
    changes = list(_changes(previous, parse_json(json.dumps(step.content(compared)))))
    filters = [change for change in changes if change.of_filter]
    new = [change for change in filters if change.verb == "is new"]
    removed = [each for each in filters if each.verb == "was removed" and each.path[-1] not in filter_names]
    is_edit = len(new) == len(removed) == 1
    ignored = [("inputs", "all"), *([("inputs", "do", "filters")] if new or removed else [])]
    ignored += [change.path for change in removed if is_edit]
    reasons = dict.fromkeys(
        change.sentence(filter_names) + (" or changed" if is_edit and change in new else "")
        for change in changes
        if change.path not in ignored
    )
    is_of_another = any(change.path == ("inputs", "all") for change in changes)
    return tuple(reasons) or ("another condition changed",) * is_of_another


def _changes(old: Any, new: Any, path: tuple[str, ...] = ()) -> Iterator[Change]:
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted(old.keys() | new.keys()):
            nested_path = (*path, name)
            if name not in old:
                yield Change(nested_path, "is new")
            elif name not in new:
                yield Change(nested_path, "was removed")
            else:
                yield from _changes(old[name], new[name], nested_path)
    elif old != new:
        yield Change(path, "changed", (old, new))


RECORDS = "jobs"


@dataclass(frozen=True, slots=True)
class CellPaths:
    """The folders of a cell's results with their keys, none while inputs are missing, and its record."""

    name: str
    key: str | None
    results: tuple[tuple[Path, str], ...]
    record: Path

    @classmethod
    def of(cls, cell: Training, cache: Cache, out: Path) -> CellPaths:
        key = cache.joint_key(cell.steps)
        results = () if key is None else tuple((cache.folder(step), cache.known_key(step)) for step in cell.steps)
        return cls(cell.name, key, results, _record_path(cell.name, out))

    @property
    def done(self) -> bool:
        return self.key is not None and all(is_published(folder, key) for folder, key in self.results)


@dataclass(frozen=True, slots=True)
class CellState:
    name: str
    state: Literal["done", "running", "failed", "waiting"]
    record: Record | None


def file_name(cell: str) -> str:
    """Return a unique file name for a cell; names of conditions and models cannot contain `+`."""
    return cell.replace("/", "+")


def _record_path(cell: str, out: Path) -> Path:
    return out / RECORDS / f"{file_name(cell)}.state.json"


def cell_paths(plan: RunPlan, cache: Cache, out: Path) -> list[CellPaths]:
    return [CellPaths.of(cell, cache, out) for cell in plan.cells]


def write_cell_paths(cells: Sequence[CellPaths], out: Path) -> None:
    from runner.report.records import CELLS

    write_text(out / CELLS, json.dumps([asdict(cell) for cell in cells], indent=1, default=str) + "\n")


def read_cell_paths(out: Path) -> list[CellPaths] | None:
    from runner.report.records import CELLS

    try:
        content: list[dict[str, Any]] = parse_json((out / CELLS).read_text(encoding="utf-8"))
        return [
            CellPaths(
                cell["name"],
                cell["key"],
                tuple((Path(folder), key) for folder, key in cell["results"]),
                _record_path(cell["name"], out),  # the folder of the run may have been moved
            )
            for cell in content
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def cell_states(cells: Iterable[CellPaths]) -> list[CellState]:
    states: list[CellState] = []
    for cell in cells:
        record = None if cell.key is None else Record.read(cell.record, cell.key)
        state: Literal["done", "running", "failed", "waiting"] = "waiting"
        if cell.done:
            state = "done"
        elif record is not None:
            state = "failed" if record.state == "failed" else "running" if record.alive else "waiting"
        states.append(CellState(cell.name, state, record))
    return states
