"""Run a plan: prepare inputs, run the missing cells, collect results, and write the report."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.execute.collect.card import run_card
from runner.execute.collect.collect import collect, remove_results
from runner.execute.launch.starter import MakeStarter
from runner.execute.launch.todo import NO_RERUN, RerunOptions, write_pending_jobs
from runner.execute.prepare.prepare import Preparation
from runner.execute.records.cache import Cache
from runner.execute.records.events import EventLog, Listener
from runner.execute.state import write_lock
from runner.execute.status import RECORDS, cell_paths, write_cell_paths
from runner.readers import parse_json
from runner.report.page.page import write_report
from runner.steps.plan import Plan
from runner.workspace import write_text


@dataclass(frozen=True)
class Outcome:
    """The path of the report (None if no cell finished), and the errors of failed cells by name."""

    report: Path | None
    failed: dict[str, str]


def run(
    plan: Plan,
    cache: Cache,
    out: Path,
    make_starter: MakeStarter,
    listener: Listener | None = None,
    *,
    rerun: RerunOptions = NO_RERUN,
) -> Outcome:
    """Run the missing steps of a plan and write the report into `out`. A run may be killed and repeated at any time.

    `make_starter` returns the starter that runs the cells, given a listener to its events. `rerun` says which failed or
    interrupted cells of an earlier run are run again.
    """
    with open_run(plan, cache, out, listener) as preparation:
        log = preparation.listener
        start_time = time.monotonic()
        preparation.run()
        cells_start_time = time.monotonic()
        failed = _run_cells(preparation, out, make_starter, rerun)
        cells_end_time = time.monotonic()
        write_lock(plan, out)
        report = None
        if len(failed) < len(plan.cells):
            seconds = {"prepare": cells_start_time - start_time, "train and score": cells_end_time - cells_start_time}
            trainings = _training_results(preparation, failed)
            parameters = {model: result["parameters"] for (_, model, _), result in reversed(trainings.items())}
            devices = sorted({result.get("device", "cpu") for result in trainings.values()})
            card = run_card(plan, parameters, devices, seconds, failed)
            results = collect(preparation, failed, card, out)
            log({"event": "start", "step": "report"})
            report = write_report(results, out)
            log({"event": "done", "step": "report"})
        else:
            remove_results(out)
        log({"event": "end", "failed": len(failed)})
        return Outcome(report, failed)


@contextmanager
def open_run(plan: Plan, cache: Cache, out: Path, listener: Listener | None = None) -> Iterator[Preparation]:
    """Create the folder of a run, and yield the preparation of its steps.

    The manifest, the paths of the cells and the event log are written to the folder. Events go to `listener` too.
    """
    out.mkdir(parents=True, exist_ok=True)
    write_text(out / "manifest.toml", plan.resolved.draft.source.text)
    write_cell_paths(cell_paths(plan, cache, out), out)
    log = EventLog(out / "events.jsonl", listener)
    try:
        log({"event": "run", "cells": len(plan.cells), "name": plan.resolved.manifest.experiment.name})
        yield Preparation(plan, cache, log)
    finally:
        log.close()


def _run_cells(preparation: Preparation, out: Path, make_starter: MakeStarter, rerun: RerunOptions) -> dict[str, str]:
    """Run all cells without results; return the errors of cells that failed, now or earlier, by name."""
    log = preparation.listener
    pending = write_pending_jobs(preparation, out, out / RECORDS, log, rerun)
    outcomes = make_starter(log).run(list(pending.jobs))
    failed = {pending.jobs[path].name: error for path, error in outcomes.items() if error is not None}
    for name, error in failed.items():
        log({"event": "failed", "cell": name, "error": error})
    return {**pending.failed, **failed}


def _training_results(preparation: Preparation, failed: dict[str, str]) -> dict[tuple[str, str, int], dict[str, Any]]:
    """Return the training results of finished cells by condition, model and seed."""
    return {
        (cell.condition, cell.model, cell.seed): parse_json(
            (preparation.cache.folder(cell.train) / "training.json").read_text(encoding="utf-8")
        )
        for cell in preparation.plan.cells
        if cell.name not in failed
    }
