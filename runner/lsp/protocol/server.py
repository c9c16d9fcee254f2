"""The language server, put together: a session that follows documents and answers what is asked of them."""

from __future__ import annotations

from runner.lsp.protocol.requests import answer
from runner.lsp.protocol.session import FictServer, follow


def make_server() -> FictServer:
    """A server for one editor."""
    server = FictServer()
    follow(server)
    answer(server)
    return server
