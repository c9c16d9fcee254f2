"""`fictc plan`: the steps of an experiment, which are done, and the estimated cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.messages import print_message
from runner.cli.options import device_option, format_option, manifest_options

if TYPE_CHECKING:
    from runner.execute.state import StepState
    from runner.steps.plan import RunPlan


@click.command("plan")
@manifest_options
@device_option
@click.option(
    "--measure/--no-measure",
    default=None,
    help="Estimate times from a few steps of each model [default: if they train on a GPU of this machine].",
)
@click.option("--steps", is_flag=True, help="List every step, rather than the number of steps of each kind.")
@format_option("text", "json")
def command(
    manifest: Path,
    data: Path | None,
    allow: tuple[Path, ...],
    output: Path | None,
    cache: Path | None,
    device: str | None,
    measure: bool | None,
    output_format: str,
    *,
    steps: bool,
) -> None:
    """Show what `fictc run MANIFEST` would do: its steps, whether they are done and, if not, why.

    Nothing is trained. Filters are linted, and a filter that matches nothing is an error if an earlier run has
    imported the corpus. The cells are conditions × models × seeds. A finished step is reused as long as its inputs
    stay the same.

    \b
    Example:
      fictc plan experiment.toml --data corpora --measure
    """
    import json

    from runner.cli.options import load_plan
    from runner.cli.progress import show_notes
    from runner.execute.estimate import memory_warnings, slow_run
    from runner.execute.planned import low_power_warning, plan_lines, plan_warnings
    from runner.execute.state import states
    from runner.execute.warnings import size_notes

    plan, result_cache, run_folder = load_plan(manifest, data, allow, output, cache, device)
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
        for line in (
            *filter(None, [low_power_warning(plan)]),
            *memory_warnings(plan),
            *size_notes(result_cache, plan),
        ):
            print_message(line)
        if diagnostics := slow_run(plan, step_states):
            print_message("")
            show_notes(diagnostics)
    for warning in warnings:
        print_message(warning, err=True)


def _print_costs(plan: RunPlan, step_states: list[StepState], measure: bool | None) -> None:
    """Print the estimated time of all remaining cells, and of those of each placebo."""
    from dataclasses import replace

    from runner.execute.estimate import estimate
    from runner.machine import choose

    devices = {entry.training.device for entry in plan.resolved.models.values()}
    speeds, hardware = None, None
    if measure or (measure is None and devices != {"cpu"} and choose() != "cpu"):
        from runner.execute.estimate import measure as measure_speeds

        speeds, hardware = measure_speeds(plan)
    print_message(f"\n{estimate(plan, step_states, speeds, hardware)}")
    for name in plan.placebos:
        placebo_plan = replace(plan, cells=tuple(cell for cell in plan.cells if cell.condition == name))
        placebo_estimate = estimate(placebo_plan, step_states, speeds, hardware)
        if placebo_estimate.cells:
            print_message(f"Of these, {name} has {placebo_estimate.cells_and_time}.")
