"""`fictc status MANIFEST|RUN`: how every cell of a run is doing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.shared.manifest import place_options
from runner.cli.shared.messages import say

if TYPE_CHECKING:
    from runner.execute.records.cell_record import Record
    from runner.execute.status import CellState, Place


@click.command("status")
@click.argument("manifest", metavar="MANIFEST|RUN", type=click.Path(path_type=Path))
@place_options
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="For people or tools.")
def command(
    manifest: Path, data: Path | None, allow: tuple[Path, ...], output: Path | None, cache: Path | None, form: str
) -> int:
    """Say which cells of a run are done, which are running, which failed and why, and how many wait.

    MANIFEST is the experiment, or the folder of its run, which needs none of the data. Processes of cells say every
    few seconds how they are doing, so that this works while they run, and on any machine that sees their files. The
    exit code is 1 where a cell failed.

    \b
    Example:
      fictc status runs/small
    """
    import json

    from runner.cli.shared.outcome import FINDINGS, OK
    from runner.execute.status import cell_states

    found = cell_states(_places(manifest, data, allow, output, cache))
    if form == "json":
        click.echo(json.dumps([_row(cell) for cell in found], indent=1, ensure_ascii=False))
    else:
        for line in _lines(found):
            say(line)
    return FINDINGS if any(cell.state == "failed" for cell in found) else OK


def _places(
    given: Path, data: Path | None, allow: tuple[Path, ...], output: Path | None, cache: Path | None
) -> list[Place]:
    from fictdsl.diagnostics.codes import diagnostic
    from runner.errors import InputError
    from runner.execute.status import places, read_places

    if not given.is_dir():
        from runner.cli.shared.manifest import plan_of

        return places(*plan_of(given, data, allow, output, cache))
    found = read_places(given)
    if found is None:
        raise InputError(diagnostic("FICT840", path=given))
    return found


def _row(cell: CellState) -> dict[str, Any]:
    record = cell.record
    told = {} if record is None else {"host": record.host, "task": record.task, "at": record.at, "last": record.last}
    return {"cell": cell.name, "state": cell.state, "error": record.error if record is not None else "", **told}


def _lines(found: list[CellState]) -> Iterator[str]:
    counts = Counter(cell.state for cell in found)
    told = ", ".join(f"{counts[state]} {state}" for state in ("done", "running", "failed", "waiting"))
    yield f"{len(found)} cells: {told}"
    shown = [cell for cell in found if cell.state in ("running", "failed") or _interrupted(cell)]
    width = max((len(cell.name) for cell in shown), default=0)
    for cell in shown:
        assert cell.record is not None
        yield f"  {cell.state:<7}  {cell.name:<{width}}  {_said(cell, cell.record)}".rstrip()


def _interrupted(cell: CellState) -> bool:
    return cell.state == "waiting" and cell.record is not None


def _said(cell: CellState, record: Record) -> str:
    where = f"{record.host}, job {record.task}" if record.task else record.host
    match cell.state:
        case "failed":
            return record.error
        case "running":
            return f"{_progress(record.last)} ({where})".lstrip()
    how = "stopped" if record.state == "stopped" else "nothing more was heard of it"
    return f"{how}, {_progress(record.last) or 'before its training'} ({where})"


def _progress(last: Mapping[str, Any]) -> str:
    """What the last event says: `step 1,200 of 5,000`, or the step of the cell that began or ended."""
    if "steps" in last:
        return f"step {last['step']:,} of {last['steps']:,}"
    return f"{last['step']} {last['event']}" if "step" in last else ""
