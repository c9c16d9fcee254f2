"""Handle SIGTERM and SIGUSR2, with which schedulers announce termination."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGTERM, signal.SIGUSR2)


class Stop:
    """Record whether a signal requested termination. Outside `deferred`, a signal raises KeyboardInterrupt at once."""

    def __init__(self) -> None:
        self._requested = False
        self._deferred = False

    def __call__(self) -> bool:
        """Return whether termination was requested."""
        return self._requested

    def listen(self) -> None:
        """Install the signal handlers, which is only possible in the main thread."""
        for signal_number in SIGNALS:
            signal.signal(signal_number, self._handle)

    @contextmanager
    def deferred(self) -> Iterator[None]:
        """Defer KeyboardInterrupt to the end of the context, in which the caller checks for termination itself."""
        self._deferred = True
        try:
            yield
        finally:
            self._deferred = False
        if self._requested:
            raise KeyboardInterrupt

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        is_first, self._requested = not self._requested, True
        if is_first and not self._deferred:
            raise KeyboardInterrupt
