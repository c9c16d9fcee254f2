"""The result cache: folders of finished steps by content key, verified by checksums."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from runner.machine import made_by
from runner.readers import parse_json
from runner.steps.step import KINDS, Step
from runner.workspace import clean_stale, key, lock, publish_dir, sha256_file, try_lock

DONE = "done.json"
CACHE = ".cache"  # a folder beside the folders of runs


@dataclass(frozen=True)
class Cache:
    """Finished steps in `<root>/<kind>/<first 32 digits of the key>`. Runs may share a cache."""

    root: Path
    _contents: dict[str, str] = field(default_factory=dict, compare=False, repr=False)  # hashes of results by recipe

    def key(self, step: Step) -> str | None:
        """Return the content key of a step, or None while a result that it reads is missing."""
        contents = self.contents(step)
        return None if None in contents.values() else key(step.content(contents))

    def contents(self, step: Step) -> dict[str, str | None]:
        """Return the hash of each result that a step reads, by label. The hash of a missing result is None."""
        return {label: self._content(need) for label, need in step.needs.items()}

    def joint_key(self, steps: Sequence[Step]) -> str | None:
        keys = [self.key(step) for step in steps]
        return None if None in keys else key(*keys)

    def _content(self, step: Step) -> str | None:
        if KINDS[step.kind].in_cell:
            return self.key(step)
        if step.recipe not in self._contents:
            step_key = self.key(step)
            record = None if step_key is None else _read_record(self.path(step.kind, step_key))
            if record is None or record["key"] != step_key:
                return None
            names = KINDS[step.kind].files or record["files"].keys()
            self._contents[step.recipe] = key({name: record["files"].get(name) for name in names})
        return self._contents[step.recipe]

    def folder(self, step: Step) -> Path:
        """Return the folder of a step's result, which need not exist. The key of the step must be known."""
        return self.path(step.kind, self.known_key(step))

    def known_key(self, step: Step) -> str:
        step_key = self.key(step)
        assert step_key is not None, f"{step.id} reads results that do not exist"
        return step_key

    def path(self, kind: str, key: str) -> Path:
        return self.root / kind / key[:32]

    def has(self, step: Step) -> bool:
        step_key = self.key(step)
        return step_key is not None and is_intact(self.path(step.kind, step_key), step_key)

    def make(self, step: Step, build: Callable[[Path], None]) -> tuple[Path, bool]:
        """Return the folder of a step's result, and whether `build` has made it now."""
        step_key = self.known_key(step)
        final = self.path(step.kind, step_key)
        was_built = publish(final, step_key, build, step.content(self.contents(step)))
        self._contents.pop(step.recipe, None)
        return final, was_built


def unfinished(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.unfinished")


def discard_unfinished(folder: Path) -> None:
    with try_lock(_lock_file(folder)) as is_free:
        if is_free:
            shutil.rmtree(unfinished(folder), ignore_errors=True)


def _lock_file(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.lock")


def is_published(folder: Path, key: str) -> bool:
    """Return whether `folder` was published as the result of `key`, without checking its files."""
    record = _read_record(folder)
    return record is not None and record["key"] == key


def is_intact(folder: Path, key: str) -> bool:
    record = _read_record(folder)
    if record is None or record["key"] != key:
        return False
    try:
        return all(sha256_file(folder / name) == sha for name, sha in record["files"].items())
    except (OSError, ValueError):
        return False


def other_files(folder: Path) -> Iterator[Path]:
    record = _read_record(folder)
    names: set[str] = set() if record is None else {DONE, *record["files"]}
    for path in (folder, *sorted(folder.rglob("*"))):
        if path.is_file() and path.relative_to(folder).as_posix() not in names:
            yield path


def origin_of(folder: Path) -> dict[str, Any]:
    record = _read_record(folder) or {}
    return {name: record[name] for name in ("seconds", "made_by") if name in record}


def _read_record(folder: Path) -> dict[str, Any] | None:
    try:
        record = parse_json((folder / DONE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(record, dict) or "key" not in record or not isinstance(record.get("files"), dict):
        return None
    return record


def publish(final: Path, key: str, build: Callable[[Path], None], inputs: dict[str, Any] | None = None) -> bool:
    """Call `build` with a temporary folder, and publish it read-only as `final`. Return False if `final` is intact."""
    with lock(_lock_file(final)):
        if is_intact(final, key):
            return False
        clean_stale(final.parent)
        with publish_dir(final, replace=True) as temp:
            start_time = time.monotonic()
            build(temp)
            seconds = time.monotonic() - start_time
            files = sorted(path for path in temp.rglob("*") if path.is_file())
            for path in files:  # runs link to them, so editing a linked file would change the cache
                with suppress(OSError):  # a file system without permissions has no hard links either
                    path.chmod(path.stat().st_mode & ~0o222)
            record = {
                "key": key,
                "inputs": inputs or {},
                **({"seconds": round(seconds, 1), "made_by": made_by()} if inputs is None else {}),
                "files": {path.relative_to(temp).as_posix(): sha256_file(path) for path in files},
            }
            (temp / DONE).write_text(json.dumps(record, indent=1, sort_keys=True), encoding="utf-8")
    return True
