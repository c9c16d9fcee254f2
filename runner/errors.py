"""The exception for mistakes of a user. The command line prints its diagnostics and exits with code 2."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.words import counted

FULL_DISK = "FICT790"


class InputError(Exception):
    """The error for an input that cannot be used. Each diagnostic has the location and what was expected."""

    def __init__(self, diagnostics: Diagnostic | Sequence[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = (
            (diagnostics,) if isinstance(diagnostics, Diagnostic) else tuple(diagnostics)
        )
        super().__init__("; ".join(f"{d.code}: {d.message}" for d in self.diagnostics))

    @classmethod
    def of(cls, code: str, *place: Any, **parameters: Any) -> InputError:
        from fictdsl.diagnostics.codes import diagnostic

        return cls(diagnostic(code, *place, **parameters))


class ErrorList:
    """The first `limit` errors of an input, and how many there are."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._listed: list[Diagnostic] = []
        self.count = 0

    def add(self, errors: Iterable[Diagnostic], count: int) -> None:
        self._listed += islice(errors, self._limit - len(self._listed))
        self.count += count

    def check(self) -> None:
        """Raise InputError if there are errors. The last diagnostic (FICT732) counts those that are not listed."""
        from fictdsl.diagnostics.codes import diagnostic

        if omitted := self.count - len(self._listed):
            raise InputError([*self._listed, diagnostic("FICT732", count=counted(omitted, "more error"))])
        if self._listed:
            raise InputError(self._listed)


def full_disk(path: Path) -> InputError:
    """Return the InputError of a path that a full disk or quota leaves no space to write."""
    folder = next((folder for folder in path.parents if folder.is_dir()), None)
    free = "unknown" if folder is None else f"{shutil.disk_usage(folder).free / 1e6:,.0f} MB"
    return InputError.of(FULL_DISK, path=path, free=free)


def refused(error: OSError | MemoryError) -> InputError:
    """Return the InputError for what the system refuses: memory (FICT793), or else a call (FICT792) with its file.

    A library that asks Python for the directory of temporary files, where nothing can be written, gives FICT790.
    """
    if isinstance(error, MemoryError):
        return InputError.of("FICT793", reason="the system refused to give this process more")
    if str(error.strerror).startswith("No usable temporary directory"):
        return full_disk(Path(os.environ.get("TMPDIR", "/tmp")))  # Python tries to write a file there
    reason = (error.strerror or str(error)).lower()
    path = f": {error.filename}" if isinstance(error.filename, str) else ""
    return InputError.of("FICT792", reason=reason + path)
