"""`fictc run`: an experiment from its manifest to its report."""

from __future__ import annotations

from pathlib import Path

import click

from runner.cli.manifest import manifest_options


@click.command("run")
@manifest_options
@click.option("--jobs", type=click.IntRange(1), help="Cells at a time, one thread each [all cores].")
@click.option("--tensorboard", is_flag=True, help="Also write the trainings' logs for TensorBoard.")
def command(
    manifest: Path,
    data: Path | None,
    allow: tuple[Path, ...],
    output: Path | None,
    cache: Path | None,
    jobs: int | None,
    tensorboard: bool,
) -> int:
    """Run an experiment: make its corpora, train and score its models, write its report.

    Whatever was finished before is not done again, so the same command continues a run that was interrupted or
    killed, to the same results. A cell that fails stops no other; the exit code is then 1.

    \b
    Example:
      fictc run experiment.toml --data corpora --jobs 4
    """
    from runner.cli.manifest import plan_of
    from runner.cli.outcome import FINDINGS, OK
    from runner.cli.watch import watch
    from runner.execute.run import run

    plan, store, out = plan_of(manifest, data, allow, output, cache)
    with watch(plan) as listener:
        outcome = run(plan, store, out, jobs or _cores(), listener)
    if tensorboard:
        from runner.execute.tensorboard import write_tensorboard

        click.echo(f"tensorboard: {write_tensorboard(out)}")
    for name, error in sorted(outcome.failed.items()):
        click.echo(f"failed: {name}: {error}", err=True)
    if outcome.report is not None:
        click.echo(f"report: {outcome.report}")
    return FINDINGS if outcome.failed else OK


def _cores() -> int:
    """How many cores this process may use."""
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
