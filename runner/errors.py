"""The exception for mistakes of a user. The command line prints its diagnostics and exits with code 2."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fictdsl.diagnostics.diagnostic import Diagnostic


class InputError(Exception):
    """The error for an input that cannot be used. Each diagnostic has the location and what was expected."""

    def __init__(self, diagnostics: Diagnostic | Sequence[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = (
            (diagnostics,) if isinstance(diagnostics, Diagnostic) else tuple(diagnostics)
        )
        super().__init__("; ".join(f"{d.code}: {d.message}" for d in self.diagnostics))

    @classmethod
    def of(cls, code: str, *place: Any, **parameters: Any) -> InputError:
        """Return the error with one message of the catalogue; the arguments are those of `diagnostic`."""
        from fictdsl.diagnostics.codes import diagnostic

        return cls(diagnostic(code, *place, **parameters))


def refused(error: OSError | MemoryError) -> InputError:
    """Return the InputError for what the system refuses: memory (FICT793), or else a call (FICT792) with its file."""
    if isinstance(error, MemoryError):
        return InputError.of("FICT793", reason="the system refused to give this process more")
    reason = (error.strerror or str(error)).lower()
    path = f": {error.filename}" if isinstance(error.filename, str) else ""
    return InputError.of("FICT792", reason=reason + path)
