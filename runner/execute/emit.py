"""Write job files of the missing cells, for any scheduler, and a Slurm array."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from runner.execute.cache import Cache
from runner.execute.job import NO_RERUN, RerunOptions, write_pending_jobs
from runner.execute.pool import WORKER
from runner.execute.records import Listener
from runner.execute.run import open_run, prepare
from runner.readers import real_path
from runner.steps.plan import RunPlan
from runner.workspace import write_text

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


JOBS, COMMANDS, ARRAY_PATTERN = "jobs.txt", "commands.txt", "array*.sbatch"


@dataclass(frozen=True)
class Emitted:
    """The job files of the missing cells, their Slurm arrays, and the errors of cells that failed earlier, by name."""

    jobs: tuple[Path, ...]
    arrays: tuple[Path, ...]
    failed: dict[str, str]


def emit(
    plan: RunPlan,
    cache: Cache,
    out: Path,
    folder: Path,
    resources: Resources,
    listener: Listener | None = None,
    *,
    rerun: RerunOptions = NO_RERUN,
) -> Emitted:
    """Prepare the inputs of cells, and write a job file for each cell without results into `folder/cells`.

    `jobs.txt` lists the job files, `commands.txt` has one shell command per job, and `array.sbatch` is a Slurm array of
    the jobs. More than 1,000 jobs have further arrays, from `array-2.sbatch` on. Without jobs, no array is written.
    """
    with open_run(plan, cache, out, listener) as builder:
        prepare(builder, out)
        pending = write_pending_jobs(builder, out, folder / "cells", builder.listener, rerun)
    jobs = tuple(real_path(path) for path in pending.jobs)
    write_text(folder / JOBS, "".join(f"{job}\n" for job in jobs))
    write_text(folder / COMMANDS, "".join(f"{_job_command(job)}\n" for job in jobs))
    return Emitted(
        jobs, _write_arrays(plan.resolved.manifest.experiment.name, folder, len(jobs), resources), pending.failed
    )


def _write_arrays(name: str, folder: Path, job_count: int, resources: Resources) -> tuple[Path, ...]:
    """Write the arrays of all jobs, and remove those of an earlier call. Slurm rejects an array without tasks."""
    for path in folder.glob(ARRAY_PATTERN):
        path.unlink()
    arrays = []
    for number, first in enumerate(range(1, job_count + 1, MAX_ARRAY_TASKS), 1):
        lines = range(first, min(first + MAX_ARRAY_TASKS, job_count + 1))
        path = folder / ("array.sbatch" if number == 1 else f"array-{number}.sbatch")
        write_text(path, array_script(name, real_path(folder), lines, JOBS, shlex.join(_worker_command()), resources))
        arrays.append(path)
    return tuple(arrays)


def _worker_command() -> Sequence[str]:
    return [*WORKER, "--detached"]


def _job_command(job: Path) -> str:
    return shlex.join([*_worker_command(), str(job)])
