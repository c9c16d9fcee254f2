"""Query the states of Slurm jobs with squeue, which works without accounting."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError

FINISHED = {
    *("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL"),
    *("OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE", "PREEMPTED"),
}


class Queue:
    """The queue of Slurm."""

    def states(self, tasks: Iterable[str]) -> Mapping[str, str] | None:
        """Return the states of pending and running tasks by id (`12_3` or `12`), or None if Slurm does not answer.

        Raises InputError (FICT842) if squeue is not found.
        """
        arrays = sorted({task.partition("_")[0] for task in tasks})
        command = ["squeue", "--noheader", "--array", "--states=all", "--format=%i|%T", f"--jobs={','.join(arrays)}"]
        try:
            result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        except FileNotFoundError as error:
            raise InputError(diagnostic("FICT842", reason="the command squeue was not found")) from error
        except subprocess.TimeoutExpired:
            return None
        if result.returncode:
            return {} if "Invalid job id" in result.stderr else None
        states = dict(line.strip().split("|", 1) for line in result.stdout.splitlines() if "|" in line)
        return {task: state for task, state in states.items() if state not in FINISHED}
