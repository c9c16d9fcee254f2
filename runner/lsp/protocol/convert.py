"""Our places and findings into the types of the Language Server Protocol."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.source import Span
from fictdsl.syntax import nodes
from runner.lsp.answers.navigate import Place
from runner.lsp.complete.static_completions import Proposal
from runner.lsp.documents.documents import Desk, Study
from runner.lsp.documents.findings import Finding
from runner.lsp.documents.page import Page

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}
_COMPLETIONS = {
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


def range_of(page: Page, span: Span) -> types.Range:
    """A span of a text as the range that an editor knows."""
    return types.Range(types.Position(*page.position(span.start)), types.Position(*page.position(span.end)))


def diagnostic_of(desk: Desk, study: Study, finding: Finding) -> types.Diagnostic:
    """A finding as an editor shows it."""
    related = []
    for source, span, message in finding.related:
        uri = study.key if source.path is None else desk.key_for(source.path)
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


def completion_of(proposal: Proposal, span: types.Range, rank: int, snippets: bool) -> types.CompletionItem:
    """A proposal that replaces a range; `rank` keeps the order."""
    snippet = proposal.snippet if snippets else None
    plain = not set(proposal.about) & set("`*")
    return types.CompletionItem(
        label=proposal.label,
        kind=_COMPLETIONS[proposal.kind],
        detail=(proposal.about or None) if plain else None,
        documentation=None if plain else types.MarkupContent(types.MarkupKind.Markdown, proposal.about),
        sort_text=f"{rank:04}",
        filter_text=proposal.label,
        insert_text_format=types.InsertTextFormat.Snippet if snippet else types.InsertTextFormat.PlainText,
        text_edit=types.TextEdit(span, snippet or proposal.label),
    )


def location_of(place: Place) -> types.Location:
    """A place in some document."""
    return types.Location(place.key, range_of(place.page, place.span))


def edits_of(changes: Sequence[tuple[Place, str]]) -> types.WorkspaceEdit:
    """Replacements in several documents."""
    edits: dict[str, list[types.TextEdit]] = {}
    for place, text in changes:
        edits.setdefault(place.key, []).append(types.TextEdit(range_of(place.page, place.span), text))
    return types.WorkspaceEdit(edits)


def replaced(study: Study, text: str) -> list[types.TextEdit]:
    """A document with another text in its whole place; no edit if it is the same."""
    if text == study.page.written:
        return []
    end = study.page.position(len(study.page.text))
    return [types.TextEdit(types.Range(types.Position(0, 0), types.Position(*end)), text)]


def symbol_of(page: Page, item: nodes.ListDef | nodes.PatternDef | nodes.FilterDef, about: str) -> types.DocumentSymbol:
    """An item as an entry of an outline."""
    kinds = {
        nodes.ListDef: types.SymbolKind.Array,
        nodes.PatternDef: types.SymbolKind.Function,
        nodes.FilterDef: types.SymbolKind.Class,
    }
    whole, name = range_of(page, item.span), range_of(page, item.name.span)
    return types.DocumentSymbol(item.name.text, kinds[type(item)], whole, name, detail=about or None)
