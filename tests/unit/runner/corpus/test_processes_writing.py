"""A queue's calls keep their order, and what they raise is not lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event

import pytest

from runner.corpus.processes import WriteBehind


def _fail() -> None:
    raise OSError("full")


def test_calls_are_made_in_order() -> None:
    with ThreadPoolExecutor(1) as thread:
        for queue in (WriteBehind(thread), WriteBehind(None)):
            found: list[int] = []
            for number in range(50):
                queue.submit(found.append, number)
            queue.wait()
            assert found == list(range(50))


def test_what_is_raised_is_not_lost() -> None:
    with ThreadPoolExecutor(1) as thread:
        queue = WriteBehind(thread)
        queue.submit(_fail)
        with pytest.raises(OSError, match="full"):
            queue.wait()
        queue.wait()
        with pytest.raises(OSError, match="full"):
            for _ in range(10):
                queue.submit(_fail)
        with pytest.raises(OSError, match="full"):
            queue.wait()


def test_only_a_few_calls_wait() -> None:
    started, gate = [], Event()
    with ThreadPoolExecutor(2) as threads, ThreadPoolExecutor(1) as thread:
        queue = WriteBehind(thread)

        def ten() -> None:
            for number in range(10):
                queue.submit(gate.wait)
                started.append(number)

        calling = threads.submit(ten)
        assert not wait([calling], 0.2).done
        assert len(started) <= 4
        gate.set()
        calling.result()
        queue.wait()
        assert len(started) == 10
