"""Compile filters over Universal Dependencies trees (`.fict` files) to SQL.

The public names are imported lazily, so that formatting a file does not load the compiler, and checking a filter does
not load the SQL emitter.
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

_MODULES = {
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
    "Statement": "fictdsl.sql.statement",
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
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
