"""Limits on the memory, threads and time of a query, and memory settings of the whole process."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from runner.errors import InputError
from runner.machine import available_cores

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # of mallopt in glibc
_MAX_REUSED = 32 << 20  # bytes; memory of larger arrays, which are rare, is returned to the system
_MAX_FREE = 512 << 20  # bytes of freed memory that the process keeps


def keep_freed_memory() -> None:
    """Let glibc's allocator keep freed memory, for large arrays: page faults take a fifth of the time of an import.

    If Arrow is loaded already, some of its allocations do not use glibc. Spawned processes do not inherit the settings.
    """
    # with one arena, threads reuse each other's memory
    if not _set_malloc({_MMAP_THRESHOLD: _MAX_REUSED, _TRIM_THRESHOLD: _MAX_FREE, _ARENA_MAX: 1}):
        return
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    import pyarrow as pa

    pa.set_memory_pool(pa.system_memory_pool())


def save_address_space() -> None:
    """Share one heap between all threads and Arrow, before Arrow is loaded, and limit its threads for reading to one.

    glibc reserves 64 MB of addresses for each thread's heap, and Arrow a gigabyte, which count for `ulimit -v`.
    """
    _set_malloc({_ARENA_MAX: 1})
    os.environ.setdefault("ARROW_IO_THREADS", "1")
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


def _set_malloc(options: Mapping[int, int]) -> bool:
    import ctypes  # lazy: commands that set no options start faster

    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    for option, value in options.items():
        mallopt(option, value)
    return True


_MEMORY_SHARE = 0.6  # of the available memory; the rest is for other processes, and not all memory of DuckDB is counted
_CGROUP_ROOT = Path("/sys/fs/cgroup")
_STATM = Path("/proc/self/statm")
_THREAD_ADDRESSES = 256 << 20  # bytes of address space per thread: stack, the heap that glibc reserves, buffers
_MIN_MEMORY = 96 << 20  # bytes of memory that the libraries and a query of a small store need
_MIN_ADDRESSES = 576 << 20  # bytes of address space that they need; libraries reserve more than they use


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a query. `memory` is in bytes (None: 60 % of what is available), `timeout` in seconds (0: none).

    `threads` defaults to the number of available cores. `spill` is the directory for temporary files.
    """

    memory: int | None = None
    threads: int | None = None
    timeout: float = 0.0
    spill: Path | None = None

    def bytes_of_memory(self) -> int:
        return int(available_memory() * _MEMORY_SHARE) if self.memory is None else self.memory

    def workers(self) -> int:
        threads = self.threads or available_cores()
        free_addresses = address_room()
        return threads if free_addresses is None else max(1, min(threads, free_addresses // _THREAD_ADDRESSES))

    def folder(self) -> Path:
        from runner.workspace import temporary_directory  # lazy: every command imports this module for its options

        return (self.spill or temporary_directory()).resolve() / f"fictc-duckdb-{os.getpid()}"


DEFAULT = Limits()


def require_memory() -> None:
    """Raise InputError (FICT793) if this process may use too little memory for the libraries, which do not say so."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY:
        if limit < _MIN_ADDRESSES:
            raise _too_little_memory(f"{_megabytes(limit)} of address space (`ulimit -v`)", _MIN_ADDRESSES)
        save_address_space()
    if (available := _physical_memory()) < _MIN_MEMORY:
        raise _too_little_memory(_megabytes(available), _MIN_MEMORY)


def _too_little_memory(available: str, needed: int) -> InputError:
    reason = f"this process may use {available}, and {_megabytes(needed)} are needed"
    return InputError.of("FICT793", reason=reason)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"


def available_memory() -> int:
    free_addresses = address_room()
    return _physical_memory() if free_addresses is None else min(_physical_memory(), free_addresses)


def address_room() -> int | None:
    """Return the bytes of address space that this process may still reserve, or None without a limit (`ulimit -v`)."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return None
    try:
        used = int(_STATM.read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # systems without /proc do not enforce the limit
        return None
    return max(0, limit - used)


def _physical_memory() -> int:
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for file in _cgroup_files(Path("/proc/self/cgroup"), _CGROUP_ROOT):
        try:
            limits.append(int(file.read_text(encoding="ascii")))
        except (OSError, ValueError):  # the file is missing, or contains `max`
            continue
    return min(limits)


def _cgroup_files(membership: Path, root: Path) -> Iterator[Path]:
    try:
        lines = membership.read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        mount, name = (root / "memory", "memory.limit_in_bytes") if controllers else (root, "memory.max")
        folder = mount / path.lstrip("/")
        for group in (folder, *(parent for parent in folder.parents if parent.is_relative_to(mount))):
            yield group / name
    yield from (root / "memory.max", root / "memory" / "memory.limit_in_bytes")
