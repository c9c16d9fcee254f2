"""One editor's session: the documents it has open, and the diagnostics it is sent as they change."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from pathlib import Path

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from runner.lsp import protocol
from runner.lsp.desk import Desk
from runner.lsp.findings import findings

_PAUSE = 0.15  # seconds without a keystroke before diagnostics are made


class FictServer(LanguageServer):
    """One editor's session: its open documents, and the diagnostics that wait to be made."""

    def __init__(self) -> None:
        # Whole texts, not changes to them: files are small, and lines are then counted in one place only, `Page`.
        super().__init__("fictc", version("fictc"), types.TextDocumentSyncKind.Full)
        self.desk = Desk()
        self._published: dict[str, types.PublishDiagnosticsParams] = {}
        self._waiting: asyncio.TimerHandle | None = None

    def put(self, uri: str) -> None:
        """Take over what the editor has now."""
        path = uris.to_fs_path(uri) if uri.startswith("file:") else None
        self.desk.put(uri, Path(path) if path else None, self.workspace.get_text_document(uri).source)

    def forget(self, uri: str) -> None:
        """Take the diagnostics of a document away."""
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
            sent = types.PublishDiagnosticsParams(uri, found, self.workspace.get_text_document(uri).version)
            if self._published.get(uri) != sent:
                self._published[uri] = sent
                self.text_document_publish_diagnostics(sent)


def follow(server: FictServer) -> None:
    """Take over every change of a document, and publish what it leads to."""

    @server.feature(types.INITIALIZE)
    def initialize(ls: FictServer, _: types.InitializeParams) -> None:
        """Count characters as the editor does."""
        ls.desk.encoding = types.PositionEncodingKind(ls.workspace.position_encoding or "utf-16").value

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: FictServer, params: types.DidOpenTextDocumentParams) -> None:
        """Check a document at once."""
        ls.put(params.text_document.uri)
        ls.publish()

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(ls: FictServer, params: types.DidChangeTextDocumentParams) -> None:
        """Check a document, and those that use it, after a moment."""
        ls.put(params.text_document.uri)
        ls.publish_soon()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: FictServer, params: types.DidCloseTextDocumentParams) -> None:
        """Take the diagnostics of a document away."""
        uri = params.text_document.uri
        ls.desk.close(uri)
        ls.forget(uri)
        ls.publish()

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_files(ls: FictServer, _: object) -> None:
        """A file on disk is another one now: a word list, or a file that is used."""
        ls.desk.refresh()
        ls.publish()
