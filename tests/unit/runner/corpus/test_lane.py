"""A lane's calls keep their order, and what they raise is not lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from runner.corpus.lane import Lane


def _fail() -> None:
    raise OSError("full")


def test_calls_are_made_in_order() -> None:
    with ThreadPoolExecutor(3) as threads:
        for lane in (Lane(threads), Lane(None)):
            found: list[int] = []
            for number in range(50):
                lane.call(found.append, number)
            lane.wait()
            assert found == list(range(50))


def test_failures_are_those_of_the_next_call() -> None:
    with ThreadPoolExecutor(1) as threads:
        lane = Lane(threads)
        lane.call(_fail)
        with pytest.raises(OSError, match="full"):
            lane.call(_fail)
        lane.wait()
        lane.call(_fail)
        with pytest.raises(OSError, match="full"):
            lane.wait()
