"""Tune how memory is allocated: kept for the next large array, or sparing with address space."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # of mallopt in glibc
_LARGE = 32 << 20  # bytes; larger arrays are few, and give their memory back


def keep_freed() -> None:
    """Spare an import the page faults that come of returning memory between arrays, a fifth of its time.

    Arrow takes part wholly only where it is not loaded yet, and in the processes that this one begins. Without glibc
    nothing is changed.
    """
    if not _set_malloc({_MMAP_THRESHOLD: _LARGE, _TRIM_THRESHOLD: 2 * _LARGE * 8, _ARENA_MAX: 1}):
        return  # with one arena, what one thread has freed another can have
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    import pyarrow as pa

    pa.set_memory_pool(pa.system_memory_pool())


def save_addresses() -> None:
    """Share one heap between all threads and with Arrow, which is not loaded yet, and have Arrow read in one thread.

    glibc reserves 64 MB of address space or more for each thread's heap, and Arrow's allocator a gigabyte; a limit
    (`ulimit -v`) counts all of that.
    """
    _set_malloc({_ARENA_MAX: 1})
    os.environ.setdefault("ARROW_IO_THREADS", "1")
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


def _set_malloc(options: Mapping[int, int]) -> bool:
    """Set options of glibc's malloc; False without glibc."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    for option, value in options.items():
        mallopt(option, value)
    return True
