"""End the process with an exit code."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from typing import NoReturn

from runner.machine import QUERY_THREAD


def exit_process(code: int) -> NoReturn:
    """Exit with `code`. Ctrl-C is ignored from here on, because the work is done and finalization takes a while.

    A query that continues after an interrupt would keep the interpreter from exiting, so the process then ends without
    exit handlers. Temporary files are already removed by the `with` statements that made them.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if any(thread.name == QUERY_THREAD for thread in threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # nobody reads it, or it is closed
                stream.flush()
        os._exit(code)
    exec("")  # clears the flag of an interrupted exec(), which makes CPython end a `-m` process by SIGINT
    sys.exit(code)
