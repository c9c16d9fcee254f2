"""The cells of a plan to those that have their results, those that failed before, and job files of the rest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from runner.execute.cells.job import write_job
from runner.execute.prepare.prepare import Preparation
from runner.execute.records.cell_record import Record
from runner.execute.records.events import Listener
from runner.execute.status import Place, file_name
from runner.steps.plan import Cell


@dataclass(frozen=True)
class ToDo:
    """Job files of the cells that are to be run, and why others failed in an earlier run, by name."""

    waiting: dict[Path, Cell]
    failed: dict[str, str]


def to_do(preparation: Preparation, out: Path, folder: Path, log: Listener, *, retry: bool) -> ToDo:
    """Write the job files into `folder`; what failed is left alone unless it is to be tried again."""
    waiting: dict[Path, Cell] = {}
    failed: dict[str, str] = {}
    for cell in preparation.plan.cells:
        record = Place.of(cell, preparation.cache, out).record
        before = Record.read(record, cell.key)
        if all(preparation.cache.has(step) for step in cell.steps):
            for step in cell.steps:
                log({"event": "done", "step": step.id, "cached": True, "cell": cell.name})
        elif before is not None and before.state == "failed" and not retry:
            failed[cell.name] = before.error
        else:
            if before is not None and before.state == "failed":
                record.unlink()
            waiting[write_job(cell, preparation, folder / f"{file_name(cell.name)}.json", record)] = cell
    return ToDo(waiting, failed)
