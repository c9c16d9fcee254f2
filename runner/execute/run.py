"""Run a plan: prepare inputs, run the missing cells, collect results, and write the report."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from runner.errors import InputError
from runner.execute.builder import Builder
from runner.execute.cache import Cache
from runner.execute.collect import collect, link_cells, remove_results
from runner.execute.job import NO_RERUN, PendingJobs, RerunOptions, write_pending_jobs
from runner.execute.pool import Pool
from runner.execute.records import Event, EventLog, Listener
from runner.execute.state import RECORDS, cell_paths, write_cell_paths, write_lock
from runner.report.page import mark_stale, write_report
from runner.steps.plan import RunPlan
from runner.workspace import write_text


@dataclass(frozen=True)
class Outcome:
    """The path of the report (None if no cell finished), and the errors of failed cells by name."""

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
    """Run the missing steps of a plan and write the report into `out`. A run may be killed and repeated at any time.

    `make_pool` returns the pool that runs the cells, given a listener to its events. `rerun` says which failed or
    interrupted cells of an earlier run are run again.
    """
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
    """Create the folder of a run, and yield the builder of its steps.

    The manifest, the paths of the cells and the event log are written to the folder. Events go to `listener` too.
    """
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
    """Build all steps before the cells. The keys of the cells are then known."""
    builder.run()
    _record_cells(builder.plan, builder.cache, out)


def _record_cells(plan: RunPlan, cache: Cache, out: Path) -> None:
    """Write the paths of the cells, as far as they are known, and mark the report of other cells as stale."""
    write_cell_paths(cell_paths(plan, cache, out), out)
    mark_stale(out)


def _run_cells(
    builder: Builder, out: Path, make_pool: Callable[[Listener], Pool], rerun: RerunOptions
) -> dict[str, str]:
    """Run all cells without results; return the errors of cells that failed, now or earlier, by name.

    Cells that have finished are linked at once, for interim reports.
    """
    log = builder.listener
    pending = write_pending_jobs(builder, out, out / RECORDS, log, rerun)
    collector = InterimCollector(builder, pending, out)
    outcomes = make_pool(collector).run(list(pending.jobs))
    failed = {pending.jobs[path].name: error for path, error in outcomes.items() if error is not None}
    for name, error in failed.items():
        log({"event": "failed", "cell": name, "error": error})
    return {**pending.failed, **failed}


class InterimCollector:
    """A listener of cells that links each cell when it has finished, and writes the results of all finished ones.

    The results are written less often if that takes long, so that a run is at most 5 % slower.
    """

    def __init__(self, builder: Builder, pending: PendingJobs, out: Path) -> None:
        self._preparation, self._failed, self._out = builder, pending.failed, out
        self._remaining_steps = {cell.name: {step.id for step in cell.steps} for cell in pending.jobs.values()}
        self._lock = Lock()
        self._next_time = 0.0
        if self._remaining_steps:
            self._collect()

    def __call__(self, event: Event) -> None:
        """Log an event, and collect its cell if this was the cell's last step."""
        self._preparation.listener(event)
        steps = self._remaining_steps.get(str(event.get("cell")))
        if steps and event.get("event") == "done":
            with self._lock:
                steps.discard(str(event.get("step")))
                if not steps and any(self._remaining_steps.values()):
                    self._collect()

    def _collect(self) -> None:
        finished = [
            cell
            for cell in self._preparation.plan.cells
            if cell.name not in self._failed and not self._remaining_steps.get(cell.name)
        ]
        start_time = time.monotonic()
        with suppress(InputError, OSError):  # the run collects again at its end, and reports the error then
            if finished and start_time >= self._next_time:
                collect(self._preparation, finished, self._failed, self._out)
                self._next_time = start_time + 20 * (time.monotonic() - start_time)
            elif finished:
                link_cells(self._preparation, finished, self._out)
