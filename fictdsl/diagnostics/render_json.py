"""Render diagnostics as JSON, for tools."""

from __future__ import annotations

from collections.abc import Sequence

from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.display import truncate
from fictdsl.diagnostics.dumps import dumps
from fictdsl.source import Source, Span


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """Return a JSON array with one object for each diagnostic.

    Lines and columns count from 1, offsets from 0, in code points of the NFC text. `file` and `range` may be null.
    """
    return dumps([as_object(diagnostic) for diagnostic in diagnostics])


def as_object(diagnostic: Diagnostic) -> dict[str, object]:
    """Return a diagnostic as plain data: code, name, severity, message, file, range, labels, hint, fix."""
    source = diagnostic.source
    fix = diagnostic.fix
    return {
        "code": diagnostic.code,
        "name": CATALOGUE[diagnostic.code].name,
        "severity": diagnostic.severity.value,
        "message": truncate(diagnostic.message),
        "file": source.name if source else None,
        "range": _range(source, diagnostic.span),
        "labels": [
            {
                "message": truncate(label.text),
                "file": (label.source or source).name if (label.source or source) else None,  # type: ignore[union-attr]
                "range": _range(label.source or source, label.span),
            }
            for label in diagnostic.labels
        ],
        "hint": None if diagnostic.hint is None else truncate(diagnostic.hint),
        "fix": {"range": _range(source, fix.span), "replacement": fix.replacement, "safe": fix.safe} if fix else None,
    }


def _range(source: Source | None, span: Span | None) -> dict[str, object] | None:
    if source is None or span is None:
        return None
    return {"start": _point(source, span.start), "end": _point(source, span.end)}


def _point(source: Source, offset: int) -> dict[str, int]:
    line, column = source.position(offset)
    return {"line": line, "column": column, "offset": offset}
