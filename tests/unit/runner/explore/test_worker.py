"""Calls that are cancelled while a worker process receives, runs or answers them."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from runner.errors import InputError
from runner.explore.worker_pool import READY, CallDiagnostics, run_worker


def nothing() -> None:
    """Do nothing."""


class LateError(InputError):
    """An error that is interrupted while the worker reads its diagnostics."""

    def __init__(self) -> None:
        Exception.__init__(self)

    @property
    def diagnostics(self) -> tuple[()]:  # type: ignore[override]
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR1})
        return ()


def wait_until_cancelled(started: Path) -> None:
    """Create a file, and return when the call is cancelled. The interruption waits until its signal is unblocked."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    started.touch()
    while signal.SIGUSR1 not in signal.sigpending():
        time.sleep(0.01)


def fail_when_cancelled(started: Path) -> None:
    wait_until_cancelled(started)
    raise LateError


def unblock() -> None:
    """Let a waiting interruption arrive, which is that of an earlier call."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR1})


@pytest.fixture
def parent() -> Iterator[Connection]:
    context = multiprocessing.get_context("spawn")
    connection, worker_end = context.Pipe()
    process = context.Process(target=run_worker, args=(worker_end, (nothing, ())), daemon=True)
    process.start()
    worker_end.close()
    assert connection.recv() == (READY, True, None)
    yield connection
    connection.close()
    process.join(20)
    assert process.exitcode == 0


def call(parent: Connection, number: int, function: Callable[..., object], *arguments: object) -> None:
    parent.send(("call", number, (function, arguments)))


def cancel(parent: Connection, number: int) -> None:
    parent.send(("cancel", number, None))


def cancel_when_started(parent: Connection, number: int, started: Path) -> None:
    while not started.exists():
        time.sleep(0.01)
    cancel(parent, number)


def test_an_error_that_is_being_answered_is_not_interrupted(parent: Connection, tmp_path: Path) -> None:
    call(parent, 0, fail_when_cancelled, tmp_path / "started")
    cancel_when_started(parent, 0, tmp_path / "started")
    number, succeeded, answer = parent.recv()
    assert (number, succeeded) == (0, False) and isinstance(answer, CallDiagnostics)
    call(parent, 1, abs, -1)
    assert parent.recv() == (1, True, 1)


def test_the_interruption_of_a_call_does_not_end_the_next_one(parent: Connection, tmp_path: Path) -> None:
    call(parent, 0, wait_until_cancelled, tmp_path / "started")
    cancel_when_started(parent, 0, tmp_path / "started")
    assert parent.recv() == (0, True, None)
    call(parent, 1, unblock)
    assert parent.recv() == (1, True, None)


def test_several_waiting_calls_can_be_cancelled(parent: Connection) -> None:
    call(parent, 0, time.sleep, 0.3)
    for number in (1, 2):
        call(parent, number, abs, number)
    for number in (1, 2):
        cancel(parent, number)
    assert [parent.recv() for _ in range(3)] == [(0, True, None), (1, False, None), (2, False, None)]


def test_calls_that_are_cancelled_at_once_are_answered(parent: Connection) -> None:
    for number in range(300):
        call(parent, number, abs, -number)
        cancel(parent, number)
        assert parent.recv() in {(number, True, number), (number, False, None)}
