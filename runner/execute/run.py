"""A plan to a report: prepare, run the cells that are missing, collect, report."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from runner.execute.collect.card import run_card
from runner.execute.collect.collect import collect, leave_nothing
from runner.execute.launch.starter import Start
from runner.execute.launch.todo import to_do
from runner.execute.prepare.prepare import Preparation
from runner.execute.records.cache import Cache
from runner.execute.records.events import EventLog, Listener
from runner.execute.state import remember
from runner.execute.status import RECORDS, places, write_places
from runner.readers import parse_json
from runner.report.page.page import write_report
from runner.steps.plan import Plan
from runner.workspace import write_text


@dataclass(frozen=True)
class Outcome:
    """Where the report is (None if no cell finished) and what failed, by cell."""

    report: Path | None
    failed: dict[str, str]


def run(
    plan: Plan, cache: Cache, out: Path, start: Start, listener: Listener | None = None, *, retry: bool = False
) -> Outcome:
    """Do what is missing of a plan and write the report into `out`. Safe to kill and to repeat at any time.

    Cells that failed in an earlier run are run again only if they are to be tried again.
    """
    with opened(plan, cache, out, listener) as preparation:
        log = preparation.listener
        begin = time.monotonic()
        preparation.run()
        prepared = time.monotonic()
        failed = _cells(preparation, out, start, retry=retry)
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
        else:
            leave_nothing(out)
        log({"event": "end", "failed": len(failed)})
        return Outcome(report, failed)


@contextmanager
def opened(plan: Plan, cache: Cache, out: Path, listener: Listener | None = None) -> Iterator[Preparation]:
    """The folder of a run with its manifest, its places and its log, whose events also go to the listener."""
    out.mkdir(parents=True, exist_ok=True)
    write_text(out / "manifest.toml", plan.resolved.draft.source.text)
    write_places(places(plan, cache, out), out)
    log = EventLog(out / "events.jsonl", listener)
    try:
        log({"event": "run", "cells": len(plan.cells), "name": plan.resolved.manifest.experiment.name})
        yield Preparation(plan, cache, log)
    finally:
        log.close()


def _cells(preparation: Preparation, out: Path, start: Start, *, retry: bool) -> dict[str, str]:
    """Run every cell that lacks a result; what failed, now or before, and why, by name."""
    log = preparation.listener
    found = to_do(preparation, out, out / RECORDS, log, retry=retry)
    outcomes = start(log).run(list(found.waiting))
    failed = {found.waiting[path].name: error for path, error in outcomes.items() if error is not None}
    for name, error in failed.items():
        log({"event": "failed", "cell": name, "error": error})
    return {**found.failed, **failed}


def _parameters(preparation: Preparation, failed: dict[str, str]) -> dict[str, int]:
    """How many parameters each model has, as its first finished cell recorded."""
    counts: dict[str, int] = {}
    for cell in preparation.plan.cells:
        if cell.name not in failed and cell.model not in counts:
            path = preparation.cache.folder(cell.train) / "training.json"
            counts[cell.model] = parse_json(path.read_text(encoding="utf-8"))["parameters"]
    return counts
