"""Render diagnostics as workflow commands, which GitHub Actions shows as annotations of source lines."""

from __future__ import annotations

from collections.abc import Sequence

from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.display import printable, printable_message

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "notice"}


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """Return lines `::error file=…,line=…,col=…,endLine=…,endColumn=…,title=…::message`, without a final newline."""
    return "\n".join(_command(diagnostic) for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    title = f"{diagnostic.code} {CATALOGUE[diagnostic.code].name}"
    properties = ",".join(
        f"{name}={_property(value)}" for name, value in (_position(diagnostic) | {"title": title}).items()
    )
    message = printable_message(diagnostic.message)
    if diagnostic.hint is not None:
        message += f"\nhint: {printable_message(diagnostic.hint)}"
    return f"::{_COMMANDS[diagnostic.severity]} {properties}::{_escaped(message)}"


def _position(diagnostic: Diagnostic) -> dict[str, str]:
    source, span = diagnostic.source, diagnostic.span
    if source is None:
        return {}
    if span is None:
        return {"file": printable(source.name)}
    (line, column), (end_line, end_column) = source.position(span.start), source.position(span.end)
    numbers = {"line": line, "col": column, "endLine": end_line, "endColumn": end_column}
    return {"file": printable(source.name)} | {name: str(number) for name, number in numbers.items()}


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
