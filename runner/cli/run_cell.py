"""`fictc run-cell JOB.json`: one cell of an experiment, for any scheduler that can start a process."""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

import click

from runner.errors import InputError


@click.command("run-cell")
@click.argument("job", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--detached", is_flag=True, help="Go on when standard input closes (for schedulers).")
def command(job: Path, detached: bool) -> int:
    """Train and score one cell from its job file; one JSON line an event on standard output."""
    from runner.cli.outcome import FINDINGS, INTERRUPTED
    from runner.execute.cell import run_cell
    from runner.execute.job import Job

    if not detached and not sys.stdin.isatty():
        threading.Thread(target=_end_with_parent, args=(INTERRUPTED,), daemon=True).start()
    try:
        run_cell(Job.read(job), _say)
    except InputError as error:
        _say({"event": "failed", "error": "; ".join(f"{d.code} {d.message}" for d in error.diagnostics)})
        return FINDINGS
    return 0


def _say(event: dict[str, Any]) -> None:
    click.echo(json.dumps(event, ensure_ascii=False))
    sys.stdout.flush()


def _end_with_parent(code: int) -> None:
    """The run holds the other end of standard input: when it is gone, however it went, so is this cell."""
    while os.read(0, 4096):  # not sys.stdin, whose lock a daemon thread must not hold when the interpreter ends
        pass
    os._exit(code)
