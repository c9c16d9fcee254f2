"""The command of a cell's process, and the error of a process that failed."""

from __future__ import annotations

import sys

from runner.execute.cells.job import Job
from runner.execute.records.cell_record import INTERRUPTED, Record

PYTHON = (sys.executable, "-P")  # -P: do not import a runner.py of the current folder
WORKER = (*PYTHON, "-m", "runner.cli", "run-cell")  # followed by a job file
# One thread per cell: several cells are faster than several threads per cell (docs/experiments.md).
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "HF_HUB_OFFLINE": "1",
    "PYTHONSAFEPATH": "1",  # for the processes that torchrun starts; see `PYTHON`
}


def outcome(code: int, stderr: str, job: Job, start_time: float = 0.0) -> str | None:
    """Return the error of a cell's process, or None. Record the error if the process could not do so.

    `stderr` is the text of its standard error, and `start_time` the Unix timestamp of its start: an older record is of
    another process. A process that was asked to stop, or whose disk was full, has not failed, so the next run resumes
    it.
    """
    if code == 0:
        return None
    path = job.record
    record = Record.read(path, job.key)
    if record is not None and record.at >= start_time:
        if record.state == "failed":
            return record.error
        if record.state == "stopped":
            return record.error or INTERRUPTED
    error = _exit_message(code, stderr)
    Record("failed", job.key, error=error).write(path)
    return error


def _exit_message(code: int, stderr: str) -> str:
    lines = [line for line in stderr.splitlines() if line.strip() and not line.startswith("This is a bug")]
    last_line = lines[-1] if lines else ""
    exit_text = f"killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return f"{exit_text}: {last_line}" if last_line else exit_text
