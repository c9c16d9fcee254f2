"""Verify files by sha256, and cache the results by size, modification time and inode."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.installation import cache_folder
from runner.errors import InputError
from runner.readers import IrregularFileError, parse_json, real_path
from runner.workspace import key, sha256_file, write_text

_HINTS = {
    "FICT742": "`fictc store verify` lists all damaged files; then make the store again",
    "FICT748": "`fictc index STORE` rebuilds the index, and `fictc index STORE --drop` removes it",
}


@dataclass(frozen=True, slots=True)
class Expected:
    """The expected size in bytes, sha256 and, if known, number of rows of a file of a store."""

    size: int
    sha256: str
    rows: int | None = None


Check = Callable[[str, Path, Expected], str | None]  # (name in the store, path, expected) → an error message, or None


class Verifier:
    """Verifies the files in the folder of a store, and caches which of them are intact.

    A file is read again only if its size, modification time, inode or expected hash has changed. The results are stored
    in the user's cache if it is writable.
    """

    def __init__(self, folder: Path, check: Check, code: str = "FICT742") -> None:
        """`check` checks the content of files with the correct hash. `code` is the code of errors."""
        self._folder = folder
        self._check = check
        self._code = code
        self._verified_stamps: dict[str, list[object]] | None = None

    def verify(
        self,
        files: Mapping[str, Expected],
        *,
        ignore_cache: bool = False,
        on_bytes: Callable[[int], None] | None = None,
    ) -> None:
        """Compare files with their hashes. The paths in `files` are relative to the folder.

        With `ignore_cache`, every file is read. `on_bytes` receives the expected size of each file after its check.
        Raises InputError with a diagnostic for each file that differs or cannot be read.
        """
        if self._verified_stamps is None:
            self._verified_stamps = _load_stamps(_cache_file(self._folder))
        stamps = dict(self._verified_stamps)
        problems: list[Diagnostic] = []
        for name, expected in files.items():
            path = self._folder / name
            try:
                status = path.stat()
                stamp = [status.st_size, status.st_mtime_ns, status.st_ino, expected.sha256]
                stamp += [] if expected.rows is None else [expected.rows]
                is_verified = not ignore_cache and self._verified_stamps.get(name) == stamp
                reason = None if is_verified else self._fault(name, path, expected)
            except OSError as error:
                reason = (error.strerror or "it cannot be read").lower()
            if on_bytes is not None:
                on_bytes(expected.size)
            if reason is None:
                stamps[name] = stamp
            else:
                stamps.pop(name, None)
                hint = None if ignore_cache else _HINTS[self._code]
                problems.append(diagnostic(self._code, path=path, reason=reason, hint=hint))
        if stamps != self._verified_stamps:
            self._verified_stamps = stamps
            _save_stamps(_cache_file(self._folder), stamps)
        if problems:
            raise InputError(problems)

    def _fault(self, name: str, path: Path, expected: Expected) -> str | None:
        if not path.is_file():
            raise IrregularFileError(path)
        if (size := path.stat().st_size) != expected.size:
            return f"it has {size:,} bytes instead of {expected.size:,}"
        if sha256_file(path) != expected.sha256:
            return "its sha256 is not the recorded one"
        return self._check(name, path, expected)


def _cache_file(folder: Path) -> Path:
    return cache_folder() / "verified" / f"{key(str(real_path(folder)))[:32]}.json"


def _load_stamps(file: Path) -> dict[str, list[object]]:
    try:
        stamps = parse_json(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamps if isinstance(stamps, dict) else {}


def _save_stamps(file: Path, stamps: Mapping[str, list[object]]) -> None:
    try:
        write_text(file, json.dumps(stamps))
    except (OSError, InputError):
        return  # without a cache, files are verified again
