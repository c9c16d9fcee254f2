"""Run calls one at a time and in order, in a background thread if there is one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec

P = ParamSpec("P")
_MAX_PENDING = 4


class WriteBehind:
    """A short queue of calls, which run one at a time. Their exceptions are raised by a later `submit` or `wait`."""

    def __init__(self, thread: ThreadPoolExecutor | None) -> None:
        """`thread` is an executor with one thread. If it is None, `submit` runs the calls itself."""
        self._thread = thread
        self._pending: deque[Future[None]] = deque()

    def submit(self, work: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Queue a call; wait first if the queue is full."""
        if self._thread is None:
            work(*args, **kwargs)
            return
        while self._pending and (len(self._pending) >= _MAX_PENDING or self._pending[0].done()):
            self._pending.popleft().result()
        self._pending.append(self._thread.submit(work, *args, **kwargs))

    def wait(self) -> None:
        """Wait until all calls have ended."""
        while self._pending:
            self._pending.popleft().result()
