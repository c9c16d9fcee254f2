"""Our places and findings into the types of the Language Server Protocol."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types
from pygls import uris

from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.source import Span
from runner.lsp.desk import Desk, Study
from runner.lsp.findings import Finding
from runner.lsp.page import Page

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}


def range_of(page: Page, span: Span) -> types.Range:
    """A span of a text as the range that an editor knows."""
    return types.Range(types.Position(*page.position(span.start)), types.Position(*page.position(span.end)))


def uri_of(desk: Desk, path: Path) -> str:
    """What the editor calls a file: its own name for an open one, else the usual one."""
    return desk.key_of(path) or uris.from_fs_path(str(path)) or path.as_uri()


def diagnostic_of(desk: Desk, study: Study, finding: Finding) -> types.Diagnostic:
    """A finding as an editor shows it."""
    related = []
    for source, span, message in finding.related:
        uri = study.key if source.path is None else uri_of(desk, source.path)
        location = types.Location(uri, range_of(desk.page_of(source), span))
        related.append(types.DiagnosticRelatedInformation(location, message))
    return types.Diagnostic(
        range=range_of(study.page, finding.span),
        message=finding.message,
        severity=_SEVERITIES[finding.diagnostic.severity],
        code=finding.diagnostic.code,
        source="fictc",
        tags=[types.DiagnosticTag.Unnecessary] if finding.unused else None,
        related_information=related or None,
    )
