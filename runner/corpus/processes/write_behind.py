"""Run calls one at a time and in order, in a background thread if there is one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec

P = ParamSpec("P")
_DEPTH = 4


class WriteBehind:
    """A short queue of calls, which run one at a time. A later `submit` or `wait` raises their exceptions."""

    def __init__(self, thread: ThreadPoolExecutor | None) -> None:
        """`thread` is an executor with one thread; without it, calls run at once."""
        self._thread = thread
        self._open: deque[Future[None]] = deque()

    def submit(self, work: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Queue a call; wait first if the queue is full."""
        if self._thread is None:
            work(*args, **kwargs)
            return
        while self._open and (len(self._open) >= _DEPTH or self._open[0].done()):
            self._open.popleft().result()
        self._open.append(self._thread.submit(work, *args, **kwargs))

    def wait(self) -> None:
        """Wait until all calls have ended."""
        while self._open:
            self._open.popleft().result()
