"""Diagnostics into one line each, for pipes, editors and logs."""

from __future__ import annotations

from collections.abc import Sequence

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.display import said, shown


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """`file:line:column: error[FICT110] message (hint)`, a line each; no newline at the end."""
    return "\n".join(_one(diagnostic) for diagnostic in diagnostics)


def _one(diagnostic: Diagnostic) -> str:
    place = ""
    if diagnostic.source is not None:
        place = shown(diagnostic.source.name) + ":"
        if diagnostic.span is not None:
            line, column = diagnostic.source.position(diagnostic.span.start)
            place += f"{line}:{column}:"
        place += " "
    hint = f" ({said(diagnostic.hint)})" if diagnostic.hint else ""
    return f"{place}{diagnostic.severity.value}[{diagnostic.code}] {said(diagnostic.message)}{hint}"
