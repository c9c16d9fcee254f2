"""The resources of cells on a cluster, and the batch script of a Slurm array."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

NOTICE = 90  # seconds between the signal and the termination
MAX_ARRAY_TASKS = 1000  # Slurm's default limit


@dataclass(frozen=True, slots=True)
class Resources:
    """The resources of each cell. At most `parallel` cells run at once. `memory` is in GB.

    `more` has further options of sbatch, by their long names.
    """

    minutes: int = 24 * 60
    partition: str | None = None
    memory: float = 4.0
    gpus: int = 0
    cpus: int = 1
    parallel: int = 32
    more: Mapping[str, str] = field(default_factory=dict)

    @property
    def options(self) -> dict[str, str]:
        """The options of sbatch, by their long names."""
        options = {
            "time": str(self.minutes),
            "mem": f"{max(1, round(self.memory * 1024))}M",
            "cpus-per-task": str(self.cpus),
            **({"partition": self.partition} if self.partition else {}),
            **({"gpus-per-node": str(self.gpus)} if self.gpus else {}),
        }
        return {**options, **self.more}


def array_script(name: str, folder: Path, lines: range, jobs: str, worker: str, resources: Resources) -> str:
    """Return a script for sbatch in which each task runs the command `worker` on one of the `lines` of the file `jobs`.

    The first line of the file is 1.

    Before preemption or the time limit, a cell saves a checkpoint and its task is requeued. The script fails with a
    message if it does not run as an array, or if the file has no line for its task.
    """
    job_list = folder / jobs
    task = "SLURM_ARRAY_TASK_ID"
    not_array_message = "this script is a Slurm array, for sbatch; other schedulers run the lines of commands.txt"
    options = {
        "job-name": f"fictc-{name}",
        "array": f"1-{len(lines)}%{resources.parallel}",
        "output": str(folder).replace("%", "%%") + "/slurm-%A_%a.out",
        "open-mode": "append",
        "signal": f"B:USR2@{NOTICE}",
        **resources.options,
    }
    settings = [f"#SBATCH --{option}={shlex.quote(value)}" for option, value in options.items()]
    return "\n".join(
        [
            "#!/bin/bash",
            *settings,
            "#SBATCH --requeue",
            "",
            f'[ -n "${task}" ] || {{ echo {shlex.quote(not_array_message)} >&2; exit 2; }}',
            f"line=$(({lines.start - 1} + {task}))",
            f'job=$(sed -n "${{line}}p" {shlex.quote(str(job_list))}) || exit 2',
            f'[ -n "$job" ] || {{ printf "%s has no line %s\\n" {shlex.quote(str(job_list))} "$line" >&2; exit 2; }}',
            f'{worker} "$job" &',
            "cell=$!",
            "again() {",
            '  kill -TERM "$cell"',
            '  wait "$cell"',
            '  scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"',
            "  exit 0",
            "}",
            "trap again USR2",
            "trap 'kill -TERM \"$cell\"' TERM",
            'wait "$cell"; code=$?',
            'while kill -0 "$cell" 2>/dev/null; do wait "$cell"; code=$?; done # a trap ends a wait',
            'exit "$code"',
            "",
        ]
    )
