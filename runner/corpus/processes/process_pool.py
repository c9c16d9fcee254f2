"""Run calls in a pool of worker processes that die with the parent."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Generic, ParamSpec, TypeVar

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.processes.array_ipc import Serialized, deserialize, serialize
from runner.corpus.processes.lifetime import block_interrupts, set_worker_signals
from runner.corpus.processes.memory import disable_garbage_collection, keep_freed_memory
from runner.errors import InputError

P = ParamSpec("P")
R = TypeVar("R")
_QUEUE_LENGTH = 8  # short calls per process, so that a process does not wait for the parent


class PendingResult(Generic[R]):
    """The result of a call in another process."""

    def __init__(self, future: Future[Serialized], free_files: list[Path]) -> None:
        """`free_files` receives the file of the result after the result has been read."""
        self._future, self._free_files = future, free_files

    def done(self) -> bool:
        """Return whether the call has ended."""
        return self._future.done()

    def result(self) -> R:
        """Wait for the result and return it. Call this once."""
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
        """Whether the queue is too short to keep all processes busy."""
        self._running = [(future, weight) for future, weight in self._running if not future.done()]
        return sum(weight for _, weight in self._running) < _QUEUE_LENGTH * self.size

    def submit(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> PendingResult[R]:
        """Run a short call in a worker."""
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
    """Yield a pool of `size` processes, or None if `size` is 0.

    The processes exchange files in a temporary folder inside `folder`. Raises InputError (FICT760) if a worker dies.
    """
    if not size:
        yield None
        return
    context = multiprocessing.get_context("spawn")
    with TemporaryDirectory(dir=folder) as exchange, ProcessPoolExecutor(size, context, _initialize_worker) as executor:
        try:
            yield ProcessPool(executor, size, Path(exchange))
        except BrokenProcessPool as error:
            raise InputError(diagnostic("FICT760")) from error
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


def _initialize_worker() -> None:
    set_worker_signals()
    keep_freed_memory()
    disable_garbage_collection()


def _run_call(serialized: Serialized) -> Serialized:
    work, args, kwargs = deserialize(serialized)
    return serialize(work(*args, **kwargs), serialized.file)
