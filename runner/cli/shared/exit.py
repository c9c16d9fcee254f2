"""End this process with an exit code, at once."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from typing import NoReturn


def leave(code: int) -> NoReturn:
    """End with `code`, without freeing one by one what the system takes back at once, a twentieth of a short command.

    Exit handlers run. The process ends as any other where a thread has work to finish, or what was printed cannot be
    written. A daemon thread has none: it may hold a query that does not end, which would hold this process too.
    """
    if any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()):
        sys.exit(code)
    atexit._run_exitfuncs()
    try:
        for stream in (sys.stdout, sys.stderr):
            if not stream.closed:  # as a language server leaves it
                stream.flush()
    except OSError:
        sys.exit(code)
    os._exit(code)
