"""What starts the processes of cells: the command of one, and what every way of starting many can do."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from runner.execute.cells.job import Job
from runner.execute.records.cell_record import INTERRUPTED, Record
from runner.execute.records.events import Listener

PYTHON = (sys.executable, "-P")  # a runner.py in the folder where it is started is none of ours
WORKER = (*PYTHON, "-m", "runner.cli", "run-cell")  # and a job file


class Starter(Protocol):
    """Runs cells somewhere. One that fails stops no other; an interrupt leaves them so that another run goes on."""

    def run(self, jobs: Sequence[Path]) -> dict[Path, str | None]:
        """Run the cells of job files to their ends; for each, None or what made it fail."""
        ...


Start = Callable[[Listener], Starter]


def ended(code: int, errors: str, job: Job) -> str | None:
    """How a process of a cell ended: None, or why it failed, which is put on record if it could not do so itself.

    `errors` is what it wrote on standard error. One that was asked to stop is interrupted and has not failed. One that
    found the disk full has a reason, but no record of a failure: the next run tries it again.
    """
    if code == 0:
        return None
    record = Path(job.record)
    told = Record.read(record, job.key)
    if told is not None and told.state == "failed":
        return told.error
    if told is not None and told.state == "stopped":
        return told.error or INTERRUPTED
    why = _reason(code, errors)
    Record("failed", job.key, error=why).write(record)
    return why


def _reason(code: int, errors: str) -> str:
    told = [line for line in errors.splitlines() if line.strip() and not line.startswith("This is a bug")]
    last = told[-1] if told else ""
    how = f"killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return f"{how}: {last}" if last else how
