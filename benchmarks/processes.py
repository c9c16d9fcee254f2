"""Time and memory of a command in a new process."""

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
    """CPU seconds including child processes, wall seconds, and the memory of the largest process in MB."""

    cpu: float
    wall: float
    memory: float


def run_fictc(*arguments: object) -> Process:
    """Run `fictc` with these arguments. Raises RuntimeError if it fails."""
    return run_module("runner.cli", *arguments)


def run_module(module: str, *arguments: object) -> Process:
    """Run `python -m module` with these arguments. Raises RuntimeError if it fails."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {child.returncode}")
    return Process(usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss / 1024)


def median(processes: Sequence[Process]) -> Process:
    """Return the medians of CPU and wall time, and the largest memory."""
    return Process(
        statistics.median(process.cpu for process in processes),
        statistics.median(process.wall for process in processes),
        max(process.memory for process in processes),
    )
