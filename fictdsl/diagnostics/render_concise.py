"""Render each diagnostic as one line, for pipes, editors and logs."""

from __future__ import annotations

from collections.abc import Sequence

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.display import printable, printable_message


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """Return lines such as `file:line:column: error[FICT110] message (hint)`, without a final newline."""
    return "\n".join(_line(diagnostic) for diagnostic in diagnostics)


def _line(diagnostic: Diagnostic) -> str:
    position = ""
    if diagnostic.source is not None:
        position = printable(diagnostic.source.name) + ":"
        if diagnostic.span is not None:
            line, column = diagnostic.source.position(diagnostic.span.start)
            position += f"{line}:{column}:"
        position += " "
    hint = f" ({printable_message(diagnostic.hint)})" if diagnostic.hint else ""
    severity = diagnostic.severity.value
    return f"{position}{severity}[{diagnostic.code}] {printable_message(diagnostic.message)}{hint}"
