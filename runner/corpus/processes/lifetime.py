"""How worker processes start and end: without a terminal's interrupts, and never after their parent."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_interrupts() -> Iterator[None]:
    """Keep Ctrl-C from the processes that are started meanwhile, which inherit this; it comes here afterwards.

    A terminal sends it to all processes of a command, and those that still start would print where it met them.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_quietly() -> None:
    """Leave interrupts to the parent of this process, and end when it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the pool
    _end_with_parent()


def _end_with_parent() -> None:
    """Ask Linux to kill this process when its parent dies, so that a killed run leaves nobody working."""
    try:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    except (OSError, AttributeError):
        return
    parent = multiprocessing.parent_process()
    if parent is not None and os.getppid() != parent.pid:  # it died before this process could ask
        os._exit(1)
