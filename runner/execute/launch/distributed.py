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

GRACE = "90"  # seconds in which workers save a checkpoint after SIGTERM, as long as schedulers allow


def run_distributed(path: Path, job: Job) -> State:
    """Run the cell of a job file in several processes, forward SIGTERM and SIGUSR2, and return its final state.

    The processes end when this one does, since it holds the other end of their standard input, as `Pool` does for its
    cells. They have all ended when their standard output is closed, even if torchrun was killed.
    """
    _record(job, "running")  # replaces an older record
    torchrun_options = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={job.train_spec.processes}"]
    with subprocess.Popen(
        [sys.executable, *torchrun_options, *WORKER[WORKER.index("-m") :], str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "TORCH_ELASTIC_SHUTDOWN_TIMEOUT": GRACE},
        # Slurm signals all processes of a task; SIGUSR2 would kill torchrun but not its workers
        preexec_fn=lambda: signal.signal(signal.SIGUSR2, signal.SIG_IGN),  # noqa: PLW1509 - no locks are held
    ) as torchrun:
        stopping = False

        def forward(*_: object) -> None:
            nonlocal stopping
            if not stopping:  # a second SIGTERM would end torchrun before its workers
                torchrun.terminate()
            stopping = True

        for signal_number in SIGNALS:
            signal.signal(signal_number, forward)
        assert torchrun.stdout is not None
        for line in torchrun.stdout:
            sys.stdout.buffer.write(line)
            sys.stdout.flush()
    record = Record.read(Path(job.record), job.key)
    if record is not None and record.state != "running":
        return record.state
    if torchrun.returncode == 0:
        return "done"
    if stopping:  # before the workers wrote a record
        _record(job, "stopped")
    return "stopped" if stopping else "failed"


def _record(job: Job, state: State) -> None:
    with suppress(InputError, OSError):  # a cell must not fail because of its record
        Record(state, job.key).write(Path(job.record))
