"""Make worker processes ignore Ctrl-C and end with their parent."""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import wait

INTERRUPTED = 130  # the exit code, as in shells
STARTED_BY = "FICTC_STARTED_BY"  # a variable of servers of forks: the id of the command's process
_F_SETSIG = 10  # of Linux


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
    """Ignore interrupts in this worker process, and end it when its parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the pool
    parent = multiprocessing.parent_process()
    if parent is not None:
        end_with_pipe(parent.sentinel)


def end_with_pipe(descriptor: int) -> None:
    """Kill this process when the other end of a pipe is closed, also if the process that holds it is killed.

    Nobody writes to the pipe. Linux sends the signal itself to the last process that calls this for the pipe, whatever
    its threads do; the others, and other systems, have a thread that waits.
    """
    if sys.platform == "linux":
        fcntl.fcntl(descriptor, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(descriptor, _F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, fcntl.fcntl(descriptor, fcntl.F_GETFL) | os.O_ASYNC)
    if wait([descriptor], 0):  # it was closed before
        os._exit(INTERRUPTED)
    threading.Thread(target=_kill_after, args=(descriptor,), daemon=True).start()


def _kill_after(descriptor: int) -> None:
    wait([descriptor])
    os.kill(os.getpid(), signal.SIGKILL)


def _end_server_with(parent: int) -> None:
    """Exit when the process that started this server of forks is gone, also during imports, which take seconds."""

    def check(*_: object) -> None:
        if os.getppid() != parent:
            os._exit(1)

    signal.signal(signal.SIGALRM, check)
    signal.setitimer(signal.ITIMER_REAL, 0.5, 0.5)  # forks do not inherit the timer


if started_by := os.environ.get(STARTED_BY):  # this is such a server, which imports this module first
    _end_server_with(int(started_by))
