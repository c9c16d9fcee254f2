"""`fictc plan`: the matrix of an experiment, what is done, what is not and why, and what it may cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.shared.manifest import manifest_options
from runner.cli.shared.messages import say

if TYPE_CHECKING:
    from runner.execute.state import State
    from runner.steps.plan import Plan


@click.command("plan")
@manifest_options
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="For people or tools.")
def command(
    manifest: Path, data: Path | None, allow: tuple[Path, ...], output: Path | None, cache: Path | None, form: str
) -> None:
    """Show what `fictc run MANIFEST` would do: every step, whether its result is there, and why not.

    Nothing is run. Conditions × models × seeds make the cells; a step is done once and never again while what it
    is made from stays the same.

    \b
    Example:
      fictc plan experiment.toml --data corpora
    """
    import json

    from runner.cli.shared.manifest import plan_of
    from runner.execute.state import states

    plan, store, out = plan_of(manifest, data, allow, output, cache)
    found = states(plan, store, out)
    if form == "json":
        rows = [{"step": s.step.id, "key": s.step.key, "cached": s.cached, "reason": s.reason} for s in found]
        click.echo(json.dumps(rows, indent=1, ensure_ascii=False))
        return
    _print(plan, found)


def _print(plan: Plan, found: list[State]) -> None:
    from runner.execute.estimate import estimate
    from runner.steps.interventions import describe_condition

    manifest = plan.resolved.manifest
    seeds = manifest.experiment.seeds
    say(f"{manifest.experiment.name}: {manifest.experiment.description}".rstrip(": "))
    say(
        f"{len(plan.conditions)} conditions × {len(plan.resolved.models)} models × {len(seeds)} seeds"
        f" = {len(plan.cells)} cells"
    )
    for condition in plan.conditions:
        say(f"  {condition:<32} {describe_condition(condition, plan.resolved)}")
    filters = [one for by_key in plan.resolved.filters.values() for key in by_key for one in by_key[key]]
    for given in sorted({str(given) for one in filters for given in one.lists}):
        say(f"  list {given}")
    cached = sum(state.cached for state in found)
    say(f"\n{cached} of {len(found)} steps are done.")
    for state in found:
        mark = "done " if state.cached else "to do"
        say(f"  {mark}  {state.step.id}" + (f"  ({state.reason})" if state.reason else ""))
    say(f"\n{estimate(plan, found)}")
