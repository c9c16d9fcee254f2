"""What the machine has and the user allows into the memory, threads and time that a question to a store may take."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_SHARE = 0.6  # of what the process may have; the rest is for what DuckDB does not count, and for others
_GROUPS = Path("/sys/fs/cgroup")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a question may take.

    `memory` is in bytes (None: 60 % of what the process may have), `threads` None one for each processor it may use,
    `timeout` in seconds for the whole answer (0: no limit), and `spill` the folder for what does not fit into memory.
    """

    memory: int | None = None
    threads: int | None = None
    timeout: float = 0.0
    spill: Path | None = None

    def bytes_of_memory(self) -> int:
        """The limit of memory, as given or worked out."""
        return int(available_memory() * _SHARE) if self.memory is None else self.memory

    def workers(self) -> int:
        """The number of threads, as given or worked out."""
        return self.threads or len(os.sched_getaffinity(0))

    def folder(self) -> Path:
        """Where this process spills to; DuckDB makes the folder when it needs it, and removes it."""
        return (self.spill or Path(tempfile.gettempdir())).resolve() / f"fictc-duckdb-{os.getpid()}"


DEFAULT = Limits()


def available_memory() -> int:
    """The bytes this process may have: the machine's memory, or less where a control group says so."""
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
