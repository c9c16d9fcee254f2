"""The cells that a run lacks to files from which any scheduler can start them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.execute.launch.slurm_text import Resources, array_script
from runner.execute.launch.starter import WORKER
from runner.execute.launch.todo import to_do
from runner.execute.records.cache import Cache
from runner.execute.records.events import Listener
from runner.execute.run import opened
from runner.readers import real_path
from runner.steps.plan import Plan
from runner.workspace import write_text

JOBS, COMMANDS, ARRAY = "jobs.txt", "commands.txt", "array.sbatch"


@dataclass(frozen=True)
class Emitted:
    """Job files of the cells that are left, and why others failed before, by name."""

    jobs: tuple[Path, ...]
    failed: dict[str, str]


def emit(
    plan: Plan,
    cache: Cache,
    out: Path,
    folder: Path,
    resources: Resources,
    listener: Listener | None = None,
    *,
    retry: bool = False,
) -> Emitted:
    """Prepare what cells read and write `folder`: a job file for each that is left, and lists of them.

    `jobs.txt` has a job file a line, `commands.txt` a shell command a line, and `array.sbatch` is one Slurm array, of
    which there is none where no cell is left.
    """
    with opened(plan, cache, out, listener) as preparation:
        preparation.run()
        found = to_do(preparation, out, folder / "cells", preparation.listener, retry=retry)
    jobs = tuple(real_path(path) for path in found.waiting)
    write_text(folder / JOBS, "".join(f"{job}\n" for job in jobs))
    write_text(folder / COMMANDS, "".join(f"{_command(job)}\n" for job in jobs))
    name = plan.resolved.manifest.experiment.name
    if jobs:
        script = array_script(name, real_path(folder), len(jobs), JOBS, shlex.join(_worker()), resources)
        write_text(folder / ARRAY, script)
    else:
        (folder / ARRAY).unlink(missing_ok=True)  # Slurm knows no array without tasks
    return Emitted(jobs, found.failed)


def _worker() -> Sequence[str]:
    return [*WORKER, "--detached"]


def _command(job: Path) -> str:
    return shlex.join([*_worker(), str(job)])
