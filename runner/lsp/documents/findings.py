"""Locate diagnostics in a document. Diagnostics of a used file are shown where the document names that file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.load import Module
from runner.lsp.documents.documents import Snapshot


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic with its location in the document. `related` are other locations with messages."""

    diagnostic: Diagnostic
    span: Span
    message: str
    related: tuple[tuple[Source, Span, str], ...]
    unused: bool


def findings(snapshot: Snapshot) -> list[Finding]:
    """Return the diagnostics of a document with their locations."""
    return [_finding(snapshot, diagnostic) for diagnostic in snapshot.diagnostics]


def _finding(snapshot: Snapshot, diagnostic: Diagnostic) -> Finding:
    own_source = snapshot.module.source
    source = diagnostic.source or own_source
    span = diagnostic.span or Span(0, 0)
    message = diagnostic.message + (f"\n{diagnostic.hint}" if diagnostic.hint else "")
    related = [(label.source or source, label.span, label.text) for label in diagnostic.labels]
    if source.path != own_source.path or source.name != own_source.name:
        related.insert(0, (source, span, diagnostic.message))
        message = f"in {source.name}: {message}"
        span = _span_of_path(snapshot.module, source) or Span(0, 0)
    unused = CATALOGUE[diagnostic.code].name.startswith("unused-")
    return Finding(diagnostic, span, message, tuple(related), unused)


def _span_of_path(module: Module, source: Source) -> Span | None:
    """Return the span where a module names the file of a source or a file that uses it, or None."""
    indirect_spans: list[Span] = []
    for item in module.file.items:
        match item:
            case nodes.Use(path=path):
                used = module.uses.get(path.text)
                if _is_named(path.text, source) if used is None else used.source.path == source.path:
                    return path.span
                if used is not None and _span_of_path(used, source) is not None:
                    indirect_spans.append(path.span)
            case nodes.ListDef(body=nodes.ListFile(path=path)) if _is_named(path.text, source):
                return path.span
            case _:
                pass
    return next(iter(indirect_spans), None)


def _is_named(path: str, source: Source) -> bool:
    return PurePath(source.name).name == PurePath(path).name
