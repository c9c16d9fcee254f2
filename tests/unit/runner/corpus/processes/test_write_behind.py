"""A lane's calls keep their order, and what they raise is not lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event

import pytest

from runner.corpus.processes.write_behind import Lane


def _fail() -> None:
    raise OSError("full")


def test_calls_are_made_in_order() -> None:
    with ThreadPoolExecutor(1) as thread:
        for lane in (Lane(thread), Lane(None)):
            found: list[int] = []
            for number in range(50):
                lane.call(found.append, number)
            lane.wait()
            assert found == list(range(50))


def test_what_is_raised_is_not_lost() -> None:
    with ThreadPoolExecutor(1) as thread:
        lane = Lane(thread)
        lane.call(_fail)
        with pytest.raises(OSError, match="full"):
            lane.wait()
        lane.wait()
        with pytest.raises(OSError, match="full"):
            for _ in range(10):
                lane.call(_fail)
        with pytest.raises(OSError, match="full"):
            lane.wait()


def test_only_a_few_calls_wait() -> None:
    started, gate = [], Event()
    with ThreadPoolExecutor(2) as threads, ThreadPoolExecutor(1) as thread:
        lane = Lane(thread)

        def ten() -> None:
            for number in range(10):
                lane.call(gate.wait)
                started.append(number)

        calling = threads.submit(ten)
        assert not wait([calling], 0.2).done
        assert len(started) <= 4
        gate.set()
        calling.result()
        lane.wait()
        assert len(started) == 10
