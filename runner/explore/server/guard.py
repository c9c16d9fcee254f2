"""Reject requests that do not come from the page itself.

Other sites in the same browser can send requests to this machine. They know neither the token nor the cookie, and the
browser states the origin of a request.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from hmac import compare_digest
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


def _secret() -> str:
    return secrets.token_urlsafe(24)


@dataclass(frozen=True)
class Secrets:
    """The address of a server, the token in its start URL, the value of the cookie and the token of the page."""

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
        """The name of the cookie. It contains the port, because browsers share cookies between ports."""
        return f"fictc-{self.port}"

    @property
    def url(self) -> str:
        """The start URL, which contains a token."""
        return f"http://{self.hosts[0]}/?token={self.start_token}"


class Guard:
    """An ASGI application that forwards the requests of the page to `app`, and rejects all others."""

    def __init__(self, app: ASGIApp, expected: Secrets) -> None:
        self._app, self._expected = app, expected

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
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
        """Exchange the token of the start URL for a cookie, and redirect to the URL without the token."""
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
