"""The exception for mistakes of a user. The command line prints its diagnostics and exits with code 2."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.words import counted


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


def refused(error: OSError | MemoryError) -> InputError:
    """Return the InputError for what the system refuses: memory (FICT793), or else a call (FICT792) with its file."""
    if isinstance(error, MemoryError):
        return InputError.of("FICT793", reason="the system refused to give this process more")
    reason = (error.strerror or str(error)).lower()
    path = f": {error.filename}" if isinstance(error.filename, str) else ""
    return InputError.of("FICT792", reason=reason + path)
