"""Requests that do not come from the page are refused."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from runner.explore.server import Guard, Secrets

KNOWN = Secrets("127.0.0.1", 8123)
HOST, ORIGIN = "127.0.0.1:8123", "http://127.0.0.1:8123"
COOKIE = f"fictc-8123={KNOWN.cookie}"
READ = {"host": HOST, "sec-fetch-site": "same-origin", "cookie": COOKIE}
WRITE = {**READ, "origin": ORIGIN, "x-fictc-token": KNOWN.page_token}


async def _passed(_: object) -> PlainTextResponse:
    return PlainTextResponse("passed")


def ask(method: str, path: str, headers: dict[str, str]) -> httpx.Response:
    app = Guard(Starlette(routes=[Route("/{path:path}", _passed, methods=["GET", "POST"])]), KNOWN)

    async def send() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ORIGIN) as client:
            return await client.request(method, path, headers=headers)

    return asyncio.run(send())


def without(headers: dict[str, str], name: str) -> dict[str, str]:
    return {key: value for key, value in headers.items() if key != name}


def test_the_page_may_ask() -> None:
    assert ask("GET", "/", READ).text == "passed"
    assert ask("POST", "/api/search", WRITE).text == "passed"
    assert ask("GET", "/", {**READ, "host": "localhost:8123"}).text == "passed"


def test_the_token_becomes_a_cookie_and_leaves_the_url() -> None:
    answer = ask(
        "GET", f"/?text=V%3AVERB&token={KNOWN.start_token}&view=arcs", {"host": HOST, "sec-fetch-site": "cross-site"}
    )
    assert answer.status_code == 303
    assert answer.headers["location"] == "/?text=V%3AVERB&view=arcs"
    name, _, flags = answer.headers["set-cookie"].partition("=")
    assert name == "fictc-8123"
    assert flags.startswith(f"{KNOWN.cookie};") and "HttpOnly" in flags and "SameSite=strict" in flags
    assert answer.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("token", ["", "x", KNOWN.cookie, KNOWN.page_token, KNOWN.start_token + "x", "é"], ids=range(6))
def test_another_token_is_refused(token: str) -> None:
    assert ask("GET", f"/?token={token}", {"host": HOST}).status_code == 403


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:80", "evil.example:8123", "127.0.0.1:8123.evil.example", ""])
def test_another_host_is_refused(host: str) -> None:
    for path in ("/", f"/?token={KNOWN.start_token}"):
        assert ask("GET", path, {**READ, "host": host}).status_code == 421


@pytest.mark.parametrize("site", ["cross-site", "same-site", "", "SAME-ORIGIN"])
def test_another_site_is_refused(site: str) -> None:
    assert ask("GET", "/", {**READ, "sec-fetch-site": site, "origin": ORIGIN}).status_code == 403
    assert ask("POST", "/api/search", {**WRITE, "sec-fetch-site": site}).status_code == 403


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "https://127.0.0.1:8123", "http://127.0.0.1"])
def test_another_origin_is_refused(origin: str | None) -> None:
    given = without(WRITE, "origin") if origin is None else {**WRITE, "origin": origin}
    assert ask("POST", "/api/search", given).status_code == 403
    old_browser = without(given, "sec-fetch-site")
    assert ask("GET", "/", old_browser).status_code == 403


def test_an_old_browser_may_ask_with_the_origin() -> None:
    assert ask("POST", "/api/search", without(WRITE, "sec-fetch-site")).text == "passed"


@pytest.mark.parametrize(
    "cookie", ["", "fictc-8124=" + KNOWN.cookie, "fictc-8123=x", "fictc-8123=" + KNOWN.start_token], ids=range(4)
)
def test_another_cookie_is_refused(cookie: str) -> None:
    assert ask("GET", "/", {**READ, "cookie": cookie}).status_code == 403


@pytest.mark.parametrize("token", [None, "", KNOWN.cookie, KNOWN.start_token], ids=range(4))
def test_a_request_without_the_token_of_the_page_is_refused(token: str | None) -> None:
    given = without(WRITE, "x-fictc-token") if token is None else {**WRITE, "x-fictc-token": token}
    assert ask("POST", "/api/search", given).status_code == 403


def test_a_long_url_is_refused() -> None:
    assert ask("GET", f"/?text={'x' * 8_187}", READ).text == "passed"
    assert ask("GET", f"/?text={'x' * 8_188}", READ).status_code == 414


def test_every_answer_has_the_headers() -> None:
    for answer in (ask("GET", "/", READ), ask("GET", "/", {"host": "evil.example"})):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "script-src 'self'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_ipv6_has_brackets() -> None:
    assert Secrets("::1", 8123).hosts == ("[::1]:8123",)


def test_names_are_lowercase_as_browsers_send_them() -> None:
    assert Secrets("MyHost", 8123).hosts == ("myhost:8123",)
    assert Secrets("FE80::1", 8123).url.startswith("http://[fe80::1]:8123/")


def test_browsers_omit_the_port_of_http() -> None:
    assert {"localhost", "localhost:80", "127.0.0.1"} <= set(Secrets("127.0.0.1", 80).hosts)
    assert "[::1]" in Secrets("::1", 80).hosts
    assert "localhost" not in KNOWN.hosts
