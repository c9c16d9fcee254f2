"""Build the language server."""

from __future__ import annotations

from runner.lsp.protocol.requests import register_requests
from runner.lsp.protocol.session import FictServer, register_notifications


def make_server() -> FictServer:
    """Return a server for one editor."""
    server = FictServer()
    register_notifications(server)
    register_requests(server)
    return server
