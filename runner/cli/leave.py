"""An exit code into the end of this process, at once."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from typing import NoReturn


def leave(code: int) -> NoReturn:
    """End with `code`, without freeing one by one what the system takes back at once, a twentieth of a short command.

    What is to be done at exit is done. The process ends as any other where a thread runs on, or what was printed
    cannot be written.
    """
    if threading.active_count() > 1:
        sys.exit(code)
    atexit._run_exitfuncs()
    try:
        for stream in (sys.stdout, sys.stderr):
            if not stream.closed:  # as a language server leaves it
                stream.flush()
    except OSError:
        sys.exit(code)
    os._exit(code)
