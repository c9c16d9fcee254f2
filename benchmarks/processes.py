"""Time and memory of a command in a new process, and the CPU time of a running process."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Process:
    """CPU seconds including child processes, wall seconds, and the memory of the largest process in MiB."""

    cpu: float
    wall: float
    memory: float


def run_fictc(*arguments: object) -> Process:
    """Run `fictc` with these arguments, and return its time and memory. Raises RuntimeError if it fails."""
    return run_module("runner.cli", *arguments)


def run_module(module: str, *arguments: object) -> Process:
    """Run `python -m module` with these arguments, and return its time and memory. Raises RuntimeError if it fails."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {child.returncode}")
    return Process(usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss / 1024)


def process_cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process, its living descendants, and the ended children that they have waited for."""
    return _cpu_ticks(pid) / _TICKS_PER_SECOND


def _cpu_ticks(pid: int) -> int:
    ticks = 0
    with suppress(FileNotFoundError):  # the process has just ended
        for task in Path(f"/proc/{pid}/task").iterdir():  # each thread has its own list of children
            ticks += sum(_cpu_ticks(int(child)) for child in _read_if_alive(task / "children").split())
    fields = _read_if_alive(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()  # after the command's name
    return ticks + sum(map(int, fields[11:15]))  # utime, stime, cutime, cstime


def _read_if_alive(path: Path) -> str:
    """Return the text of a file of /proc, or an empty text if its process or thread has ended."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def summarize(processes: Sequence[Process]) -> Process:
    """Return the medians of CPU and wall time, and the largest memory."""
    return Process(
        statistics.median(process.cpu for process in processes),
        statistics.median(process.wall for process in processes),
        max(process.memory for process in processes),
    )
