"""A command of fictc in a process of its own into what that process took."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Process:
    """CPU seconds with those of the processes that it began, wall seconds, and the largest of them in MB."""

    cpu: float
    wall: float
    memory: float


def spent(*arguments: object) -> Process:
    """Run `fictc` with these arguments; RuntimeError if it fails."""
    command = [sys.executable, "-m", "runner.cli", *map(str, arguments)]
    begin = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {child.returncode}")
    return Process(used.ru_utime + used.ru_stime, time.perf_counter() - begin, used.ru_maxrss / 1024)


def median(processes: Sequence[Process]) -> Process:
    """The medians of CPU and wall time, and the largest memory."""
    return Process(
        statistics.median(one.cpu for one in processes),
        statistics.median(one.wall for one in processes),
        max(one.memory for one in processes),
    )
