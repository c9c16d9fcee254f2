"""What a cell may use of a cluster, and a list of jobs, to the text of one Slurm array."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

NOTICE = 90  # seconds between the signal of an end and the end


@dataclass(frozen=True, slots=True)
class Resources:
    """What each cell asks Slurm for: `minutes`, memory in GB, GPUs, CPUs; at most `parallel` cells run at once.

    `more` are other options of sbatch, by their long names.
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
        """Options of sbatch, by their long names."""
        named = {
            "time": str(self.minutes),
            "mem": f"{max(1, round(self.memory * 1024))}M",
            "cpus-per-task": str(self.cpus),
            **({"partition": self.partition} if self.partition else {}),
            **({"gpus-per-node": str(self.gpus)} if self.gpus else {}),
        }
        return {**named, **self.more}


def array_script(name: str, folder: Path, count: int, jobs: str, worker: str, resources: Resources) -> str:
    """The text for sbatch: each task runs the worker on its line of the list `jobs` in `folder`.

    Before its end, by preemption or by the limit of time, a cell saves its training, and its task is queued again.
    """
    options = {
        "job-name": f"fictc-{name}",
        "array": f"1-{count}%{resources.parallel}",
        "output": str(folder / "slurm-%A_%a.out"),
        "open-mode": "append",
        "signal": f"B:USR2@{NOTICE}",
        **resources.options,
    }
    lines = [f"#SBATCH --{option}={shlex.quote(value)}" for option, value in options.items()]
    return "\n".join(
        [
            "#!/bin/bash",
            *lines,
            "#SBATCH --requeue",
            "",
            f'job=$(sed -n "${{SLURM_ARRAY_TASK_ID}}p" {shlex.quote(str(folder / jobs))})',
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
