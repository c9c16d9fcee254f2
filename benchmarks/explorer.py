"""A running `fictc explore`, to which queries are sent as its page sends them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

from benchmarks.processes import process_cpu_seconds


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a search: wall and CPU seconds since its start, matches, and searched sentences."""

    wall: float
    cpu: float
    matches: int
    searched: int


@dataclass(frozen=True, slots=True)
class Explorer:
    """A running explorer. `opener` has opened the page and holds its cookie."""

    pid: int
    origin: str
    token: str
    opener: OpenerDirector

    def search(self, query: Mapping[str, object]) -> tuple[Progress, Progress]:
        """Return the progress when the first page of results is complete, and when all matches are counted.

        Raises ValueError if the explorer rejects the query.
        """
        wall_start, cpu_start = time.perf_counter(), process_cpu_seconds(self.pid)
        first: Progress | None = None
        page_size = 0
        for item in self._send({"store": 0, "view": "kwic", "sort": "", "offset": 0, **query}):
            if item["kind"] == "problem":
                raise ValueError(f"{query}: {item['problems']}")
            if item["kind"] == "plan":
                page_size = item["page_size"]
            if item["kind"] in ("counts", "done"):
                wall = time.perf_counter() - wall_start
                last = Progress(wall, process_cpu_seconds(self.pid) - cpu_start, item["matches"], item["searched"])
                if first is None and (item["matches"] >= page_size or item["searched"] == item["sentences"]):
                    first = last
        assert first is not None
        return first, last

    def _send(self, body: Mapping[str, object]) -> Iterator[dict[str, Any]]:
        headers = {"origin": self.origin, "x-fictc-token": self.token, "sec-fetch-site": "same-origin"}
        request = Request(f"{self.origin}/api/search", json.dumps(body).encode(), headers)
        with self.opener.open(request) as response:
            yield from map(json.loads, response)


@contextmanager
def explorer(store: Path) -> Iterator[Explorer]:
    """Start the explorer on a store, open its page, and end it afterwards.

    Raises RuntimeError with the explorer's error output if it does not start.
    """
    command = [sys.executable, "-m", "runner.cli", "explore", str(store), "--no-browser"]
    with (
        TemporaryFile("w+", encoding="utf-8") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        assert process.stdout is not None
        try:
            url = process.stdout.readline().strip()
            if not url:
                process.wait()
                errors.seek(0)
                raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}: {errors.read().strip()}")
            opener = build_opener(HTTPCookieProcessor())
            opener.addheaders = [("sec-fetch-site", "none")]
            token = re.search(r'name="token" content="([^"]+)"', opener.open(url).read().decode())
            assert token is not None
            yield Explorer(process.pid, url.partition("/?")[0], token[1], opener)
        finally:
            process.terminate()
