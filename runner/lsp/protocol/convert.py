"""Convert locations, findings and completions to types of the Language Server Protocol."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.source import Span
from fictdsl.syntax import nodes
from runner.lsp.answers.navigate import Location
from runner.lsp.complete.static_completions import Completion
from runner.lsp.documents.documents import Documents, Snapshot
from runner.lsp.documents.findings import Finding
from runner.lsp.documents.text_document import TextDocument

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}
_COMPLETION_KINDS = {
    "keyword": types.CompletionItemKind.Keyword,
    "tag": types.CompletionItemKind.EnumMember,
    "relation": types.CompletionItemKind.EnumMember,
    "feature": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.Value,
    "attribute": types.CompletionItemKind.Field,
    "list": types.CompletionItemKind.Constant,
    "pattern": types.CompletionItemKind.Function,
    "node": types.CompletionItemKind.Variable,
    "parameter": types.CompletionItemKind.TypeParameter,
    "file": types.CompletionItemKind.File,
    "sign": types.CompletionItemKind.Operator,
}


def range_of(document: TextDocument, span: Span) -> types.Range:
    """Return a span of a text as a range."""
    return types.Range(types.Position(*document.position(span.start)), types.Position(*document.position(span.end)))


def diagnostic_of(documents: Documents, snapshot: Snapshot, finding: Finding) -> types.Diagnostic:
    """Return a finding as a diagnostic."""
    related = []
    for source, span, message in finding.related:
        uri = snapshot.uri if source.path is None else documents.uri_for(source.path)
        location = types.Location(uri, range_of(documents.document_of(source), span))
        related.append(types.DiagnosticRelatedInformation(location, message))
    return types.Diagnostic(
        range=range_of(snapshot.document, finding.span),
        message=finding.message,
        severity=_SEVERITIES[finding.diagnostic.severity],
        code=finding.diagnostic.code,
        source="fictc",
        tags=[types.DiagnosticTag.Unnecessary] if finding.unused else None,
        related_information=related or None,
    )


def completion_of(completion: Completion, replaced: types.Range, rank: int, snippets: bool) -> types.CompletionItem:
    """Return a completion that replaces a range. `rank` is its position in the list.

    `snippets` is whether the editor supports snippets.
    """
    snippet = completion.snippet if snippets else None
    is_plain = not set(completion.about) & set("`*")
    return types.CompletionItem(
        label=completion.label,
        kind=_COMPLETION_KINDS[completion.kind],
        detail=(completion.about or None) if is_plain else None,
        documentation=None if is_plain else types.MarkupContent(types.MarkupKind.Markdown, completion.about),
        sort_text=f"{rank:04}",
        filter_text=completion.label,
        insert_text_format=types.InsertTextFormat.Snippet if snippet else types.InsertTextFormat.PlainText,
        text_edit=types.TextEdit(replaced, snippet or completion.label),
    )


def location_of(location: Location) -> types.Location:
    """Return a location as a type of the protocol."""
    return types.Location(location.uri, range_of(location.document, location.span))


def edits_of(changes: Sequence[tuple[Location, str]]) -> types.WorkspaceEdit:
    """Return replacements in several documents as a workspace edit."""
    edits: dict[str, list[types.TextEdit]] = {}
    for location, text in changes:
        edits.setdefault(location.uri, []).append(types.TextEdit(range_of(location.document, location.span), text))
    return types.WorkspaceEdit(edits)


def replacement_edits(snapshot: Snapshot, text: str) -> list[types.TextEdit]:
    """Return the edit that replaces the text of a document, or [] if the text is unchanged."""
    if text == snapshot.document.written:
        return []
    end = snapshot.document.position(len(snapshot.document.text))
    return [types.TextEdit(types.Range(types.Position(0, 0), types.Position(*end)), text)]


def symbol_of(
    document: TextDocument, item: nodes.ListDef | nodes.PatternDef | nodes.Query, about: str
) -> types.DocumentSymbol:
    """Return an item as an entry of the outline."""
    kinds = {
        nodes.ListDef: types.SymbolKind.Array,
        nodes.PatternDef: types.SymbolKind.Function,
        nodes.FilterDef: types.SymbolKind.Class,
        nodes.RewriteDef: types.SymbolKind.Class,
    }
    item_range, name_range = range_of(document, item.span), range_of(document, item.name.span)
    return types.DocumentSymbol(item.name.text, kinds[type(item)], item_range, name_range, detail=about or None)
