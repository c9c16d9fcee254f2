"""`fictc run-cell JOB.json`: run one cell of an experiment, for any scheduler that starts processes."""

from __future__ import annotations

import json
import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.errors import InputError

if TYPE_CHECKING:
    from runner.execute.job import Job


@click.command("run-cell")
@click.argument("job_path", metavar="JOB", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--detached", is_flag=True, help="Continue when standard input closes (for schedulers).")
def command(job_path: Path, detached: bool) -> int:
    """Train and score one cell from its job file; print one JSON line per event.

    On SIGTERM or SIGUSR2, a checkpoint is saved and the exit code is 130. Running the command again resumes from it.
    """
    from runner.corpus.processes import end_with_pipe
    from runner.execute.job import Job
    from runner.execute.pool import ENVIRONMENT

    job = Job.read(job_path)
    if not detached and not sys.stdin.isatty():
        end_with_pipe(0)  # before the imports, which take seconds
    os.environ.update(ENVIRONMENT)  # before the imports that read it
    from runner.cli.messages import FINDINGS
    from runner.execute.cell import Stop, is_trained, run_cell
    from runner.execute.records import Recorder, reason
    from runner.train.distributed import destroy_process_group, launched_processes

    if job.training.processes > launched_processes() == 1 and not is_trained(job):
        return _run_distributed(job_path, job)
    stop = Stop()
    stop.listen()
    # true in only one of the processes that train a model together
    is_main_process = os.environ.get("RANK", "0") == "0"
    recorder = Recorder(job.record, job.key) if is_main_process else None

    def on_event(event: dict[str, Any]) -> None:
        _print_event(event)
        if recorder is not None:
            recorder.record_event(event)

    try:
        with recorder or nullcontext():
            run_cell(job, on_event, stop)
        destroy_process_group()
    except InputError as error:
        _print_event({"event": "failed", "error": reason(error)})
        return FINDINGS
    return 0


def _run_distributed(job_path: Path, job: Job) -> int:
    """Run the cell of a job in several processes. Return the exit code. Raises KeyboardInterrupt if it was stopped."""
    import accelerate  # noqa: F401 - fails here, once, if it is not installed

    from runner.cli.messages import FINDINGS, OK
    from runner.execute.pool import run_distributed

    match run_distributed(job_path, job):
        case "done":
            return OK
        case "stopped":
            raise KeyboardInterrupt
        case _:
            return FINDINGS


def _print_event(event: dict[str, Any]) -> None:
    click.echo(json.dumps(event, ensure_ascii=False))
    sys.stdout.flush()
