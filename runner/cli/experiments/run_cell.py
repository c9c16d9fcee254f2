"""`fictc run-cell JOB.json`: one cell of an experiment, for any scheduler that can start a process."""

from __future__ import annotations

import json
import os
import sys
import threading
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.errors import InputError

if TYPE_CHECKING:
    from runner.execute.cells.job import Job

# One thread a cell: several threads on a shared machine are slower than several cells (docs/experiments.md).
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "HF_HUB_OFFLINE": "1",
    "PYTHONSAFEPATH": "1",  # of the processes that torchrun starts; see `execute.starter.PYTHON`
}


@click.command("run-cell")
@click.argument("job", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--detached", is_flag=True, help="Go on when standard input closes (for schedulers).")
def command(job: Path, detached: bool) -> int:
    """Train and score one cell from its job file; one JSON line an event on standard output.

    SIGTERM or SIGUSR2 makes it save its training and end with code 130; started again, it goes on from there.
    """
    os.environ.update(ENVIRONMENT)  # before what reads it is imported
    from runner.cli.shared.outcome import FINDINGS, INTERRUPTED
    from runner.execute.cells.cell import is_trained, run_cell
    from runner.execute.cells.job import Job
    from runner.execute.cells.stop import Stop
    from runner.execute.records.cell_record import Recorder, reason
    from runner.train.world import part, started

    read = Job.read(job)
    if not detached and not sys.stdin.isatty():
        threading.Thread(target=_end_with_parent, args=(INTERRUPTED,), daemon=True).start()
    if read.train_spec.processes > started() == 1 and not is_trained(read):
        return _together(job, read)
    stop = Stop()
    stop.listen()
    first = os.environ.get("RANK", "0") == "0"  # of the processes that train one model together
    recorder = Recorder(Path(read.record), read.key) if first else None

    def hear(event: dict[str, Any]) -> None:
        _say(event)
        if recorder is not None:
            recorder.hear(event)

    try:
        with recorder or nullcontext():
            run_cell(read, hear, stop)
        part()
    except InputError as error:
        _say({"event": "failed", "error": reason(error)})
        return FINDINGS
    return 0


def _together(path: Path, job: Job) -> int:
    """The cell of a job whose model several processes train; this one waits for them."""
    import accelerate  # noqa: F401 - to be told of here, once, where it is not installed

    from runner.cli.shared.outcome import FINDINGS, OK
    from runner.execute.launch.distributed import run_together

    match run_together(path, job):
        case "done":
            return OK
        case "stopped":
            raise KeyboardInterrupt
        case _:
            return FINDINGS


def _say(event: dict[str, Any]) -> None:
    click.echo(json.dumps(event, ensure_ascii=False))
    sys.stdout.flush()


def _end_with_parent(code: int) -> None:
    """The run holds the other end of standard input: when it is gone, however it went, so is this cell."""
    while os.read(0, 4096):  # not sys.stdin, whose lock a daemon thread must not hold when the interpreter ends
        pass
    os._exit(code)
