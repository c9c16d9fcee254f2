"""Calls into the same calls made by processes beside this one, which end with it."""

from __future__ import annotations

import gc
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
from runner.corpus.processes.allocator import keep_freed
from runner.corpus.processes.array_ipc import Handed, hand_over, take
from runner.corpus.processes.lifetime import end_quietly, no_interrupts
from runner.errors import InputError

P = ParamSpec("P")
R = TypeVar("R")
_QUEUED = 8  # short calls that a process has before it, so that it need not wait for this one


class Coming(Generic[R]):
    """What a call made elsewhere returns, once it is there."""

    def __init__(self, future: Future[Handed], free: list[Path]) -> None:
        """`free` gets back the file that the call went through."""
        self._future, self._free = future, free

    def done(self) -> bool:
        """Whether it is there."""
        return self._future.done()

    def result(self) -> R:
        """Wait for it; may be asked for once."""
        handed = self._future.result()
        returned: R = take(handed)
        self._free.append(handed.file)
        return returned


class Crew:
    """`size` processes; what goes to them and comes from them goes through files in `folder`, used again and again."""

    def __init__(self, pool: ProcessPoolExecutor, size: int, folder: Path) -> None:
        self._pool, self.size = pool, size
        self._new = (folder / str(number) for number in count())
        self._free: list[Path] = []
        self._open: list[tuple[Future[Handed], int]] = []  # and how many short calls each is as long as

    @property
    def idle(self) -> bool:
        """Whether some process has less before it than would keep it busy."""
        self._open = [(future, length) for future, length in self._open if not future.done()]
        return sum(length for _, length in self._open) < _QUEUED * self.size

    def call(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Coming[R]:
        """Have a short call made."""
        return Coming(self._submit(1, work, args, kwargs), self._free)

    def call_long(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Coming[R]:
        """Have a call made that keeps a process busy for long."""
        return Coming(self._submit(_QUEUED, work, args, kwargs), self._free)

    def _submit(self, length: int, *call: object) -> Future[Handed]:
        file = self._free.pop() if self._free else next(self._new)
        handed = hand_over(call, file)
        with no_interrupts():  # the first call starts the processes
            future = self._pool.submit(_made, handed)
        self._open.append((future, length))
        return future


@contextmanager
def crew(size: int, folder: Path) -> Iterator[Crew | None]:
    """So many processes, None of none; InputError if one is killed. Files between them lie in a folder in `folder`."""
    if not size:
        yield None
        return
    context = multiprocessing.get_context("spawn")
    with TemporaryDirectory(dir=folder) as between, ProcessPoolExecutor(size, context, _start) as pool:
        try:
            yield Crew(pool, size, Path(between))
        except BrokenProcessPool as error:
            raise InputError(diagnostic("FICT760")) from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _start() -> None:
    end_quietly()
    keep_freed()
    gc.disable()  # there are no cycles worth the time


def _made(handed: Handed) -> Handed:
    work, args, kwargs = take(handed)
    return hand_over(work(*args, **kwargs), handed.file)
