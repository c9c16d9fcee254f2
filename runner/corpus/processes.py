"""Run calls in a pool of worker processes that die with the parent, and pass arrays between them."""

from __future__ import annotations

import fcntl
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

from runner.corpus.limits import keep_freed_memory
from runner.errors import InputError

_MIN_BYTES = 1 << 12  # smaller arrays stay in the pickle


@dataclass(frozen=True, slots=True)
class Serialized:
    value: bytes
    sizes: Sequence[int]
    file: Path


def serialize(value: object, file: Path) -> Serialized:
    """Pickle `value`, and write its large arrays to `file` in place: reusing its pages is cheaper than new ones."""
    arrays: list[memoryview] = []

    def keep_in_pickle(buffer: pickle.PickleBuffer) -> bool:
        view = buffer.raw()
        if view.nbytes < _MIN_BYTES:
            return True
        arrays.append(view)
        return False

    pickled = pickle.dumps(value, 5, buffer_callback=keep_in_pickle)
    if arrays:
        with file.open("r+b" if file.exists() else "wb") as stream:
            for view in arrays:
                stream.write(view)
    return Serialized(pickled, [view.nbytes for view in arrays], file)


def deserialize(serialized: Serialized) -> Any:
    if not serialized.sizes:
        return pickle.loads(serialized.value)
    with serialized.file.open("rb") as stream:
        arrays = [np.fromfile(stream, np.uint8, size) for size in serialized.sizes]
    return pickle.loads(serialized.value, buffers=arrays)


INTERRUPTED = 130  # the exit code, as in shells
STARTED_BY = "FICTC_STARTED_BY"  # a variable of servers of forks: the id of the command's process
_F_SETSIG = 10  # of Linux


@contextmanager
def block_interrupts() -> Iterator[None]:
    """Block SIGINT while child processes start: a terminal sends it to all, and they would print a traceback."""
    resource_tracker.ensure_running()  # multiprocessing starts it with the first process, and then unblocks SIGINT
    old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)


def set_worker_signals() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the pool
    parent = multiprocessing.parent_process()
    if parent is not None:
        end_with_pipe(parent.sentinel)


def end_with_pipe(descriptor: int) -> None:
    """Kill this process when the other end of a pipe is closed, also if the process that holds it is killed.

    Nobody writes to the pipe. Linux sends the signal itself to the last process that calls this for the pipe, whatever
    its threads do; the others, and other systems, have a thread that waits.
    """
    if sys.platform == "linux":
        fcntl.fcntl(descriptor, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(descriptor, _F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, fcntl.fcntl(descriptor, fcntl.F_GETFL) | os.O_ASYNC)
    if wait([descriptor], 0):  # it was closed before
        os._exit(INTERRUPTED)
    threading.Thread(target=_kill_after, args=(descriptor,), daemon=True).start()


def _kill_after(descriptor: int) -> None:
    wait([descriptor])
    os.kill(os.getpid(), signal.SIGKILL)


def _end_server_with(parent: int) -> None:
    def check(*_: object) -> None:
        if os.getppid() != parent:
            os._exit(1)

    signal.signal(signal.SIGALRM, check)
    signal.setitimer(signal.ITIMER_REAL, 0.5, 0.5)  # forks do not inherit the timer


if started_by := os.environ.get(STARTED_BY):  # this is such a server, which imports this module first
    _end_server_with(int(started_by))


P = ParamSpec("P")
R = TypeVar("R")
_QUEUE_LENGTH = 8  # short calls per process, so that a process does not wait for the parent


class PendingResult(Generic[R]):
    def __init__(self, future: Future[Serialized], free_files: list[Path]) -> None:
        self._future, self._free_files = future, free_files

    def done(self) -> bool:
        return self._future.done()

    def result(self) -> R:
        serialized = self._future.result()
        value: R = deserialize(serialized)
        self._free_files.append(serialized.file)
        return value


class ProcessPool:
    """A pool of `size` worker processes. Arguments and results pass through files in `folder`, which are reused."""

    def __init__(self, pool: ProcessPoolExecutor, size: int, folder: Path) -> None:
        self._pool, self.size = pool, size
        self._new_files = (folder / str(number) for number in count())
        self._free_files: list[Path] = []
        self._running: list[tuple[Future[Serialized], int]] = []  # with the number of short calls that each counts as

    @property
    def has_capacity(self) -> bool:
        self._running = [(future, weight) for future, weight in self._running if not future.done()]
        return sum(weight for _, weight in self._running) < _QUEUE_LENGTH * self.size

    def submit(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> PendingResult[R]:
        return PendingResult(self._submit(1, work, args, kwargs), self._free_files)

    def submit_long(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> PendingResult[R]:
        """Run a long call in a worker. It counts as `_QUEUE_LENGTH` short calls."""
        return PendingResult(self._submit(_QUEUE_LENGTH, work, args, kwargs), self._free_files)

    def _submit(self, weight: int, *call: object) -> Future[Serialized]:
        file = self._free_files.pop() if self._free_files else next(self._new_files)
        serialized = serialize(call, file)
        with block_interrupts():  # a call may start a process, which inherits the signal mask
            future = self._pool.submit(_run_call, serialized)
        self._running.append((future, weight))
        return future


@contextmanager
def process_pool(size: int, folder: Path) -> Iterator[ProcessPool | None]:
    """Yield a pool that exchanges files in `folder`, or None if `size` is 0. A worker that dies is FICT760."""
    if not size:
        yield None
        return
    context = multiprocessing.get_context("spawn")
    with TemporaryDirectory(dir=folder) as exchange, ProcessPoolExecutor(size, context, _initialize_worker) as executor:
        try:
            yield ProcessPool(executor, size, Path(exchange))
        except BrokenProcessPool as error:
            raise InputError.of("FICT760") from error
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


def _initialize_worker() -> None:
    set_worker_signals()
    keep_freed_memory()
    gc.disable()  # few reference cycles are created, but searching for them is slow


def _run_call(serialized: Serialized) -> Serialized:
    work, args, kwargs = deserialize(serialized)
    return serialize(work(*args, **kwargs), serialized.file)


_MAX_PENDING = 4


class WriteBehind:
    """A short queue of calls, which run one at a time. Their exceptions are raised by a later `submit` or `wait`."""

    def __init__(self, thread: ThreadPoolExecutor | None) -> None:
        self._thread = thread
        self._pending: deque[Future[None]] = deque()

    def submit(self, work: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        if self._thread is None:
            work(*args, **kwargs)
            return
        while self._pending and (len(self._pending) >= _MAX_PENDING or self._pending[0].done()):
            self._pending.popleft().result()
        self._pending.append(self._thread.submit(work, *args, **kwargs))

    def wait(self) -> None:
        while self._pending:
            self._pending.popleft().result()
