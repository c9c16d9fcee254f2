"""The language of constructions: text to SQL, with an independent reference.

The names below are the public ones; each is loaded when it is first asked for, so that reading the grammar does not
load the compiler, nor checking a filter what writes SQL.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fictdsl.compiler import Compilation, CompiledFilter, compile_file, compile_text
    from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
    from fictdsl.lint.engine import lint_file, lint_text
    from fictdsl.source import Source, Span
    from fictdsl.sql.statement import Statement

_HOMES = {
    "Compilation": "fictdsl.compiler",
    "CompiledFilter": "fictdsl.compiler",
    "compile_file": "fictdsl.compiler",
    "compile_text": "fictdsl.compiler",
    "lint_file": "fictdsl.lint.engine",
    "lint_text": "fictdsl.lint.engine",
    "Diagnostic": "fictdsl.diagnostics.diagnostic",
    "Fix": "fictdsl.diagnostics.diagnostic",
    "Label": "fictdsl.diagnostics.diagnostic",
    "Severity": "fictdsl.diagnostics.diagnostic",
    "Source": "fictdsl.source",
    "Span": "fictdsl.source",
    "Statement": "fictdsl.sql.emit",
}

__all__ = [
    "Compilation",
    "CompiledFilter",
    "Diagnostic",
    "Fix",
    "Label",
    "Severity",
    "Source",
    "Span",
    "Statement",
    "compile_file",
    "compile_text",
    "lint_file",
    "lint_text",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
