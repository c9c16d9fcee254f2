"""Diagnostics into workflow commands, which GitHub Actions shows as annotations beside the lines in question."""

from __future__ import annotations

from collections.abc import Sequence

from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.display import said, shown

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "notice"}


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """`::error file=…,line=…,col=…,endLine=…,endColumn=…,title=…::message`, a line each; no newline at the end."""
    return "\n".join(_one(diagnostic) for diagnostic in diagnostics)


def _one(diagnostic: Diagnostic) -> str:
    title = f"{diagnostic.code} {CATALOGUE[diagnostic.code].name}"
    properties = ",".join(
        f"{name}={_property(value)}" for name, value in (_place(diagnostic) | {"title": title}).items()
    )
    message = said(diagnostic.message)
    if diagnostic.hint is not None:
        message += f"\nhint: {said(diagnostic.hint)}"
    return f"::{_COMMANDS[diagnostic.severity]} {properties}::{_escaped(message)}"


def _place(diagnostic: Diagnostic) -> dict[str, str]:
    source, span = diagnostic.source, diagnostic.span
    if source is None:
        return {}
    if span is None:
        return {"file": shown(source.name)}
    (line, column), (end_line, end_column) = source.position(span.start), source.position(span.end)
    numbers = {"line": line, "col": column, "endLine": end_line, "endColumn": end_column}
    return {"file": shown(source.name)} | {name: str(number) for name, number in numbers.items()}


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
