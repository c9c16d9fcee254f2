"""Calls in worker processes: results, mistakes, cancellation, time limits and lost processes."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.limits import Limits
from runner.errors import InputError
from runner.explore.language import library_text
from runner.explore.worker_pool import GRACE_SECONDS, Call, CallDiagnostics, LostWorker, OutOfTime, Pool
from runner.workspace import alive


def prepared() -> None:
    """Do nothing."""


def pid_after(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def joined(first: str, second: str = "b", *, separator: str = " ") -> str:
    return f"{first}{separator}{second}"


def stubborn(seconds: float) -> None:
    """Ignore every interruption."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with suppress(BaseException):
            time.sleep(0.05)


def wrong() -> None:
    raise InputError(diagnostic("FICT850", host="h", port=1, reason="r"))


def lost() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def run(
    work: Callable[[Pool], Awaitable[None]], size: int = 1, timeout: float = 60.0, prepare: Call = (prepared, ())
) -> None:
    async def main() -> None:
        pool = Pool(size, Limits(timeout=timeout), prepare)
        pool.start()
        try:
            await pool.call(pid_after, 0.0)  # until the processes have started, interruptions cannot arrive
            await work(pool)
        finally:
            process_ids = pool.process_ids
            pool.close()
            assert not any(map(alive, process_ids))

    asyncio.run(main())


async def cancelled(pool: Pool, function: Callable[[float], object]) -> float:
    """Cancel a call after 0.3 seconds; return how long the cancellation took."""
    call = asyncio.ensure_future(pool.call(function, 30.0))
    await asyncio.sleep(0.3)
    started = time.monotonic()
    call.cancel()
    with suppress(asyncio.CancelledError):
        await call
    return time.monotonic() - started


def test_results_come_from_processes() -> None:
    async def work(pool: Pool) -> None:
        pids = await asyncio.gather(*(pool.call(pid_after, 0.01) for _ in range(6)))
        assert set(pids) <= set(pool.process_ids) and os.getpid() not in pids

    run(work, 2)


def test_a_call_has_positional_and_keyword_arguments() -> None:
    async def work(pool: Pool) -> None:
        assert await pool.call(joined, "a") == "a b"
        assert await pool.call(joined, "a", second="c", separator="-") == "a-c"

    run(work)


def test_a_cancelled_call_is_interrupted_and_its_process_stays() -> None:
    async def work(pool: Pool) -> None:
        before = pool.process_ids
        assert await cancelled(pool, pid_after) < GRACE_SECONDS
        assert await pool.call(pid_after, 0.0) == before[0]

    run(work)


def test_a_call_that_ignores_interruption_is_killed() -> None:
    async def work(pool: Pool) -> None:
        before = pool.process_ids
        assert GRACE_SECONDS <= await cancelled(pool, stubborn) < GRACE_SECONDS + 1
        assert not alive(before[0])
        assert await pool.call(pid_after, 0.0) == pool.process_ids[0] != before[0]

    run(work)


def test_a_call_ends_at_the_time_limit() -> None:
    async def work(pool: Pool) -> None:
        started = time.monotonic()
        with pytest.raises(OutOfTime):
            await pool.call(pid_after, 30.0)
        assert time.monotonic() - started < 5
        await pool.call(pid_after, 0.0)

    run(work, timeout=3.0)


def test_mistakes_and_lost_processes_are_reported() -> None:
    async def work(pool: Pool) -> None:
        with pytest.raises(CallDiagnostics) as mistakes:
            await pool.call(wrong)
        assert [problem.code for problem in mistakes.value.diagnostics] == ["FICT850"]
        with pytest.raises(CallDiagnostics) as refused:  # a file that was there when the server started
            await pool.call(library_text, Path("removed.fict"))
        assert "no such file or directory: removed.fict" in refused.value.diagnostics[0].message
        with pytest.raises(LostWorker):
            await pool.call(lost)
        assert await pool.call(pid_after, 0.0) == pool.process_ids[0]

    run(work)


def test_the_time_limit_begins_when_a_process_is_prepared() -> None:
    async def work(pool: Pool) -> None:
        assert await pool.call(pid_after, 0.0) == pool.process_ids[0]

    run(work, timeout=1.0, prepare=(pid_after, (1.5,)))


def test_a_process_that_ended_between_calls_is_replaced() -> None:
    async def work(pool: Pool) -> None:
        os.kill(pool.process_ids[0], 9)
        with pytest.raises(LostWorker):
            await pool.call(pid_after, 0.0)
        assert await pool.call(pid_after, 0.0) == pool.process_ids[0]

    run(work)


def test_a_waiting_call_can_be_cancelled() -> None:
    async def work(pool: Pool) -> None:
        first = asyncio.ensure_future(pool.call(pid_after, 0.5))
        assert await cancelled(pool, pid_after) < 0.1
        assert await first == pool.process_ids[0]

    run(work)


class UnreadableError(Exception):
    """An exception that can be pickled and not unpickled."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__(first + second)


def unreadable() -> None:
    raise UnreadableError(1, 2)


def test_an_answer_that_cannot_cross_processes_is_an_error() -> None:
    async def work(pool: Pool) -> None:
        for call in (unreadable, threading.Lock):
            with pytest.raises((TypeError, RuntimeError)):
                await asyncio.wait_for(pool.call(call), 20)
        assert await pool.call(pid_after, 0.0)

    run(work)
