"""One editor's session: the documents it has open, and the diagnostics it is sent as they change."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import version
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInternalError, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from runner.lsp.documents.documents import Desk, Study
from runner.lsp.documents.findings import findings
from runner.lsp.documents.page import Page
from runner.lsp.documents.paths import path_of
from runner.lsp.protocol import convert
from runner.lsp.protocol.base import Protocol, strict_converter
from runner.lsp.protocol.connection import end_with
from runner.workspace import alive

_PAUSE = 0.15  # seconds without a keystroke before diagnostics are made
_LARGE = 30_000  # characters of open documents that are analysed between two requests
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
        self._analysing = False
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
        """Send the diagnostics of every open document that are not those sent last.

        Where the documents are large, a thread makes them, and requests are answered meanwhile.
        """
        if self.is_large:
            self._analyse()
        else:
            self._send_all(self._found(self.desk, self._versions))

    @property
    def is_large(self) -> bool:
        """Whether an analysis of the open documents takes longer than an editor waits."""
        return self.desk.size > _LARGE

    def glance(self, uri: str) -> Study:
        """What is known of an open document; of a large one, without an analysis. Raises JsonRpcInvalidParams."""
        self.page(uri)
        return self.desk.glance(uri) if self.is_large else self.desk.study(uri)

    def finished(self, uri: str) -> Study:
        """The last analysis of a large document, else that of the present text. Raises JsonRpcInvalidParams."""
        self.page(uri)
        return self.desk.finished(uri) if self.is_large else self.desk.study(uri)

    def _analyse(self) -> None:
        """Make the diagnostics in a thread, one at a time; begin again afterwards if there were edits."""
        if self._analysing:
            return
        self._analysing = True
        desk, versions, loop = self.desk.copy(), dict(self._versions), asyncio.get_running_loop()

        def work() -> None:
            found, failure = {}, None
            try:
                found = self._found(desk, versions)
            except Exception as error:  # noqa: BLE001 - reported below, as one of a request is
                failure = error
            with suppress(RuntimeError):  # the session has ended
                loop.call_soon_threadsafe(self._analysed, desk, found, failure)

        threading.Thread(target=work, daemon=True).start()

    def _analysed(
        self, desk: Desk, found: dict[str, types.PublishDiagnosticsParams], failure: Exception | None
    ) -> None:
        self._analysing = False
        if failure is not None:
            _LOG.error("", exc_info=failure)
        else:
            self.desk.adopt(desk)
        if desk.edition != self.desk.edition:
            self.publish()
        elif failure is None:
            self._send_all(found)

    @staticmethod
    def _found(desk: Desk, versions: Mapping[str, int]) -> dict[str, types.PublishDiagnosticsParams]:
        """The diagnostics of every document."""
        sent = {}
        for uri in desk.keys:
            study = desk.study(uri)
            found = [convert.diagnostic_of(desk, study, finding) for finding in findings(study)]
            sent[uri] = types.PublishDiagnosticsParams(uri, found, versions[uri])
        return sent

    def _send_all(self, found: Mapping[str, types.PublishDiagnosticsParams]) -> None:
        for uri, sent in found.items():
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
