"""A plan to a report: prepare, run the cells that are missing, collect, report."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path

from runner.execute.cache import Cache
from runner.execute.card import run_card
from runner.execute.collect import collect
from runner.execute.events import EventLog, Listener
from runner.execute.job import write_job
from runner.execute.pool import Pool
from runner.execute.prepare import Preparation
from runner.execute.state import remember
from runner.report.page import write_report
from runner.steps.plan import Cell, Plan
from runner.workspace import write_text


@dataclass(frozen=True)
class Outcome:
    """Where the report is (None if no cell finished) and what failed, by cell."""

    report: Path | None
    failed: dict[str, str]


def run(plan: Plan, cache: Cache, out: Path, workers: int, listener: Listener | None = None) -> Outcome:
    """Do what is missing of a plan and write the report into `out`. Safe to kill and to repeat at any time."""
    out.mkdir(parents=True, exist_ok=True)
    write_text(out / "manifest.toml", plan.resolved.draft.source.text)
    log = EventLog(out / "events.jsonl", listener)
    try:
        begin = time.monotonic()
        log({"event": "run", "cells": len(plan.cells), "name": plan.resolved.manifest.experiment.name})
        preparation = Preparation(plan, cache, log)
        preparation.run()
        prepared = time.monotonic()
        failed = _cells(preparation, out, workers, log)
        trained = time.monotonic()
        remember(plan, out)
        report = None
        if len(failed) < len(plan.cells):
            seconds = {"prepare": prepared - begin, "train and score": trained - prepared}
            card = run_card(plan, _parameters(preparation, failed), seconds, failed)
            results = collect(preparation, failed, card, out)
            log({"event": "start", "step": "report"})
            report = write_report(results, out)
            log({"event": "done", "step": "report"})
        log({"event": "end", "failed": len(failed)})
        return Outcome(report, failed)
    finally:
        log.close()


def _cells(preparation: Preparation, out: Path, workers: int, log: EventLog) -> dict[str, str]:
    """Run every cell that lacks a result; what failed and why, by name."""
    waiting: dict[Path, Cell] = {}
    for cell in preparation.plan.cells:
        if all(preparation.cache.has(step) for step in cell.steps):
            for step in cell.steps:
                log({"event": "done", "step": step.id, "cached": True, "cell": cell.name})
        else:
            path = out / "jobs" / f"{cell.name.replace('/', '--')}.json"
            waiting[write_job(cell, preparation, path)] = cell
    outcomes = Pool(workers, log).run(list(waiting))
    failed = {waiting[path].name: error for path, error in outcomes.items() if error is not None}
    for name, error in failed.items():
        log({"event": "failed", "cell": name, "error": error})
    return failed


def _parameters(preparation: Preparation, failed: dict[str, str]) -> dict[str, int]:
    """How many parameters each model has, as its first finished cell recorded."""
    counts: dict[str, int] = {}
    for cell in preparation.plan.cells:
        if cell.name not in failed and cell.model not in counts:
            path = preparation.cache.folder(cell.train) / "training.json"
            counts[cell.model] = json.loads(path.read_text(encoding="utf-8"))["parameters"]
    return counts
