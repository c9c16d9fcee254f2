"""SIGTERM and SIGUSR2, by which schedulers announce an end, to an end at a moment when nothing is lost."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGTERM, signal.SIGUSR2)


class Stop:
    """Whether a signal has asked for an end; outside `deferred` that is a KeyboardInterrupt at once."""

    def __init__(self) -> None:
        self._asked = False
        self._deferred = False

    def __call__(self) -> bool:
        """Whether an end was asked for."""
        return self._asked

    def listen(self) -> None:
        """From here on, heed the signals; in the main thread only."""
        for number in SIGNALS:
            signal.signal(number, self._on)

    @contextmanager
    def deferred(self) -> Iterator[None]:
        """Inside, who works looks by itself whether to stop."""
        self._deferred = True
        try:
            yield
        finally:
            self._deferred = False
        if self._asked:
            raise KeyboardInterrupt

    def _on(self, _number: int, _frame: FrameType | None) -> None:
        first, self._asked = not self._asked, True
        if first and not self._deferred:
            raise KeyboardInterrupt
