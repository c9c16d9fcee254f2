"""The explorer as a user starts it: a process, its URL, and a client with the cookie and token of its page."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

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

    def ask(self, name: str, **values: Any) -> list[dict[str, Any]]:
        """Return the objects of a response."""
        response = self.post(name, **values)
        assert response.status_code == 200, response.text
        return [json.loads(line) for line in response.text.splitlines()]

    def post(self, name: str, **values: Any) -> httpx.Response:
        """Return the response to a request."""
        body = {"store": 0, "text": "", "view": "kwic", "sort": "", "offset": 0, **values}
        return self.client.post(f"{self.origin}/api/{name}", json=body, headers=self.headers)

    def workers(self) -> set[int]:
        """Return the processes that the server has started."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii")
        return {int(each) for each in children.split()}


@contextmanager
def explorer(*arguments: object) -> Iterator[Explorer]:
    """Start the explorer, and end it afterwards."""
    command = [sys.executable, "-m", "runner.cli", "explore", *map(str, arguments), "--no-browser"]
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ, stdout=subprocess.PIPE, text=True)
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
