"""Memory settings of the whole process: glibc's allocator, Arrow's, and Python's garbage collector."""

from __future__ import annotations

import gc
import os
from collections.abc import Mapping

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # of mallopt in glibc
_MAX_REUSED = 32 << 20  # bytes; memory of larger arrays, which are rare, is returned to the system
_MAX_FREE = 512 << 20  # bytes of freed memory that the process keeps


def keep_freed_memory() -> None:
    """Tune glibc's allocator to keep freed memory, so that large arrays are reused.

    This avoids page faults, which take a fifth of the time of a corpus import. If Arrow is loaded already, some of its
    allocations do not use glibc. Spawned processes do not inherit glibc's settings. Without glibc, nothing changes.
    """
    # with one arena, threads reuse each other's memory
    if not _set_malloc({_MMAP_THRESHOLD: _MAX_REUSED, _TRIM_THRESHOLD: _MAX_FREE, _ARENA_MAX: 1}):
        return
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    import pyarrow as pa

    pa.set_memory_pool(pa.system_memory_pool())


def save_address_space() -> None:
    """Share one heap between all threads and Arrow, and limit Arrow to one thread for reading.

    glibc reserves at least 64 MB of address space for each thread's heap, and Arrow's allocator a gigabyte. Both count
    towards a limit set by `ulimit -v`. Call this before Arrow is loaded.
    """
    _set_malloc({_ARENA_MAX: 1})
    os.environ.setdefault("ARROW_IO_THREADS", "1")
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


def collect_rarely() -> None:
    """Run the garbage collector less often: imported modules stay alive, so frequent collections only cost time."""
    gc.set_threshold(10_000, 20, 20)


def disable_garbage_collection() -> None:
    """Disable the garbage collector: a corpus import creates few reference cycles, but searching for them is slow."""
    gc.disable()


def exempt_from_collection() -> None:
    """Exclude all existing objects, such as models and vocabularies, from garbage collection."""
    gc.freeze()


def _set_malloc(options: Mapping[int, int]) -> bool:
    """Set options of glibc's malloc. Return False if glibc is not used."""
    import ctypes  # lazy: commands that set no options start faster

    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    for option, value in options.items():
        mallopt(option, value)
    return True
