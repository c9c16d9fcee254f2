"""The cores that this process may use, and the names of its threads."""

from __future__ import annotations

import os

QUERY_THREAD = "query"  # the name of threads that run queries; a process that exits does not wait for them


def available_cores() -> int:
    """Return how many cores this process may use, or all of the machine where the system does not say."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS or Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
