"""Serve the explorer until it is interrupted."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from ipaddress import ip_address

import uvicorn

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.explore.queries.settings import ExplorerSettings
from runner.explore.server.app import application
from runner.explore.server.guard import Secrets


class _Server(uvicorn.Server):
    """A server that calls `on_started` as soon as it accepts requests."""

    def __init__(self, config: uvicorn.Config, on_started: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_started = on_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_started()


def serve(settings: ExplorerSettings, host: str, port: int, processes: int, on_started: Callable[[str], None]) -> None:
    """Serve the explorer until it is interrupted, on any free port if `port` is 0.

    `on_started` is called with the URL to open as soon as the server accepts requests.

    Raises InputError (FICT850) if the address cannot be used, or stands for all addresses of this machine.
    """
    listener = _listen(host, port)
    if ip_address(
        listener.getsockname()[0]
    ).is_unspecified:  # such as 0.0.0.0, which no browser of another machine opens
        listener.close()
        hint = "name the address or host name that the browser uses, such as 192.168.1.5"
        reason = "it stands for every address of this machine"
        raise InputError(diagnostic("FICT850", host=host, port=port, reason=reason, hint=hint))
    secrets = Secrets(host, listener.getsockname()[1])
    config = uvicorn.Config(
        application(settings, secrets, processes),
        log_level="warning",
        access_log=False,  # the URL contains a secret, which must not be logged
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
        ws="none",
    )
    server = _Server(config, lambda: on_started(secrets.url))
    asyncio.run(server.serve([listener]))


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        is_lookup_error = isinstance(error, socket.gaierror) or error.errno is None
        reason = str(error.strerror or error) if is_lookup_error else os.strerror(error.errno or 0)
        raise InputError(diagnostic("FICT850", host=host, port=port, reason=reason.lower())) from error
