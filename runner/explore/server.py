"""The web application: the page, its assets and endpoints, guarded against requests from elsewhere.

Other sites in the same browser can send requests to this machine. They know neither the token nor the cookie, and the
browser states the origin of a request.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from hmac import compare_digest
from html import escape
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request, cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.draw.svg import STYLE
from fictdsl.highlight import FictLexer
from fictdsl.installation import shipped
from runner.errors import InputError
from runner.explore.conditions import KINDS
from runner.explore.endpoints import EDITOR, STORES, NdjsonResponse, read_request
from runner.explore.language import prepare_editor
from runner.explore.markup import rendered
from runner.explore.query import ExplorerSettings, prepare
from runner.explore.worker_pool import Pool

TOKEN_HEADER = "x-fictc-token"
_HTTP_PORT = 80
MAX_STATE = 8_192  # bytes of the query string of a URL
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}


_secret = partial(secrets.token_urlsafe, 24)


@dataclass(frozen=True)
class Secrets:
    host: str
    port: int
    start_token: str = field(default_factory=_secret, repr=False)
    cookie: str = field(default_factory=_secret, repr=False)
    page_token: str = field(default_factory=_secret, repr=False)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The accepted values of the `Host` header. Browsers send lowercase names and omit port 80."""
        names: tuple[str, ...] = ("127.0.0.1", "localhost") if self.host == "127.0.0.1" else (self.host.lower(),)
        names = tuple(f"[{name}]" if ":" in name else name for name in names)
        return (*(f"{name}:{self.port}" for name in names), *(names if self.port == _HTTP_PORT else ()))

    @property
    def cookie_name(self) -> str:
        return f"fictc-{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.hosts[0]}/?token={self.start_token}"


class Guard:
    def __init__(self, app: ASGIApp, expected: Secrets) -> None:
        self._app, self._expected = app, expected

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
            await send(message)

        rejection = self._rejection(scope)
        await (self._app if rejection is None else rejection)(scope, receive, send_with_headers)

    def _rejection(self, scope: Scope) -> Response | None:
        headers, expected = Headers(scope=scope), self._expected
        if headers.getlist("host") not in [[host] for host in expected.hosts]:
            return _refusal("this server has another name", 421)
        if len(scope["query_string"]) > MAX_STATE:
            return _refusal(f"a URL has at most {MAX_STATE:,} bytes after `?`", 414)
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if scope["method"] == "GET" and scope["path"] == "/" and any(name == "token" for name, _ in query):
            return self._exchange(query)
        origin = f"http://{headers['host']}"
        site = headers.get("sec-fetch-site")
        if site not in ("same-origin", "none") and (site is not None or headers.get("origin") != origin):
            return _refusal("the request comes from another page")
        cookie = cookie_parser(headers.get("cookie", "")).get(expected.cookie_name, "")
        if not _is_equal(cookie, expected.cookie):
            return _refusal("open the URL that `fictc explore` printed")
        if scope["method"] not in ("GET", "HEAD") and (
            headers.get("origin") != origin or not _is_equal(headers.get(TOKEN_HEADER, ""), expected.page_token)
        ):
            return _refusal("only the page itself may send this request; reload it")
        return None

    def _exchange(self, query: list[tuple[str, str]]) -> Response:
        token = next(value for name, value in query if name == "token")
        if not _is_equal(token, self._expected.start_token):
            return _refusal("this is not the token that `fictc explore` printed")
        remaining_query = urlencode([(name, value) for name, value in query if name != "token"])
        response = RedirectResponse(f"/?{remaining_query}" if remaining_query else "/", 303)
        response.set_cookie(
            self._expected.cookie_name, self._expected.cookie, httponly=True, samesite="strict", path="/"
        )
        return response


def _is_equal(first: str, second: str) -> bool:
    return compare_digest(first.encode("utf-8", "replace"), second.encode("utf-8", "replace"))


def _refusal(reason: str, status: int = 403) -> Response:
    return PlainTextResponse(f"Refused: {reason}.\n", status)


_FOLDER = Path(__file__).parent / "assets"
_REPORT_ASSETS = Path(__file__).parents[1] / "report" / "assets"
_MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
HELP = ("language", "reference")  # pages of the documentation
_HEADING = re.compile(r"<(h\d)>(.*?)</\1>")
_LINK = re.compile(r"\[([^]]+)\]\(([\w./-]+?)\.md((?:#[\w-]+)?)\)")


@cache
def _assets() -> dict[str, str]:
    files = {path.name: path for path in _FOLDER.iterdir() if path.suffix in _MEDIA_TYPES}
    figure_style = "".join((_REPORT_ASSETS / part).read_text(encoding="utf-8") for part in ("theme.css", "figure.css"))
    texts = {name: path.read_text(encoding="utf-8") for name, path in files.items()}
    return {**texts, "tree.css": STYLE, "figure.css": figure_style}


def help_page(name: str) -> str | None:
    from markdown_it import MarkdownIt  # a requirement of rich

    from fictdsl.lint.pages import page as message_page

    if name in HELP:
        text = (shipped("docs") / f"{name}.md").read_text(encoding="utf-8")
    elif name in CATALOGUE:
        text = message_page(name).markdown
    else:
        return None
    text = _LINK.sub(lambda link: f"[{link[1]}]({link[2]}{link[3]})" if link[2] in HELP else link[1], text)
    markdown = MarkdownIt("commonmark", {"html": False, "highlight": _highlighted}).enable("table")
    return rendered("help.html", title=name, body=_HEADING.sub(_anchored, markdown.render(text)))


def _anchored(heading: re.Match[str]) -> str:
    words = re.findall(r"[\w-]+", re.sub(r"<[^>]*>", "", heading[2]).lower())
    return f'<{heading[1]} id="{"-".join(words)}">{heading[2]}</{heading[1]}>'


def _highlighted(code: str, language: str, _: str) -> str:
    from pygments import highlight
    from pygments.formatters import HtmlFormatter

    return str(highlight(code, FictLexer(), HtmlFormatter(nowrap=True))) if language == "fict" else escape(code)


def page(settings: ExplorerSettings, token: str) -> str:
    files = [f"{path.parent.name}/{path.stem}" for path in settings.library]
    values = {"stores": settings.store_names, "files": files, "kinds": KINDS}
    return rendered("page.html", **values, token=token, settings=settings)


EDITOR_SECONDS = 5.0  # time limit of a request from the editor
_EDITOR_TIMEOUT_MESSAGE = f"The editor has no response after {EDITOR_SECONDS:g} s."


def application(settings: ExplorerSettings, secrets: Secrets, processes: int) -> ASGIApp:
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
    if name not in _assets():
        raise HTTPException(404, "there is no such file")
    return Response(_assets()[name], media_type=_MEDIA_TYPES[Path(name).suffix])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, on_started: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_started = on_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_started()


def serve(settings: ExplorerSettings, host: str, port: int, processes: int, on_started: Callable[[str], None]) -> None:
    """Serve the explorer until it is interrupted, on any free port if `port` is 0; `on_started` is given the URL."""
    listener = _listen(host, port)
    address, used_port = listener.getsockname()[:2]
    if ip_address(address).is_unspecified:  # such as 0.0.0.0, which no browser of another machine opens
        listener.close()
        hint = "name the address or host name that the browser uses, such as 192.168.1.5"
        reason = "it stands for every address of this machine"
        raise InputError.of("FICT850", host=host, port=port, reason=reason, hint=hint)
    secrets = Secrets(host, used_port)
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
        raise InputError.of("FICT850", host=host, port=port, reason=reason.lower()) from error
