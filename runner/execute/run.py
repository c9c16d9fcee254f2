"""Run a plan: prepare inputs, run the missing cells here or write jobs for any scheduler, and collect results."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from threading import Lock

from runner.errors import InputError
from runner.execute.builder import Builder
from runner.execute.cache import Cache
from runner.execute.collect import collect, link_cells, remove_results
from runner.execute.job import NO_RERUN, PendingJobs, RerunOptions, write_pending_jobs
from runner.execute.pool import WORKER, Pool
from runner.execute.state import RECORDS, Event, EventLog, Listener, cell_paths, write_cell_paths, write_lock
from runner.readers import real_path
from runner.report.page import mark_stale, write_report
from runner.steps.plan import RunPlan
from runner.workspace import write_text


@dataclass(frozen=True)
class Outcome:
    report: Path | None
    failed: dict[str, str]


def run(
    plan: RunPlan,
    cache: Cache,
    out: Path,
    make_pool: Callable[[Listener], Pool],
    listener: Listener | None = None,
    *,
    rerun: RerunOptions = NO_RERUN,
) -> Outcome:
    """Run the missing steps of a plan and write the report into `out`. A run may be killed and repeated at any time."""
    with open_run(plan, cache, out, listener) as builder:
        log = builder.listener
        prepare(builder, out)
        failed = _run_cells(builder, out, make_pool, rerun)
        write_lock(plan, cache, out)
        report = None
        finished = [cell for cell in plan.cells if cell.name not in failed]
        if finished:
            results = collect(builder, finished, failed, out)
            log({"event": "start", "step": "report"})
            report = write_report(results, out)
            log({"event": "done", "step": "report"})
        else:
            remove_results(out)
        log({"event": "end", "failed": len(failed)})
        return Outcome(report, failed)


@contextmanager
def open_run(plan: RunPlan, cache: Cache, out: Path, listener: Listener | None = None) -> Iterator[Builder]:
    out.mkdir(parents=True, exist_ok=True)
    write_text(out / "manifest.toml", plan.resolved.draft.source.text)
    _record_cells(plan, cache, out)
    log = EventLog(out / "events.jsonl", listener)
    try:
        log({"event": "run", "cells": len(plan.cells), "name": plan.resolved.manifest.experiment.name})
        yield Builder(plan, cache, log)
    finally:
        log.close()


def prepare(builder: Builder, out: Path) -> None:
    builder.run()
    _record_cells(builder.plan, builder.cache, out)


def _record_cells(plan: RunPlan, cache: Cache, out: Path) -> None:
    write_cell_paths(cell_paths(plan, cache, out), out)
    mark_stale(out)


def _run_cells(
    builder: Builder, out: Path, make_pool: Callable[[Listener], Pool], rerun: RerunOptions
) -> dict[str, str]:
    log = builder.listener
    pending = write_pending_jobs(builder, out, out / RECORDS, log, rerun)
    collector = InterimCollector(builder, pending, out)
    outcomes = make_pool(collector).run(list(pending.jobs))
    failed = {pending.jobs[path].name: error for path, error in outcomes.items() if error is not None}
    for name, error in failed.items():
        log({"event": "failed", "cell": name, "error": error})
    return {**pending.failed, **failed}


class InterimCollector:
    """A listener that collects the results of finished cells while others run; the run collects all at its end.

    A cell is finished after the event `done` of its last step. After a collection, the next waits 20 times as long as
    that one took; cells that finish meanwhile are only linked.
    """

    def __init__(self, builder: Builder, pending: PendingJobs, out: Path) -> None:
        self._builder, self._failed, self._out = builder, pending.failed, out
        self._remaining_steps = {cell.name: {step.id for step in cell.steps} for cell in pending.jobs.values()}
        self._lock = Lock()
        self._next_time = 0.0
        if self._remaining_steps:
            self._collect()

    def __call__(self, event: Event) -> None:
        self._builder.listener(event)
        steps = self._remaining_steps.get(str(event.get("cell")))
        if steps and event.get("event") == "done":
            with self._lock:
                steps.discard(str(event.get("step")))
                if not steps and any(self._remaining_steps.values()):
                    self._collect()

    def _collect(self) -> None:
        finished = [
            cell
            for cell in self._builder.plan.cells
            if cell.name not in self._failed and not self._remaining_steps.get(cell.name)
        ]
        start_time = time.monotonic()
        with suppress(InputError, OSError):  # the run collects again at its end, and reports the error then
            if finished and start_time >= self._next_time:
                collect(self._builder, finished, self._failed, self._out)
                self._next_time = start_time + 20 * (time.monotonic() - start_time)
            elif finished:
                link_cells(self._builder, finished, self._out)


DETACHED_WORKER = (*WORKER, "--detached")
NOTICE = 90  # seconds between the signal and the termination
MAX_ARRAY_TASKS = 1000  # Slurm's default limit


@dataclass(frozen=True, slots=True)
class Resources:
    minutes: int = 24 * 60
    partition: str | None = None
    memory: float = 4.0  # GB
    gpus: int = 0
    cpus: int = 1
    parallel: int = 32
    more: Mapping[str, str] = field(default_factory=dict)  # further options of sbatch, by their long names

    @property
    def options(self) -> dict[str, str]:
        options = {
            "time": str(self.minutes),
            "mem": f"{max(1, round(self.memory * 1024))}M",
            "cpus-per-task": str(self.cpus),
            **({"partition": self.partition} if self.partition else {}),
            **({"gpus-per-node": str(self.gpus)} if self.gpus else {}),
        }
        return {**options, **self.more}


def array_script(name: str, folder: Path, lines: range, jobs: str, worker: str, resources: Resources) -> str:
    options = {
        "job-name": f"fictc-{name}",
        "array": f"1-{len(lines)}%{resources.parallel}",
        "output": str(folder).replace("%", "%%") + "/slurm-%A_%a.out",
        "open-mode": "append",
        "signal": f"B:USR2@{NOTICE}",
        **resources.options,
    }
    settings = "\n".join(f"#SBATCH --{option}={shlex.quote(value)}" for option, value in options.items())
    template = _Template(Path(__file__).with_name("array.sbatch").read_text(encoding="utf-8"))
    jobs = shlex.quote(str(folder / jobs))
    return template.substitute(settings=settings, offset=lines.start - 1, jobs=jobs, worker=worker)


class _Template(Template):
    delimiter = "@"


JOBS, COMMANDS, ARRAY_PATTERN = "jobs.txt", "commands.txt", "array*.sbatch"


@dataclass(frozen=True)
class Emitted:
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
    write_text(folder / COMMANDS, "".join(f"{shlex.join([*DETACHED_WORKER, str(job)])}\n" for job in jobs))
    return Emitted(
        jobs, _write_arrays(plan.resolved.manifest.experiment.name, folder, len(jobs), resources), pending.failed
    )


def _write_arrays(name: str, folder: Path, job_count: int, resources: Resources) -> tuple[Path, ...]:
    for path in folder.glob(ARRAY_PATTERN):
        path.unlink()
    arrays = []
    for number, first in enumerate(range(1, job_count + 1, MAX_ARRAY_TASKS), 1):
        lines = range(first, min(first + MAX_ARRAY_TASKS, job_count + 1))
        path = folder / ("array.sbatch" if number == 1 else f"array-{number}.sbatch")
        write_text(path, array_script(name, real_path(folder), lines, JOBS, shlex.join(DETACHED_WORKER), resources))
        arrays.append(path)
    return tuple(arrays)
