"""Numbers of Slurm jobs to their states in its queue, by squeue, which needs no accounting."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError

OVER = {
    *("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL"),
    *("OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE", "PREEMPTED"),
}


class Queue:
    """What is in the queue of Slurm."""

    def states(self, tasks: Iterable[str]) -> Mapping[str, str] | None:
        """The states of those tasks (`12_3`, or `12`) that wait or run; None if Slurm does not answer now."""
        arrays = sorted({task.partition("_")[0] for task in tasks})
        command = ["squeue", "--noheader", "--array", "--states=all", "--format=%i|%T", f"--jobs={','.join(arrays)}"]
        try:
            told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        except FileNotFoundError as error:
            raise InputError(diagnostic("FICT842", reason="the command squeue is not found")) from error
        except subprocess.TimeoutExpired:
            return None
        if told.returncode:
            return {} if "Invalid job id" in told.stderr else None
        found = dict(line.strip().split("|", 1) for line in told.stdout.splitlines() if "|" in line)
        return {task: state for task, state in found.items() if state not in OVER}
