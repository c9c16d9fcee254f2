"""Calls into the same calls one at a time and in order, behind whoever makes them if there is a thread for it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec

P = ParamSpec("P")
_DEPTH = 4


class Lane:
    """Does one call at a time; a few wait for it. What a call raises is raised by a later one, or by `wait`."""

    def __init__(self, thread: ThreadPoolExecutor | None) -> None:
        """`thread` has a single one; without it calls are made at once."""
        self._thread = thread
        self._open: deque[Future[None]] = deque()

    def call(self, work: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Call once the calls before have ended, of which no more than a few are kept."""
        if self._thread is None:
            work(*args, **kwargs)
            return
        while self._open and (len(self._open) >= _DEPTH or self._open[0].done()):
            self._open.popleft().result()
        self._open.append(self._thread.submit(work, *args, **kwargs))

    def wait(self) -> None:
        """Have all calls ended."""
        while self._open:
            self._open.popleft().result()
