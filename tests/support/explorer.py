"""The explorer as a user starts it: a process, its URL, a client with the cookie and token of its page, and the page."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.support import corpora
from tests.support.reading import tree

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"
ROOT = Path(__file__).parents[2]


@dataclass
class Explorer:
    """A running explorer. `client` has opened the page."""

    url: str
    pid: int
    client: httpx.Client
    token: str
    origin: str = field(init=False)

    def __post_init__(self) -> None:
        self.origin = self.url.partition("/?")[0]

    @property
    def headers(self) -> dict[str, str]:
        """The headers of a request from the page."""
        return {"origin": self.origin, "x-fictc-token": self.token, "sec-fetch-site": "same-origin"}

    def ask(self, name: str, /, **values: Any) -> list[dict[str, Any]]:
        """Return the objects of a response."""
        response = self.post(name, **values)
        assert response.status_code == 200, response.text
        return [json.loads(line) for line in response.text.splitlines()]

    def post(self, name: str, /, **values: Any) -> httpx.Response:
        """Return the response to a request."""
        body = {"store": 0, "text": "", "view": "kwic", "sort": "", "offset": 0, **values}
        return self.client.post(f"{self.origin}/api/{name}", json=body, headers=self.headers)

    def workers(self) -> set[int]:
        """Return the processes that the server has started."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii")
        return {int(each) for each in children.split()}


@contextmanager
def explorer(*arguments: object, errors: Path | None = None) -> Iterator[Explorer]:
    """Start the explorer, and end it afterwards. Its standard error is appended to the file `errors`."""
    command = [sys.executable, "-m", "runner.cli", "explore", *map(str, arguments), "--no-browser"]
    with nullcontext() if errors is None else errors.open("a") as stderr:
        process = subprocess.Popen(command, cwd=ROOT, env=os.environ, stdout=subprocess.PIPE, stderr=stderr, text=True)
    assert process.stdout is not None
    try:
        url = process.stdout.readline().strip()
        assert url, "the explorer did not start"
        with httpx.Client(timeout=60, headers={"sec-fetch-site": "none"}) as client:
            page = client.get(url, follow_redirects=True)
            token = re.search(r'name="token" content="([^"]+)"', page.text)
            assert token is not None, page.text
            yield Explorer(url, process.pid, client, token[1])
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


def small_store(folder: Path, *, long: int = 300) -> Path:
    """Write a store of 120 sentences with a subject, a hostile one, and one of `long` words, if any."""
    nouns, verbs = ("dogs", "cats", "birds"), ("bark", "see", "sing", "run")
    sentences = [
        tree(
            f"the DET 2 det\n{nouns[n % 3]} NOUN 3 nsubj lemma={nouns[n % 3][:-1]}\n"
            f"{verbs[n % 4]} VERB 0 root lemma={verbs[n % 4]}\n{nouns[n % 2]} NOUN 3 obj lemma={nouns[n % 2][:-1]}",
            f"sent_id = s{n}",
        )
        for n in range(120)
    ]
    sentences.append(tree(f"{HOSTILE.replace(' ', '_')} X 0 root", "sent_id = hostile"))
    if long:
        sentences.append(tree("w X 0 root\n" + "w X 1 dep\n" * (long - 1), "sent_id = long"))
    return corpora.store(folder, corpora.conllu(sentences)).path


@contextmanager
def watched_page(browser: Any, served: Explorer) -> Iterator[Any]:
    """Open the page; errors of its scripts, dialogs and requests elsewhere fail the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    shown = context.new_page()
    troubles: list[str] = []
    shown.on("pageerror", lambda error: troubles.append(str(error)))
    shown.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    shown.on("dialog", lambda dialog: troubles.append(dialog.message))
    own = (served.origin, "data:", "blob:")
    shown.on("request", lambda request: None if request.url.startswith(own) else troubles.append(request.url))
    shown.goto(served.url)
    yield shown
    context.close()
    assert troubles == []


def write(page: Any, text: str) -> None:
    """Write a query, and wait for its first matches."""
    page.fill("#text", text)
    page.wait_for_selector("#results tr[data-sid]")


def status(page: Any, text: str) -> None:
    """Wait until the line above the matches has a text."""
    page.locator("#status", has_text=text).wait_for(timeout=20_000)


def has_value(page: Any, selector: str, value: str | re.Pattern[str]) -> None:
    """Wait until a field has a value, which the page may set only after an answer of the server."""
    from playwright.sync_api import expect

    expect(page.locator(selector)).to_have_value(value)
