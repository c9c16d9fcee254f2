"""Write job files of the missing cells, for any scheduler."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.execute.launch.slurm_text import MAX_ARRAY_TASKS, Resources, array_script
from runner.execute.launch.starter import WORKER
from runner.execute.launch.todo import NO_RERUN, RerunOptions, write_pending_jobs
from runner.execute.records.cache import Cache
from runner.execute.records.events import Listener
from runner.execute.run import open_run, prepare
from runner.readers import real_path
from runner.steps.plan import Plan
from runner.workspace import write_text

JOBS, COMMANDS, ARRAY_PATTERN = "jobs.txt", "commands.txt", "array*.sbatch"


@dataclass(frozen=True)
class Emitted:
    """The job files of the missing cells, their Slurm arrays, and the errors of cells that failed earlier, by name."""

    jobs: tuple[Path, ...]
    arrays: tuple[Path, ...]
    failed: dict[str, str]


def emit(
    plan: Plan,
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
    with open_run(plan, cache, out, listener) as preparation:
        prepare(preparation, out)
        pending = write_pending_jobs(preparation, out, folder / "cells", preparation.listener, rerun)
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
