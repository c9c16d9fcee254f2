"""The language server: the open documents of an editor, diagnostics as they change, and handlers of requests."""

from __future__ import annotations

import asyncio
import logging
import threading
import typing
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.source import Span
from fictdsl.syntax import nodes
from fictdsl.syntax.printer import format_text
from runner.lsp import navigation
from runner.lsp.completion import Completion, complete
from runner.lsp.connection import Protocol, exit_with_editor, strict_converter
from runner.lsp.documents import Documents, Finding, Snapshot, findings, path_of
from runner.lsp.hover import hover
from runner.lsp.navigation import Action, Location, actions, fixed_text
from runner.lsp.text_document import TextDocument
from runner.workspace import alive

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}


def range_of(document: TextDocument, span: Span) -> types.Range:
    return types.Range(types.Position(*document.position(span.start)), types.Position(*document.position(span.end)))


def diagnostic_of(documents: Documents, snapshot: Snapshot, finding: Finding) -> types.Diagnostic:
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
    """Return a completion that replaces a range. `rank` is its position in the list."""
    snippet = completion.snippet if snippets else None
    is_plain = not set(completion.about) & set("`*")
    return types.CompletionItem(
        label=completion.label,
        kind=types.CompletionItemKind[completion.kind],
        detail=(completion.about or None) if is_plain else None,
        documentation=None if is_plain else types.MarkupContent(types.MarkupKind.Markdown, completion.about),
        sort_text=f"{rank:04}",
        filter_text=completion.label,
        insert_text_format=types.InsertTextFormat.Snippet if snippet else types.InsertTextFormat.PlainText,
        text_edit=types.TextEdit(replaced, snippet or completion.label),
    )


def location_of(location: Location) -> types.Location:
    return types.Location(location.uri, range_of(location.document, location.span))


def edits_of(changes: Sequence[tuple[Location, str]]) -> types.WorkspaceEdit:
    edits: dict[str, list[types.TextEdit]] = {}
    for location, text in changes:
        edits.setdefault(location.uri, []).append(types.TextEdit(range_of(location.document, location.span), text))
    return types.WorkspaceEdit(edits)


def replacement_edits(snapshot: Snapshot, text: str) -> list[types.TextEdit]:
    if text == snapshot.document.written:
        return []
    end = snapshot.document.position(len(snapshot.document.text))
    return [types.TextEdit(types.Range(types.Position(0, 0), types.Position(*end)), text)]


def symbol_of(
    document: TextDocument, item: nodes.ListDef | nodes.PatternDef | nodes.Query, about: str
) -> types.DocumentSymbol:
    kinds = {
        nodes.ListDef: types.SymbolKind.Array,
        nodes.PatternDef: types.SymbolKind.Function,
        nodes.FilterDef: types.SymbolKind.Class,
        nodes.RewriteDef: types.SymbolKind.Class,
    }
    item_range, name_range = range_of(document, item.span), range_of(document, item.name.span)
    return types.DocumentSymbol(item.name.text, kinds[type(item)], item_range, name_range, detail=about or None)


_TYPING_PAUSE = 0.15  # seconds without a keystroke before diagnostics are published
_MAX_FOREGROUND = 30_000  # maximum number of characters of open documents that are analysed on the event loop
_LOG = logging.getLogger(__name__)


class FictServer(LanguageServer):
    protocol: Protocol

    def __init__(self) -> None:
        sync = types.TextDocumentSyncKind.Incremental
        super().__init__("fictc", version("fictc"), sync, protocol_cls=Protocol, converter_factory=strict_converter)
        self.documents = Documents()
        self._versions: dict[str, int] = {}
        self._published: dict[str, types.PublishDiagnosticsParams] = {}
        self._analysing = False
        self._publish_timer: asyncio.TimerHandle | None = None
        self.exit_task: asyncio.Task[None] | None = None  # referenced here, since asyncio does not keep tasks alive
        logging.getLogger("pygls").setLevel(logging.CRITICAL)  # its log duplicates responses and `report_server_error`

    def report_server_error(self, error: Exception, source: Any) -> None:  # noqa: ARG002
        """Log a bug of the server with its traceback. Errors of the client are answered with an error response."""
        if isinstance(error, JsonRpcInternalError):
            _LOG.error("%s%s", "".join((error.data or {}).get("traceback", ())), error)

    def snapshot(self, uri: str) -> Snapshot:
        self.require_open(uri)
        return self.documents.snapshot(uri)

    def require_open(self, uri: str) -> TextDocument:
        document = self.documents.document(uri)
        if document is None:
            raise JsonRpcInvalidParams(f"the document is not open: {uri}")
        return document

    def open(self, document: types.TextDocumentItem) -> None:
        self._versions[document.uri] = document.version
        self.documents.open(document.uri, path_of(document.uri), document.text)

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        document = self.require_open(uri)
        for change in params.content_changes:
            document = _with_change(document, change)
        self._versions[uri] = params.text_document.version
        self.documents.change(uri, document)

    def close(self, uri: str) -> None:
        self.require_open(uri)
        self.documents.close(uri)
        self._versions.pop(uri)
        self._published.pop(uri, None)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def publish_soon(self) -> None:
        if self._publish_timer is not None:
            self._publish_timer.cancel()
        self._publish_timer = asyncio.get_running_loop().call_later(_TYPING_PAUSE, self.publish)

    def publish(self) -> None:
        """Publish diagnostics that changed. Large documents are analysed in a thread, so that requests are answered."""
        if self.analyses_in_background:
            self._start_analysis()
        else:
            self._send_all(self._diagnostics(self.documents, self._versions))

    @property
    def analyses_in_background(self) -> bool:
        return self.documents.size > _MAX_FOREGROUND

    def quick_snapshot(self, uri: str) -> Snapshot:
        """Return a snapshot of an open document. If the open documents are large, it is not analysed now."""
        self.require_open(uri)
        return self.documents.quick_snapshot(uri) if self.analyses_in_background else self.documents.snapshot(uri)

    def latest_snapshot(self, uri: str) -> Snapshot:
        """Return the analysis of an open document. If the open documents are large, it may be of an earlier text."""
        self.require_open(uri)
        return self.documents.latest_snapshot(uri) if self.analyses_in_background else self.documents.snapshot(uri)

    def _start_analysis(self) -> None:
        """Analyse the documents in a thread, one thread at a time. Start again afterwards if there were edits."""
        if self._analysing:
            return
        self._analysing = True
        documents, versions, loop = self.documents.copy(), dict(self._versions), asyncio.get_running_loop()

        def analyse() -> None:
            diagnostics, failure = {}, None
            try:
                diagnostics = self._diagnostics(documents, versions)
            except Exception as error:  # noqa: BLE001 - logged in `_finish_analysis`
                failure = error
            with suppress(RuntimeError):  # the session has ended
                loop.call_soon_threadsafe(self._finish_analysis, documents, diagnostics, failure)

        threading.Thread(target=analyse, daemon=True).start()

    def _finish_analysis(
        self, documents: Documents, diagnostics: dict[str, types.PublishDiagnosticsParams], failure: Exception | None
    ) -> None:
        self._analysing = False
        if failure is not None:
            _LOG.error("the analysis failed", exc_info=failure)
        else:
            self.documents.adopt(documents)
        if documents.revision != self.documents.revision:
            self.publish()
        elif failure is None:
            self._send_all(diagnostics)

    @staticmethod
    def _diagnostics(documents: Documents, versions: Mapping[str, int]) -> dict[str, types.PublishDiagnosticsParams]:
        messages = {}
        for uri in documents.uris:
            snapshot = documents.snapshot(uri)
            diagnostics = [diagnostic_of(documents, snapshot, finding) for finding in findings(snapshot)]
            messages[uri] = types.PublishDiagnosticsParams(uri, diagnostics, versions[uri])
        return messages

    def _send_all(self, messages: Mapping[str, types.PublishDiagnosticsParams]) -> None:
        for uri, message in messages.items():
            if self._published.get(uri) != message:
                self._published[uri] = message
                self.text_document_publish_diagnostics(message)


def register_notifications(server: FictServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(ls: FictServer, params: types.InitializeParams) -> None:
        ls.documents.position_encoding = types.PositionEncodingKind(ls.workspace.position_encoding or "utf-16").value
        # the id of an editor on another machine or in another PID namespace may not exist here
        if params.process_id is not None and alive(params.process_id):
            ls.exit_task = asyncio.create_task(exit_with_editor(params.process_id, ls.protocol))

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: FictServer, params: types.DidOpenTextDocumentParams) -> None:
        ls.open(params.text_document)
        ls.publish()

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: FictServer, params: types.DidChangeTextDocumentParams) -> None:
        ls.change(params)
        ls.publish_soon()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: FictServer, params: types.DidCloseTextDocumentParams) -> None:
        ls.close(params.text_document.uri)
        ls.publish()

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_files(ls: FictServer, _: object) -> None:
        """Publish diagnostics after a change of files on disk, such as word lists and files named by `use`."""
        ls.documents.discard_analyses()
        ls.publish()


def _with_change(document: TextDocument, change: types.TextDocumentContentChangeEvent) -> TextDocument:
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return TextDocument(change.text, document.encoding)
    start, end = change.range.start, change.range.end
    return document.replaced((start.line, start.character), (end.line, end.character), change.text)


_TRIGGERS = ["[", "(", "{", "=", "|", ",", ":", "@", "$", ".", '"', "/", " "]
_REQUEST_FAILED = -32803  # LSP 3.17: a valid request that cannot be fulfilled
_OFFERED_AFTER_SPACE = frozenset(
    {"upos", "relation", "value", "attribute", "collection", "of", "tag", "target", "lowered"}
)
_FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.fictc"


class _Positioned(typing.Protocol):
    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...
    @property
    def position(self) -> types.Position: ...


def _position(ls: FictServer, params: _Positioned, *, quick: bool = False) -> tuple[Snapshot, int]:
    snapshot = (ls.quick_snapshot if quick else ls.snapshot)(params.text_document.uri)
    return snapshot, snapshot.document.offset(params.position.line, params.position.character)


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except navigation.RefusedError as error:
        raise JsonRpcException(str(error), _REQUEST_FAILED) from None


def _register_positions(server: FictServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=_TRIGGERS))
    def completion(ls: FictServer, params: types.CompletionParams) -> list[types.CompletionItem]:
        snapshot, offset = _position(ls, params, quick=True)
        context, completions = complete(snapshot, offset)
        if params.context and params.context.trigger_character == " " and context.kind not in _OFFERED_AFTER_SPACE:
            return []
        client = ls.client_capabilities.text_document
        item = client.completion.completion_item if client and client.completion else None
        snippets = bool(item and item.snippet_support)
        replaced = range_of(snapshot.document, context.span)
        return [completion_of(completion, replaced, rank, snippets) for rank, completion in enumerate(completions)]

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hovered(ls: FictServer, params: types.HoverParams) -> types.Hover | None:
        snapshot, offset = _position(ls, params, quick=True)
        result = hover(snapshot, offset)
        if result is None:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, result.markdown)
        return types.Hover(content, range_of(snapshot.document, result.span))


def _register_names(server: FictServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: FictServer, params: types.DefinitionParams) -> types.Location | None:
        snapshot, offset = _position(ls, params)
        location = navigation.definition(ls.documents, snapshot, offset)
        return None if location is None else location_of(location)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(ls: FictServer, params: types.ReferenceParams) -> list[types.Location]:
        snapshot, offset = _position(ls, params)
        declaration = navigation.definition(ls.documents, snapshot, offset)
        locations = navigation.references(ls.documents, snapshot, offset)
        if not params.context.include_declaration:
            locations = [location for location in locations if location != declaration]
        return [location_of(location) for location in locations]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlights(ls: FictServer, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        snapshot, offset = _position(ls, params, quick=True)
        spans = navigation.document_references(snapshot, offset)
        return [types.DocumentHighlight(range_of(snapshot.document, span)) for span in spans]

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(ls: FictServer, params: types.PrepareRenameParams) -> types.Range:
        snapshot, offset = _position(ls, params)
        with _refusing():
            return range_of(snapshot.document, navigation.name_at(snapshot, offset).span)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def rename(ls: FictServer, params: types.RenameParams) -> types.WorkspaceEdit:
        snapshot, offset = _position(ls, params)
        with _refusing():
            locations = navigation.rename(ls.documents, snapshot, offset, params.new_name)
        return edits_of([(location, params.new_name) for location in locations])


def _register_documents(server: FictServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(ls: FictServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        snapshot = ls.latest_snapshot(params.text_document.uri)
        return [symbol_of(snapshot.document, item, about) for item, about in navigation.symbols(snapshot)]

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatting(ls: FictServer, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        snapshot = ls.snapshot(params.text_document.uri)
        text = format_text(snapshot.document.written, snapshot.module.source.name).text
        return None if text is None else replacement_edits(snapshot, text)

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
            edits = replacement_edits(snapshot, fixed_text(ls.documents, snapshot))
            if edits:
                changes = types.WorkspaceEdit({snapshot.uri: edits})
                offered.append(types.CodeAction("Apply all safe fixes", _FIX_ALL, edit=changes))
        return offered


def _quick_fix(ls: FictServer, snapshot: Snapshot, action: Action) -> types.CodeAction:
    return types.CodeAction(
        title=action.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic_of(ls.documents, snapshot, action.finding)],
        is_preferred=action.preferred or None,
        edit=edits_of([(navigation.Location(snapshot.document, snapshot.uri, action.span), action.replacement)]),
    )


def make_server() -> FictServer:
    server = FictServer()
    register_notifications(server)
    _register_positions(server)
    _register_names(server)
    _register_documents(server)
    return server
