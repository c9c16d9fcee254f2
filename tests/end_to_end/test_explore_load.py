"""Twenty clients, most of which leave before the answer: their queries end, and memory stays within its limit."""

from __future__ import annotations

import asyncio
import json
import random
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support import corpora
from tests.support.explorer import Explorer, explorer
from tests.support.reading import tree

CLIENTS, QUERIES, LEAVING = 20, 5, 0.8
MEMORY, PROCESSES, TIMEOUT = 400_000_000, 2, 15
LIBRARIES = 300_000_000  # bytes of each process, which docs/explore.md adds to `--memory`
QUICK, SLOW = "V -[nsubj]-> S", "\n".join(f"W{n}" for n in range(6))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sentences = [tree(f"w{n % 7} NOUN 2 nsubj\nsee VERB 0 root" + "\nx X 2 dep" * 60) for n in range(300)]
    return corpora.store(tmp_path_factory.mktemp("load"), corpora.conllu(sentences)).path


def resident(pids: set[int]) -> int:
    """Return the bytes of memory of some processes."""
    total = 0
    for pid in pids:
        try:
            total += 4096 * int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
        except FileNotFoundError:
            continue
    return total


async def client(running: Explorer, rng: random.Random) -> list[float]:
    """Ask some queries, and return the seconds of those that were answered."""
    answered = []
    async with httpx.AsyncClient(cookies=dict(running.client.cookies), timeout=100) as http:
        for _ in range(QUERIES):
            leaves = rng.random() < LEAVING
            body = {"store": 0, "view": "kwic", "sort": "", "offset": 0, "text": SLOW if leaves else QUICK}
            started = time.monotonic()
            ask = http.post(f"{running.origin}/api/search", json=body, headers=running.headers)
            try:
                answer = await asyncio.wait_for(ask, rng.uniform(0.05, 1.0) if leaves else None)
            except TimeoutError:
                continue
            last = json.loads(answer.text.splitlines()[-1])
            if not leaves:
                assert last["kind"] == "done" and last["matches"] == 300
            answered.append(time.monotonic() - started)
    return answered


async def runaway(running: Explorer) -> Any:
    """Wait for the end of a query that does not end by itself, beside the other clients."""
    async with httpx.AsyncClient(cookies=dict(running.client.cookies), timeout=100) as http:
        body = {"store": 0, "view": "kwic", "sort": "", "offset": 0, "text": "\n".join(f"W{n}" for n in range(8))}
        answer = await http.post(f"{running.origin}/api/search", json=body, headers=running.headers)
        return json.loads(answer.text.splitlines()[-1])


@pytest.mark.slow
def test_no_query_outlives_its_client(store: Path) -> None:
    peak = 0

    async def watch(running: Explorer) -> None:
        nonlocal peak
        while True:
            peak = max(peak, resident({running.pid, *running.workers()}))
            await asyncio.sleep(0.1)

    async def load(running: Explorer) -> list[list[float]]:
        watching = asyncio.ensure_future(watch(running))
        try:
            clients = asyncio.gather(*(client(running, random.Random(n)) for n in range(CLIENTS)))
            stopped = await runaway(running)
            assert stopped["kind"] == "problem" and "15 s" in stopped["problems"][0]["message"], stopped
            return await clients
        finally:
            watching.cancel()

    with explorer(store, "--processes", PROCESSES, "--memory", f"{MEMORY // 10**6}MB", "--timeout", TIMEOUT) as running:
        answered = asyncio.run(load(running))
        started = time.monotonic()
        assert running.ask("search", text=QUICK)[-1]["kind"] == "done"
        assert time.monotonic() - started < 5  # nothing of those that left is in the way
        assert sum(map(len, answered)) >= CLIENTS * QUERIES * (1 - LEAVING) / 2
        assert len(running.workers()) <= PROCESSES + 2  # the editor's and Python's resource tracker
    assert peak < MEMORY + (PROCESSES + 2) * LIBRARIES  # the server's and the editor's process as well
