"""The cores that this process may use, and the name of its query threads."""

from __future__ import annotations

import os

QUERY_THREAD = "query"  # the name of threads that run queries; a process that exits does not wait for them


def available_cores() -> int:
    """Return the number of cores that this process may use. On macOS and Windows, this is all cores."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
