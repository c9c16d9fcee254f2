"""One job to as many processes of this machine as train its model together, started by torchrun, awaited here."""

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

GRACE = "90"  # seconds that torchrun gives them to save a training; what schedulers give is no longer


def run_together(path: Path, job: Job) -> State:
    """Run the cell of a job file in several processes, which are told of SIGTERM and SIGUSR2; how it ended.

    However this process ends, they do: it holds the other end of their standard input, as `Pool` does of a cell's. That
    their standard output is closed says that they have ended, however torchrun did.
    """
    _record(job, "running")  # so that nothing older is taken for what they say
    several = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={job.train_spec.processes}"]
    with subprocess.Popen(
        [sys.executable, *several, *WORKER[WORKER.index("-m") :], str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "TORCH_ELASTIC_SHUTDOWN_TIMEOUT": GRACE},
        # Slurm signals all processes of a task, and torchrun would die of this one and leave the others alone
        preexec_fn=lambda: signal.signal(signal.SIGUSR2, signal.SIG_IGN),  # noqa: PLW1509 - there are no locks to hold
    ) as torchrun:
        asked = False

        def forward(*_: object) -> None:
            nonlocal asked
            if not asked:  # torchrun waits for the others once
                torchrun.terminate()
            asked = True

        for number in SIGNALS:
            signal.signal(number, forward)
        assert torchrun.stdout is not None
        for line in torchrun.stdout:
            sys.stdout.buffer.write(line)
            sys.stdout.flush()
    told = Record.read(Path(job.record), job.key)
    if told is not None and told.state != "running":
        return told.state
    if torchrun.returncode == 0:
        return "done"
    if asked:  # before they could say anything
        _record(job, "stopped")
    return "stopped" if asked else "failed"


def _record(job: Job, state: State) -> None:
    with suppress(InputError, OSError):  # a cell does not fail because nobody can be told
        Record(state, job.key).write(Path(job.record))
