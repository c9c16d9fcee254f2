"""Calls into the same calls one at a time and in order, behind whoever makes them if there are threads for it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import ParamSpec

P = ParamSpec("P")


class Lane:
    """Does one call at a time; the next one waits for it. What a call raises is raised by the next, or by `wait`."""

    def __init__(self, threads: Executor | None) -> None:
        """Without `threads` calls are made at once."""
        self._threads = threads
        self._last: Future[None] | None = None

    def call(self, work: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Call once the call before has ended."""
        self.wait()
        if self._threads is None:
            work(*args, **kwargs)
        else:
            self._last = self._threads.submit(work, *args, **kwargs)

    def wait(self) -> None:
        """Have the last call ended."""
        last, self._last = self._last, None
        if last is not None:
            last.result()
