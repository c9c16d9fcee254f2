"""Make worker processes ignore Ctrl-C and end with their parent."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def block_interrupts() -> Iterator[None]:
    """Block SIGINT while child processes are started. They inherit the mask; this process gets the signal afterwards.

    A terminal sends SIGINT to all processes of a command. A child that is still starting would print a traceback.
    """
    resource_tracker.ensure_running()  # multiprocessing starts it with the first process, and then unblocks SIGINT
    old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)


def set_worker_signals() -> None:
    """Ignore interrupts in this worker process and, on Linux, end it when its parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the pool
    _die_with_parent()


def _die_with_parent() -> None:
    """Ask Linux to kill this process when its parent dies, so that a killed run leaves no workers behind."""
    try:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    except (OSError, AttributeError):
        return
    parent = multiprocessing.parent_process()
    if parent is not None and os.getppid() != parent.pid:  # the parent died before prctl took effect
        os._exit(1)
