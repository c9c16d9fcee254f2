"""The language server: handlers of requests about documents."""

from __future__ import annotations

from typing import Protocol

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from fictdsl.source import Span
from fictdsl.syntax.printer import format_text
from runner.lsp import navigation, session
from runner.lsp.completion import complete
from runner.lsp.documents import Snapshot
from runner.lsp.hover import hover
from runner.lsp.navigation import Action, actions, fixed_text
from runner.lsp.session import FictServer, register_notifications

_TRIGGERS = ["[", "(", "{", "=", "|", ",", ":", "@", "$", ".", '"', "/", " "]
_REQUEST_FAILED = -32803  # LSP 3.17: a valid request that cannot be fulfilled
_OFFERED_AFTER_SPACE = frozenset(
    {"upos", "relation", "value", "attribute", "collection", "of", "tag", "target", "lowered"}
)
_FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.fictc"


def register_requests(server: FictServer) -> None:
    _register_positions(server)
    _register_names(server)
    _register_documents(server)


class _Positioned(Protocol):
    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...
    @property
    def position(self) -> types.Position: ...


def _quick_position(ls: FictServer, params: _Positioned) -> tuple[Snapshot, int]:
    snapshot = ls.quick_snapshot(params.text_document.uri)
    return snapshot, snapshot.document.offset(params.position.line, params.position.character)


def _position(ls: FictServer, params: _Positioned) -> tuple[Snapshot, int]:
    snapshot = ls.snapshot(params.text_document.uri)
    return snapshot, snapshot.document.offset(params.position.line, params.position.character)


def _register_positions(server: FictServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=_TRIGGERS))
    def completion(ls: FictServer, params: types.CompletionParams) -> list[types.CompletionItem]:
        snapshot, offset = _quick_position(ls, params)
        context, completions = complete(snapshot, offset)
        if params.context and params.context.trigger_character == " " and context.kind not in _OFFERED_AFTER_SPACE:
            return []
        client = ls.client_capabilities.text_document
        item = client.completion.completion_item if client and client.completion else None
        snippets = bool(item and item.snippet_support)
        replaced = session.range_of(snapshot.document, context.span)
        return [
            session.completion_of(completion, replaced, rank, snippets) for rank, completion in enumerate(completions)
        ]

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hovered(ls: FictServer, params: types.HoverParams) -> types.Hover | None:
        snapshot, offset = _quick_position(ls, params)
        result = hover(snapshot, offset)
        if result is None:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, result.markdown)
        return types.Hover(content, session.range_of(snapshot.document, result.span))


def _register_names(server: FictServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: FictServer, params: types.DefinitionParams) -> types.Location | None:
        snapshot, offset = _position(ls, params)
        location = navigation.definition(ls.documents, snapshot, offset)
        return None if location is None else session.location_of(location)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(ls: FictServer, params: types.ReferenceParams) -> list[types.Location]:
        snapshot, offset = _position(ls, params)
        declaration = navigation.definition(ls.documents, snapshot, offset)
        locations = navigation.references(ls.documents, snapshot, offset)
        if not params.context.include_declaration:
            locations = [location for location in locations if location != declaration]
        return [session.location_of(location) for location in locations]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlights(ls: FictServer, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        snapshot, offset = _quick_position(ls, params)
        spans = navigation.document_references(snapshot, offset)
        return [types.DocumentHighlight(session.range_of(snapshot.document, span)) for span in spans]

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(ls: FictServer, params: types.PrepareRenameParams) -> types.Range:
        snapshot, offset = _position(ls, params)
        try:
            return session.range_of(snapshot.document, navigation.name_at(snapshot, offset).span)
        except navigation.RefusedError as error:
            raise JsonRpcException(str(error), _REQUEST_FAILED) from None

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def rename(ls: FictServer, params: types.RenameParams) -> types.WorkspaceEdit:
        snapshot, offset = _position(ls, params)
        try:
            locations = navigation.rename(ls.documents, snapshot, offset, params.new_name)
        except navigation.RefusedError as error:
            raise JsonRpcException(str(error), _REQUEST_FAILED) from None
        return session.edits_of([(location, params.new_name) for location in locations])


def _register_documents(server: FictServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(ls: FictServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        snapshot = ls.latest_snapshot(params.text_document.uri)
        return [session.symbol_of(snapshot.document, item, about) for item, about in navigation.symbols(snapshot)]

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatting(ls: FictServer, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        snapshot = ls.snapshot(params.text_document.uri)
        text = format_text(snapshot.document.written, snapshot.module.source.name).text
        return None if text is None else session.replacement_edits(snapshot, text)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([types.CodeActionKind.QuickFix.value, _FIX_ALL])
    )
    def code_actions(ls: FictServer, params: types.CodeActionParams) -> list[types.CodeAction]:
        if ls.analyses_in_background and not ls.documents.is_current(params.text_document.uri):
            return []  # the editor requests them again after the diagnostics
        snapshot = ls.snapshot(params.text_document.uri)
        start, end = params.range.start, params.range.end
        span = Span(
            snapshot.document.offset(start.line, start.character), snapshot.document.offset(end.line, end.character)
        )
        requested = params.context.only or [types.CodeActionKind.QuickFix.value]
        offered = []
        if any(types.CodeActionKind.QuickFix.value.startswith(kind) for kind in requested):
            offered += [_quick_fix(ls, snapshot, action) for action in actions(snapshot, span)]
        if any(_FIX_ALL.startswith(kind) for kind in requested if kind.startswith("source")):
            edits = session.replacement_edits(snapshot, fixed_text(ls.documents, snapshot))
            if edits:
                changes = types.WorkspaceEdit({snapshot.uri: edits})
                offered.append(types.CodeAction("Apply all safe fixes", _FIX_ALL, edit=changes))
        return offered


def _quick_fix(ls: FictServer, snapshot: Snapshot, action: Action) -> types.CodeAction:
    return types.CodeAction(
        title=action.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[session.diagnostic_of(ls.documents, snapshot, action.finding)],
        is_preferred=action.preferred or None,
        edit=session.edits_of(
            [(navigation.Location(snapshot.document, snapshot.uri, action.span), action.replacement)]
        ),
    )


def make_server() -> FictServer:
    server = FictServer()
    register_notifications(server)
    register_requests(server)
    return server
