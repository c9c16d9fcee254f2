"""Write job files for the cells of a plan that have no results."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from runner.execute.cells.job import write_job
from runner.execute.prepare.prepare import Preparation
from runner.execute.records.cache import discard_unfinished
from runner.execute.records.cell_record import Record
from runner.execute.records.events import Listener
from runner.execute.status import CellPaths, file_name
from runner.steps.cells import Cell


@dataclass(frozen=True)
class PendingJobs:
    """The job files of cells to run, and the errors of cells that failed in an earlier run, by name."""

    jobs: dict[Path, Cell]
    failed: dict[str, str]


@dataclass(frozen=True)
class RerunOptions:
    """Whether failed cells run again (`retry`), or failed and interrupted cells start from scratch (`restart`)."""

    retry: bool = False
    restart: bool = False


NO_RERUN = RerunOptions()


def write_pending_jobs(
    preparation: Preparation, out: Path, folder: Path, log: Listener, rerun: RerunOptions
) -> PendingJobs:
    """Write job files of the cells without results into `folder`. Failed cells are included only if they run again."""
    jobs: dict[Path, Cell] = {}
    failed: dict[str, str] = {}
    # cells from which others branch come first
    for cell in sorted(preparation.plan.cells, key=lambda cell: cell.branch is not None):
        status_file = CellPaths.of(cell, preparation.cache, out).record
        previous_record = Record.read(status_file, preparation.cache.joint_key(cell.steps))
        if all(preparation.cache.has(step) for step in cell.steps):
            for step in (*([cell.branch.state] if cell.branch else []), *cell.steps):
                log({"event": "done", "step": step.id, "cached": True, "cell": cell.name})
        elif previous_record is not None and previous_record.state == "failed" and not (rerun.retry or rerun.restart):
            failed[cell.name] = previous_record.error
        else:
            if previous_record is not None and previous_record.state == "failed":
                status_file.unlink()
            if rerun.restart and not (previous_record is not None and previous_record.alive):
                _discard_unfinished(cell, preparation)
            jobs[write_job(cell, preparation, folder / f"{file_name(cell.name)}.json", status_file)] = cell
    return PendingJobs(jobs, failed)


def _discard_unfinished(cell: Cell, preparation: Preparation) -> None:
    """Remove the unfinished training of a cell, and of the state from which it branches.

    Another run, or another cell of this one, may be working on the same training. It is then kept.
    """
    for step in (cell.train, *([cell.branch.state] if cell.branch else [])):
        discard_unfinished(preparation.cache.folder(step))
