"""The cores that this process may use, and the names of its threads."""

from __future__ import annotations

import os

QUERY_THREAD = "query"  # the name of threads that run queries; a process that exits does not wait for them


def available_cores() -> int:
    """Return the number of cores that this process may use. On macOS and Windows, it is that of the whole machine."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS or Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
