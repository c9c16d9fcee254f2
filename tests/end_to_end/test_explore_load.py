"""Twenty clients, most of which leave before the answer: their queries end, and memory stays within its limit."""

from __future__ import annotations

import asyncio
import json
import random
import time
from pathlib import Path

import httpx
import pytest

from tests.support import corpora
from tests.support.explorer import Explorer, explorer
from tests.support.reading import tree

CLIENTS, QUERIES, LEAVING = 20, 5, 0.8
MEMORY, PROCESSES = 400_000_000, 2
BASE = 450_000_000  # bytes of a process with its libraries, which `--memory` does not count
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


def test_no_query_outlives_its_client(store: Path) -> None:
    peak = 0

    async def watch(running: Explorer) -> None:
        nonlocal peak
        while True:
            peak = max(peak, resident(running.workers()))
            await asyncio.sleep(0.1)

    async def load(running: Explorer) -> list[list[float]]:
        watching = asyncio.ensure_future(watch(running))
        try:
            return await asyncio.gather(*(client(running, random.Random(n)) for n in range(CLIENTS)))
        finally:
            watching.cancel()

    with explorer(store, "--processes", PROCESSES, "--memory", f"{MEMORY // 10**6}MB", "--timeout", 60) as running:
        answered = asyncio.run(load(running))
        started = time.monotonic()
        assert running.ask("search", text=QUICK)[-1]["kind"] == "done"
        assert time.monotonic() - started < 5  # nothing of those that left is in the way
        assert sum(map(len, answered)) >= CLIENTS * QUERIES * (1 - LEAVING) / 2
        assert len(running.workers()) <= PROCESSES + 2  # the editor's and Python's resource tracker
    assert peak < MEMORY + (PROCESSES + 2) * BASE
