"""One editor's session: the documents it has open, and the diagnostics it is sent as they change."""

from __future__ import annotations

import asyncio
import logging
from importlib.metadata import version
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInternalError, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from runner.lsp import protocol
from runner.lsp.base import Protocol, strict_converter
from runner.lsp.connection import end_with
from runner.lsp.desk import Desk, Study
from runner.lsp.findings import findings
from runner.lsp.page import Page
from runner.lsp.paths import path_of
from runner.workspace import alive

_PAUSE = 0.15  # seconds without a keystroke before diagnostics are made
_LOG = logging.getLogger(__name__)


class FictServer(LanguageServer):
    """One editor's session: its open documents, and the diagnostics that wait to be made."""

    protocol: Protocol

    def __init__(self) -> None:
        sync = types.TextDocumentSyncKind.Incremental
        super().__init__("fictc", version("fictc"), sync, protocol_cls=Protocol, converter_factory=strict_converter)
        self.desk = Desk()
        self._versions: dict[str, int] = {}
        self._published: dict[str, types.PublishDiagnosticsParams] = {}
        self._waiting: asyncio.TimerHandle | None = None
        self.watch: asyncio.Task[None] | None = None
        logging.getLogger("pygls").setLevel(logging.CRITICAL)  # what it logs is answered, or reported below

    def report_server_error(self, error: Exception, source: Any) -> None:  # noqa: ARG002
        """Log where a bug of the server is; mistakes of the client are answered."""
        if isinstance(error, JsonRpcInternalError):
            _LOG.error("%s%s", "".join((error.data or {}).get("traceback", ())), error)

    def study(self, uri: str) -> Study:
        """What is known of an open document. Raises JsonRpcInvalidParams if it is not open."""
        self.page(uri)
        return self.desk.study(uri)

    def page(self, uri: str) -> Page:
        """The text of an open document. Raises JsonRpcInvalidParams if it is not open."""
        page = self.desk.page(uri)
        if page is None:
            raise JsonRpcInvalidParams(f"no document of this name is open: {uri}")
        return page

    def open(self, document: types.TextDocumentItem) -> None:
        """Take a document over."""
        self._versions[document.uri] = document.version
        self.desk.put(document.uri, path_of(document.uri), document.text)

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Make the changes of a document, one after the other."""
        uri = params.text_document.uri
        page = self.page(uri)
        for change in params.content_changes:
            page = _changed(page, change)
        self._versions[uri] = params.text_document.version
        self.desk.change(uri, page)

    def close(self, uri: str) -> None:
        """Give a document back, and take its diagnostics away."""
        self.page(uri)
        self.desk.close(uri)
        self._versions.pop(uri)
        self._published.pop(uri, None)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def publish_soon(self) -> None:
        """Publish diagnostics once nothing was typed for a moment."""
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = asyncio.get_running_loop().call_later(_PAUSE, self.publish)

    def publish(self) -> None:
        """Send the diagnostics of every open document that are not those sent last."""
        for uri in self.desk.keys:
            study = self.desk.study(uri)
            found = [protocol.diagnostic_of(self.desk, study, finding) for finding in findings(study)]
            sent = types.PublishDiagnosticsParams(uri, found, self._versions[uri])
            if self._published.get(uri) != sent:
                self._published[uri] = sent
                self.text_document_publish_diagnostics(sent)


def follow(server: FictServer) -> None:
    """Take over every change of a document, and publish what it leads to."""

    @server.feature(types.INITIALIZE)
    def initialize(ls: FictServer, params: types.InitializeParams) -> None:
        """Count characters as the editor does, and end with it."""
        ls.desk.encoding = types.PositionEncodingKind(ls.workspace.position_encoding or "utf-16").value
        if params.process_id is not None and alive(params.process_id):  # not where its numbers are another system's
            ls.watch = asyncio.create_task(end_with(params.process_id, ls.protocol))

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: FictServer, params: types.DidOpenTextDocumentParams) -> None:
        """Check a document at once."""
        ls.open(params.text_document)
        ls.publish()

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: FictServer, params: types.DidChangeTextDocumentParams) -> None:
        """Check a document, and those that use it, after a moment."""
        ls.change(params)
        ls.publish_soon()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: FictServer, params: types.DidCloseTextDocumentParams) -> None:
        """Take the diagnostics of a document away."""
        ls.close(params.text_document.uri)
        ls.publish()

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_files(ls: FictServer, _: object) -> None:
        """A file on disk is another one now: a word list, or a file that is used."""
        ls.desk.refresh()
        ls.publish()


def _changed(page: Page, change: types.TextDocumentContentChangeEvent) -> Page:
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return Page(change.text, page.encoding)
    start, end = change.range.start, change.range.end
    return page.replaced((start.line, start.character), (end.line, end.character), change.text)
