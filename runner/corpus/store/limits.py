"""Memory, threads and time that a query of a store may take, from what the machine has and the user allows."""

from __future__ import annotations

import os
import resource
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.processes.allocator import save_addresses
from runner.errors import InputError

_SHARE = 0.6  # of what the process may have; the rest is for what DuckDB does not count, and for others
_GROUPS = Path("/sys/fs/cgroup")
_STATM = Path("/proc/self/statm")
_OF_THREAD = 256 << 20  # bytes of address space for a thread: its stack, its heap as glibc reserves it, its buffers
_LEAST = 96 << 20  # bytes of memory that the libraries and a query of a small store take
_LEAST_ADDRESSES = 576 << 20  # the same in address space, which libraries reserve much more of than they use


@dataclass(frozen=True, slots=True)
class Limits:
    """What a question may take.

    `memory` is in bytes (None: 60 % of what the process may have), `threads` None one for each processor it may use,
    `timeout` in seconds for each query (0: no limit), and `spill` the folder for what does not fit into memory.
    """

    memory: int | None = None
    threads: int | None = None
    timeout: float = 0.0
    spill: Path | None = None

    def bytes_of_memory(self) -> int:
        """The limit of memory, as given or worked out."""
        return int(available_memory() * _SHARE) if self.memory is None else self.memory

    def workers(self) -> int:
        """The number of threads, as given or worked out, but no more than the address space has room for."""
        wanted = self.threads or len(os.sched_getaffinity(0))
        room = address_room()
        return wanted if room is None else max(1, min(wanted, room // _OF_THREAD))

    def folder(self) -> Path:
        """Where this process spills to; DuckDB makes the folder when it needs it, and removes it."""
        return (self.spill or Path(tempfile.gettempdir())).resolve() / f"fictc-duckdb-{os.getpid()}"


DEFAULT = Limits()


def need_memory() -> None:
    """Raise InputError (FICT793) if this process may use less memory than the libraries need to load and to work.

    They do not report it themselves: an import fails halfway, or a thread that cannot be started ends the process.
    """
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if allowed != resource.RLIM_INFINITY:
        if allowed < _LEAST_ADDRESSES:
            raise _too_little(f"{_megabytes(allowed)} of address space (`ulimit -v`)", _LEAST_ADDRESSES)
        save_addresses()
    if (available := _memory()) < _LEAST:
        raise _too_little(_megabytes(available), _LEAST)


def _too_little(available: str, needed: int) -> InputError:
    reason = f"this process may use {available}, and {_megabytes(needed)} are needed"
    return InputError(diagnostic("FICT793", reason=reason))


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"


def available_memory() -> int:
    """The bytes this process may have: the machine's memory, or less by a control group or the address space left."""
    room = address_room()
    return _memory() if room is None else min(_memory(), room)


def address_room() -> int | None:
    """The bytes of address space that this process may still take; None without a limit (`ulimit -v`)."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if allowed == resource.RLIM_INFINITY:
        return None
    try:
        taken = int(_STATM.read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # no /proc: the system does not enforce the limit either
        return None
    return max(0, allowed - taken)


def _memory() -> int:
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for file in _group_files(Path("/proc/self/cgroup"), _GROUPS):
        try:
            limits.append(int(file.read_text(encoding="ascii")))
        except (OSError, ValueError):  # no such file, or `max`
            continue
    return min(limits)


def _group_files(own: Path, groups: Path) -> Iterator[Path]:
    """The files that limit the process's control group and all that it is in, of both versions of control groups."""
    try:
        lines = own.read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        root, name = (groups / "memory", "memory.limit_in_bytes") if controllers else (groups, "memory.max")
        group = root / path.lstrip("/")
        for folder in (group, *(parent for parent in group.parents if parent.is_relative_to(root))):
            yield folder / name
    yield from (groups / "memory.max", groups / "memory" / "memory.limit_in_bytes")
