"""The application: the page, its assets and its questions."""

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
from runner.explore.queries.offer import Offer, prepare, prepare_nothing
from runner.explore.server.answer import Answer
from runner.explore.server.ask import asked
from runner.explore.server.guard import Guard, Secrets
from runner.explore.server.page import ASSETS, asset, page
from runner.explore.server.questions import EDITOR, STORES

EDITOR_SECONDS = 5.0  # limit of a question of the editor


def application(offer: Offer, known: Secrets, processes: int) -> ASGIApp:
    """Return the application; `processes` workers search, and their limits of memory add up to that of the offer."""
    shared = replace(offer, limits=replace(offer.limits, memory=offer.limits.bytes_of_memory() // processes))
    stores = Pool(processes, shared.limits, (prepare, (shared,)))
    editor = Pool(1, replace(offer.limits, timeout=EDITOR_SECONDS), (prepare_nothing, ()))

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        stores.start()
        editor.start()
        try:
            yield
        finally:
            stores.close()
            editor.close()

    async def first(_: Request) -> Response:
        return HTMLResponse(page(offer, known.page))

    async def question(request: Request) -> Response:
        name = request.path_params["name"]
        content = await asked(request, offer)
        if name in EDITOR:
            return Answer(EDITOR[name](editor, content), EDITOR_SECONDS)
        if name in STORES:
            return Answer(STORES[name](stores, content), offer.limits.timeout)
        raise HTTPException(404, "there is no such question")

    async def refused(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return PlainTextResponse(f"{error.detail}\n", error.status_code)

    routes = [
        Route("/", first),
        Route("/assets/{name}", _asset),
        Route("/ask/{name}", question, methods=["POST"]),
    ]
    app = Starlette(routes=routes, lifespan=running, exception_handlers={HTTPException: refused})
    app.state.stores, app.state.editor = stores, editor
    return Guard(app, known)


async def _asset(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in ASSETS:
        raise HTTPException(404, "there is no such file")
    content, kind = asset(Path(name).name)
    return Response(content, media_type=kind)
