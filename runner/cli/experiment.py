"""`fictc plan`, `status` and `corpora`: the steps, the cells and the training corpora of an experiment."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fictdsl.words import counted
from runner.cli import options
from runner.cli.terminal import FINDINGS, OK, print_message
from runner.errors import InputError

if TYPE_CHECKING:
    from runner.execute.export import Format
    from runner.execute.state import CellPaths, CellState, Record, StepState
    from runner.steps.plan import RunPlan


@click.command("plan")
@options.manifest_options
@options.device_option
@click.option(
    "--measure/--no-measure",
    default=None,
    help="Estimate times from a few steps of each model [default: if they train on a GPU of this machine].",
)
@click.option("--steps", is_flag=True, help="List every step, rather than the number of steps of each kind.")
@options.format_option("text", "json")
def command(manifest: Path, measure: bool | None, output_format: str, *, steps: bool, **folders: Any) -> None:
    """Show what `fictc run MANIFEST` would do: its steps, whether they are done and, if not, why.

    Nothing is trained. Filters are linted, and a filter that matches nothing is an error if an earlier run has
    imported the corpus. The cells are conditions × models × seeds. A finished step is reused as long as its inputs
    stay the same.

    \b
    Example:
      fictc plan experiment.toml --data corpora --measure
    """
    from runner.execute.estimate import memory_warnings, slow_run
    from runner.execute.planned import low_power_warning, plan_lines, plan_warnings
    from runner.execute.state import states
    from runner.execute.warnings import size_notes

    plan, result_cache, run_folder = options.load_plan(manifest, **folders)
    warnings = plan_warnings(plan, result_cache)
    step_states = states(plan, result_cache, run_folder)
    if output_format == "json":
        records = [
            {"step": state.step.id, "key": state.key, "cached": state.cached, "reason": state.reason}
            for state in step_states
        ]
        click.echo(json.dumps(records, indent=1, ensure_ascii=False))
    else:
        for line in plan_lines(plan, step_states, steps=steps):
            print_message(line)
        _print_costs(plan, step_states, measure)
        for line in (*filter(None, [low_power_warning(plan)]), *memory_warnings(plan), *size_notes(result_cache, plan)):
            print_message(line)
        if diagnostics := slow_run(plan, step_states):
            from runner.cli.progress import show_notes

            print_message("")
            show_notes(diagnostics)
    for warning in warnings:
        print_message(warning, err=True)


def _print_costs(plan: RunPlan, step_states: list[StepState], measure: bool | None) -> None:
    from runner.execute.estimate import estimate
    from runner.machine import choose

    devices = {entry.training.device for entry in plan.resolved.models.values()}
    speeds, hardware = None, None
    if measure or (measure is None and devices != {"cpu"} and choose() != "cpu"):
        from runner.execute.estimate import measure as measure_speeds

        speeds, hardware = measure_speeds(plan)
    print_message(f"\n{estimate(plan, step_states, speeds, hardware)}")
    for name in plan.placebos:
        cells = [cell for cell in plan.cells if cell.condition == name]
        placebo_estimate = estimate(plan, step_states, speeds, hardware, cells)
        if placebo_estimate.cells:
            print_message(f"Of these, {name} has {placebo_estimate.cells_and_time}.")


@click.command("status")
@click.argument("path", metavar="MANIFEST|RUN", type=options.PATH)
@options.folder_options
@options.format_option("text", "json")
def status(path: Path, output_format: str, **folders: Any) -> int:
    """Show which cells of a run are done, running, failed (and why) or waiting.

    A cell is a combination of condition, model and seed. MANIFEST is the manifest of the experiment, and RUN the folder
    of its run; with RUN, the data are not needed. Cells write their progress to files every few seconds, so the command
    works while they run, on any machine that can read these files. The exit code is 1 if a cell failed.

    \b
    Example:
      fictc status runs/small
    """
    from runner.execute.state import cell_states

    cells = cell_states(_cell_paths(path, **folders))
    if output_format == "json":
        click.echo(json.dumps([_json_row(cell) for cell in cells], indent=1, ensure_ascii=False))
    else:
        for line in _text_lines(cells):
            print_message(line)
    return FINDINGS if any(cell.state == "failed" for cell in cells) else OK


def _cell_paths(path: Path, **folders: Any) -> list[CellPaths]:
    from runner.execute.state import cell_paths, read_cell_paths

    if not path.is_dir():
        options.check_exists(path)
        return cell_paths(*options.load_plan(path, **folders))
    paths = read_cell_paths(path)
    if paths is None:
        raise InputError.of("FICT840", path=path)
    return paths


def _json_row(cell: CellState) -> dict[str, Any]:
    record = cell.record
    details = {} if record is None else {"host": record.host, "task": record.task, "at": record.at, "last": record.last}
    return {"cell": cell.name, "state": cell.state, "error": record.error if record is not None else "", **details}


def _text_lines(cells: list[CellState]) -> Iterator[str]:
    counts = Counter(cell.state for cell in cells)
    summary = ", ".join(f"{counts[state]} {state}" for state in ("done", "running", "failed", "waiting"))
    yield f"{counted(len(cells), 'cell')}: {summary}"
    active = [(cell, cell.record) for cell in cells if cell.state != "done" and cell.record is not None]
    name_width = max((len(cell.name) for cell, _ in active), default=0)
    for cell, record in active:
        yield f"  {cell.state:<7}  {cell.name:<{name_width}}  {_description(cell.state, record)}".rstrip()


def _description(state: str, record: Record) -> str:
    location = f"{record.host}, job {record.task}" if record.task else record.host
    match state:
        case "failed":
            return record.error
        case "running":
            return f"{_progress(record.last)} ({location})".lstrip()
    reason = "stopped" if record.state == "stopped" else "no longer reporting"
    return f"{reason}, {_progress(record.last) or 'before training'} ({location})"


def _progress(event: Mapping[str, Any]) -> str:
    from runner.steps.names import activity_of

    if "steps" in event:
        return f"step {event['step']:,} of {event['steps']:,}"
    return activity_of(event["step"]) + (", done" if event["event"] == "done" else "") if "step" in event else ""


@click.command("corpora")
@options.manifest_inputs
@click.option(
    "--output", "-o", type=options.FOLDER, required=True, metavar="DIR", help="Directory to write the corpora into."
)
@options.format_option(
    "text",
    "jsonl",
    "parquet",
    "hf",
    help="text: a sentence per line, an empty line between documents. jsonl, parquet: a record per sentence with its "
    "source, document and comments. hf: a folder for `load_dataset` of Hugging Face, with a card.",
)
@click.option(
    "--cells",
    is_flag=True,
    help="Also write what the trainer of each cell reads, into DIR/cells/CONDITION/MODEL/SEED: rows of token ids, the "
    "rows and the learning rate of each step, the settings, and the tokenizer with the model before training.",
)
def corpora(manifest: Path, output: Path, output_format: Format, *, cells: bool, **folders: Any) -> None:
    """Write the corpus of every condition of MANIFEST, controls included, without training.

    DIR/CONDITION has the training corpus of a condition, and DIR the validation and test texts that all conditions
    share. The corpora are those that `fictc run` trains on; both use the same cache. Running the command again
    continues an interrupted one with the same results.

    \b
    Examples:
      fictc corpora experiment.toml --output corpora
      fictc corpora experiment.toml --output corpora --format hf
      fictc corpora experiment.toml --output corpora --cells
    """
    from runner.cli.progress import watch
    from runner.execute.builder import Builder
    from runner.execute.export import export
    from runner.execute.export_cells import check_cells, export_cells

    plan, result_cache, _ = options.load_plan(manifest, output=None, **folders)
    for warning in plan.resolved.warnings:
        print_message(warning, err=True)
    written_cells = []
    with watch(plan) as listener:
        builder = Builder(plan, result_cache, listener)
        if cells:
            check_cells(builder, output)
        files = export(builder, output, output_format)
        if cells:
            written_cells = export_cells(builder, output)
    counts = [
        counted(len(plan.conditions), "condition"),
        counted(len(files), "file"),
        *([counted(len(written_cells), "cell")] if cells else []),
    ]
    print_message(f"{', '.join(counts)}: {output}")
    if cells and (missing := len(plan.cells) - len(written_cells)):
        print_message(
            f"cells that begin from a state of another cell are left out ({missing}): states exist only after training"
        )
