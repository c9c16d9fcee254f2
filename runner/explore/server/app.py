"""The web application: the page, its assets and its endpoints."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from runner.explore.processes.pool import Pool
from runner.explore.queries.language import prepare_editor
from runner.explore.queries.settings import ExplorerSettings, prepare
from runner.explore.server.endpoints import EDITOR, STORES
from runner.explore.server.guard import Guard, Secrets
from runner.explore.server.page import ASSETS, asset, help_page, page
from runner.explore.server.request import read_request
from runner.explore.server.response import NdjsonResponse

EDITOR_SECONDS = 5.0  # time limit of a request from the editor
_EDITOR_TIMEOUT_MESSAGE = f"The editor has no response after {EDITOR_SECONDS:g} s."


def application(settings: ExplorerSettings, secrets: Secrets, processes: int) -> ASGIApp:
    """Return the application. `processes` workers search the stores, and share the memory limit of the settings."""
    worker_settings = replace(
        settings, limits=replace(settings.limits, memory=settings.limits.bytes_of_memory() // processes)
    )
    stores = Pool(processes, worker_settings.limits, (prepare, (worker_settings,)))
    editor = Pool(1, replace(settings.limits, timeout=EDITOR_SECONDS), (prepare_editor, ()))

    timeout_message = f"There is no response after {settings.limits.timeout:g} s; `--timeout` raises the limit."

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        stores.start()
        editor.start()
        try:
            yield
        finally:
            stores.close()
            editor.close()

    async def index(_: Request) -> Response:
        return HTMLResponse(page(settings, secrets.page_token))

    async def endpoint(request: Request) -> Response:
        name = request.path_params["name"]
        content = await read_request(request, settings)
        if name in EDITOR:
            return NdjsonResponse(EDITOR[name](editor, content), _EDITOR_TIMEOUT_MESSAGE)
        if name in STORES:
            return NdjsonResponse(STORES[name](stores, content), timeout_message)
        raise HTTPException(404, "there is no such endpoint")

    async def error_response(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return PlainTextResponse(f"{error.detail}\n", error.status_code)

    routes = [
        Route("/", index),
        Route("/assets/{name}", _asset),
        Route("/pages/{name}", _help),
        Route("/api/{name}", endpoint, methods=["POST"]),
    ]
    app = Starlette(routes=routes, lifespan=running, exception_handlers={HTTPException: error_response})
    app.state.stores, app.state.editor = stores, editor
    return Guard(app, secrets)


def _help(request: Request) -> Response:
    text = help_page(request.path_params["name"])
    if text is None:
        raise HTTPException(404, "there is no such page")
    return HTMLResponse(text)


async def _asset(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in ASSETS:
        raise HTTPException(404, "there is no such file")
    content, media_type = asset(Path(name).name)
    return Response(content, media_type=media_type)
