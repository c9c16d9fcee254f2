"""Run a job that trains in several processes of this machine, through torchrun."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from runner.errors import InputError
from runner.execute.cells.job import Job
from runner.execute.cells.stop import SIGNALS
from runner.execute.launch.starter import WORKER
from runner.execute.records.cell_record import Record, State

GRACE_SECONDS = "90"  # time for workers to save a checkpoint after SIGTERM, as much as schedulers give


def run_distributed(path: Path, job: Job) -> State:
    """Run the cell of a job file in several processes, forward SIGTERM and SIGUSR2, and return its final state.

    This process holds the other end of their standard input, so they end when it ends, like the cells of `Pool`. They
    have all ended when their standard output is closed, even if torchrun was killed.
    """
    _write_record(job, "running")  # replaces an older record
    torchrun_options = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={job.training.processes}"]
    with subprocess.Popen(
        [sys.executable, *torchrun_options, *WORKER[WORKER.index("-m") :], str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "TORCH_ELASTIC_SHUTDOWN_TIMEOUT": GRACE_SECONDS},
        # Slurm signals all processes of a task; SIGUSR2 would kill torchrun but not its workers
        preexec_fn=lambda: signal.signal(signal.SIGUSR2, signal.SIG_IGN),  # noqa: PLW1509 - no locks are held
    ) as torchrun:
        is_stopping = False

        def forward(*_: object) -> None:
            nonlocal is_stopping
            if not is_stopping:  # a second SIGTERM would end torchrun before its workers
                torchrun.terminate()
            is_stopping = True

        for signal_number in SIGNALS:
            signal.signal(signal_number, forward)
        assert torchrun.stdout is not None
        for line in torchrun.stdout:
            sys.stdout.buffer.write(line)
            sys.stdout.flush()
    record = Record.read(job.record, job.key)
    if record is not None and record.state != "running":
        return record.state
    if torchrun.returncode == 0:
        return "done"
    if is_stopping:  # before the workers wrote a record
        _write_record(job, "stopped")
    return "stopped" if is_stopping else "failed"


def _write_record(job: Job, state: State) -> None:
    with suppress(InputError, OSError):  # a cell must not fail because of its record
        Record(state, job.key).write(job.record)
