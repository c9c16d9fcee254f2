"""The one exception that carries a user's mistake to the edge, where it is printed once and becomes exit code 2."""

from __future__ import annotations

from collections.abc import Sequence

from fictdsl.diagnostics.diagnostic import Diagnostic


class InputError(Exception):
    """Something the user gave cannot be used; `diagnostics` say what, where and what was expected."""

    def __init__(self, diagnostics: Diagnostic | Sequence[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = (
            (diagnostics,) if isinstance(diagnostics, Diagnostic) else tuple(diagnostics)
        )
        super().__init__("; ".join(f"{d.code}: {d.message}" for d in self.diagnostics))
