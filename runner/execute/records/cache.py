"""Results by content key: a step's folder is whole and verified, or it is not there."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.readers import parse_json
from runner.steps.step import Step
from runner.workspace import clean_stale, lock, publish_dir, sha256_file

DONE = "done.json"


@dataclass(frozen=True)
class Cache:
    """A folder of finished steps, `<root>/<kind>/<first 32 digits of the key>`; shared by any number of runs."""

    root: Path

    def folder(self, step: Step) -> Path:
        """Where the result of a step lies, or will lie."""
        return self.root / step.kind / step.key[:32]

    def has(self, step: Step) -> bool:
        """Whether the result is there and every file is as it was published (sha256)."""
        return is_whole(self.folder(step), step.key)

    def make(self, step: Step, build: Callable[[Path], None]) -> tuple[Path, bool]:
        """The folder of the step's result and whether it had to be made: at most one process makes it."""
        final = self.folder(step)
        return final, make(final, step.key, build, dict(step.inputs))


def is_there(folder: Path, key: str) -> bool:
    """Whether `folder` was published as the result of `key`; its files are not looked at."""
    try:
        record: dict[str, Any] = parse_json((folder / DONE).read_text(encoding="utf-8"))
        return bool(record["key"] == key)
    except (OSError, ValueError, KeyError):
        return False


def is_whole(folder: Path, key: str) -> bool:
    """Whether `folder` is a finished result of `key`, its files unchanged since."""
    try:
        record: dict[str, Any] = parse_json((folder / DONE).read_text(encoding="utf-8"))
        files: dict[str, str] = record["files"]
        return record["key"] == key and all(sha256_file(folder / name) == sha for name, sha in files.items())
    except (OSError, ValueError, KeyError):
        return False


def make(final: Path, key: str, build: Callable[[Path], None], inputs: dict[str, Any]) -> bool:
    """Publish what `build` writes into the folder it is given, as `final`; False where it was whole already.

    The files are for reading only.
    """
    with lock(final.with_name(f"{final.name}.lock")):
        if is_whole(final, key):
            return False
        clean_stale(final.parent)
        with publish_dir(final, replace=True) as temp:
            build(temp)
            files = sorted(path for path in temp.rglob("*") if path.is_file())
            for path in files:  # under a readable name too, where who edits them would edit the cache
                with suppress(OSError):  # of a file system without modes, which has no links either
                    path.chmod(path.stat().st_mode & ~0o222)
            record = {
                "key": key,
                "inputs": inputs,
                "files": {path.relative_to(temp).as_posix(): sha256_file(path) for path in files},
            }
            (temp / DONE).write_text(json.dumps(record, indent=1, sort_keys=True), encoding="utf-8")
    return True
