"""`fictc status MANIFEST|RUN`: the state of every cell of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fictdsl.words import counted
from runner.cli.messages import print_message
from runner.cli.options import folder_options, format_option

if TYPE_CHECKING:
    from runner.execute.records import Record
    from runner.execute.state import CellPaths, CellState


@click.command("status")
@click.argument("path", metavar="MANIFEST|RUN", type=click.Path(path_type=Path))
@folder_options
@format_option("text", "json")
def command(
    path: Path,
    data: Path | None,
    allow: tuple[Path, ...],
    output: Path | None,
    cache: Path | None,
    output_format: str,
) -> int:
    """Show which cells of a run are done, running, failed (and why) or waiting.

    A cell is a combination of condition, model and seed. MANIFEST is the manifest of the experiment, and RUN the folder
    of its run; with RUN, the data are not needed. Cells write their progress to files every few seconds, so the command
    works while they run, on any machine that can read these files. The exit code is 1 if a cell failed.

    \b
    Example:
      fictc status runs/small
    """
    import json

    from runner.cli.messages import FINDINGS, OK
    from runner.execute.state import cell_states

    cells = cell_states(_cell_paths(path, data, allow, output, cache))
    if output_format == "json":
        click.echo(json.dumps([_json_row(cell) for cell in cells], indent=1, ensure_ascii=False))
    else:
        for line in _text_lines(cells):
            print_message(line)
    return FINDINGS if any(cell.state == "failed" for cell in cells) else OK


def _cell_paths(
    path: Path, data: Path | None, allow: tuple[Path, ...], output: Path | None, cache: Path | None
) -> list[CellPaths]:
    from fictdsl.diagnostics.codes import diagnostic
    from runner.errors import InputError
    from runner.execute.state import cell_paths, read_cell_paths

    if not path.is_dir():
        from runner.cli.options import check_exists, load_plan

        check_exists(path)
        return cell_paths(*load_plan(path, data, allow, output, cache))
    paths = read_cell_paths(path)
    if paths is None:
        raise InputError(diagnostic("FICT840", path=path))
    return paths


def _json_row(cell: CellState) -> dict[str, Any]:
    record = cell.record
    details = {} if record is None else {"host": record.host, "task": record.task, "at": record.at, "last": record.last}
    return {"cell": cell.name, "state": cell.state, "error": record.error if record is not None else "", **details}


def _text_lines(cells: list[CellState]) -> Iterator[str]:
    counts = Counter(cell.state for cell in cells)
    summary = ", ".join(f"{counts[state]} {state}" for state in ("done", "running", "failed", "waiting"))
    yield f"{counted(len(cells), 'cell')}: {summary}"
    active = [cell for cell in cells if cell.state in ("running", "failed") or _is_interrupted(cell)]
    name_width = max((len(cell.name) for cell in active), default=0)
    for cell in active:
        assert cell.record is not None
        yield f"  {cell.state:<7}  {cell.name:<{name_width}}  {_description(cell, cell.record)}".rstrip()


def _is_interrupted(cell: CellState) -> bool:
    return cell.state == "waiting" and cell.record is not None


def _description(cell: CellState, record: Record) -> str:
    location = f"{record.host}, job {record.task}" if record.task else record.host
    match cell.state:
        case "failed":
            return record.error
        case "running":
            return f"{_progress(record.last)} ({location})".lstrip()
    reason = "stopped" if record.state == "stopped" else "no longer reporting"
    return f"{reason}, {_progress(record.last) or 'before training'} ({location})"


def _progress(event: Mapping[str, Any]) -> str:
    """Return the progress that an event reports: `step 1,200 of 5,000`, or the step that started or ended."""
    from runner.steps.titles import activity_of

    if "steps" in event:
        return f"step {event['step']:,} of {event['steps']:,}"
    return activity_of(event["step"]) + (", done" if event["event"] == "done" else "") if "step" in event else ""
