"""Files and the sha256 they must have into certainty that no bit changed, remembered until the file does."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from fictdsl.cache import cache_folder
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.errors import InputError
from runner.readers import IrregularFileError, parse_json, real_path
from runner.workspace import key, sha256_file, write_text

_HINTS = {
    "FICT742": "`fictc store verify` lists all damaged files; then make the store again",
    "FICT748": "`fictc index STORE` makes the index again, `fictc index STORE --drop` removes it",
}


@dataclass(frozen=True, slots=True)
class Expected:
    """What a file of a store must be: size in bytes, sha256 and, if it is known, how many rows it has."""

    size: int
    sha256: str
    rows: int | None = None


Check = Callable[[str, Path, Expected], str | None]  # name in the store, path: what is wrong with the contents


class Verifier:
    """What is known of the files of one store folder: which of them were seen to be whole, and when.

    A file whose size, time of change, inode and expected hash are those of an earlier success is not read again.
    What was seen is kept in the user's cache; where that cannot be written, nothing is remembered.
    """

    def __init__(self, folder: Path, check: Check, code: str = "FICT742") -> None:
        """`check` looks at the contents of a file whose bytes are right; `code` is that of the message about one that
        is damaged.
        """
        self._folder = folder
        self._check = check
        self._code = code
        self._seen: dict[str, list[object]] | None = None

    def verify(
        self, files: Mapping[str, Expected], *, always: bool = False, on_bytes: Callable[[int], None] | None = None
    ) -> None:
        """Compare files (paths relative to the folder) with their hashes; InputError lists all that differ.

        With `always`, what was seen earlier does not count.
        """
        if self._seen is None:
            self._seen = _recall(_memory(self._folder))
        now = dict(self._seen)
        wrong: list[Diagnostic] = []
        for relative, expected in files.items():
            path = self._folder / relative
            try:
                status = path.stat()
                stamp = [status.st_size, status.st_mtime_ns, status.st_ino, expected.sha256]
                stamp += [] if expected.rows is None else [expected.rows]
                known = not always and self._seen.get(relative) == stamp
                reason = None if known else self._fault(relative, path, expected)
            except OSError as error:
                reason = (error.strerror or "it cannot be read").lower()
            if on_bytes is not None:
                on_bytes(expected.size)
            if reason is None:
                now[relative] = stamp
            else:
                now.pop(relative, None)
                hint = None if always else _HINTS[self._code]
                wrong.append(diagnostic(self._code, path=path, reason=reason, hint=hint))
        if now != self._seen:
            self._seen = now
            _remember(_memory(self._folder), now)
        if wrong:
            raise InputError(wrong)

    def _fault(self, relative: str, path: Path, expected: Expected) -> str | None:
        if not path.is_file():
            raise IrregularFileError(path)
        if (size := path.stat().st_size) != expected.size:
            return f"it has {size:,} bytes instead of {expected.size:,}"
        if sha256_file(path) != expected.sha256:
            return "its sha256 is not the one that was noted"
        return self._check(relative, path, expected)


def _memory(folder: Path) -> Path:
    return cache_folder() / "verified" / f"{key(str(real_path(folder)))[:32]}.json"


def _recall(memory: Path) -> dict[str, list[object]]:
    try:
        found = parse_json(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _remember(memory: Path, stamps: Mapping[str, list[object]]) -> None:
    try:
        write_text(memory, json.dumps(stamps))
    except (OSError, InputError):
        return  # a cache that cannot be written costs time, never an answer
