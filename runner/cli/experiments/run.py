"""`fictc run`: an experiment from its manifest to its report."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.experiments.cluster import cluster_options, resources_of
from runner.cli.shared.manifest import FOLDER, manifest_options
from runner.cli.shared.messages import say
from runner.cli.shared.numbers import MOST_PROCESSES, Whole

if TYPE_CHECKING:
    from runner.execute.launch.slurm_text import Resources
    from runner.execute.launch.starter import Start
    from runner.execute.records.cache import Cache
    from runner.steps.plan import Plan


@click.command("run")
@manifest_options
@click.option("--jobs", type=Whole(1, MOST_PROCESSES), help="Cells at a time, one thread each [all cores].")
@click.option("--tensorboard", is_flag=True, help="Also write the trainings' logs for TensorBoard.")
@click.option("--retry-failed", is_flag=True, help="Run cells again that failed before.")
@click.option("--emit-jobs", type=FOLDER, help="Run no cell: write their job files, and lists for a scheduler.")
@cluster_options
def command(
    manifest: Path,
    data: Path | None,
    allow: tuple[Path, ...],
    output: Path | None,
    cache: Path | None,
    jobs: int | None,
    tensorboard: bool,
    retry_failed: bool,
    emit_jobs: Path | None,
    cluster: str | None,
    **asked: Any,
) -> int:
    """Run an experiment: make its corpora, train and score its models, write its report.

    Whatever was finished before is not done again, so the same command continues a run that was interrupted or
    killed, to the same results. A cell that fails stops no other; the exit code is then 1, and it is left alone
    until --retry-failed. If none failed but some were told to stop (SIGTERM), it is 130, and the same command goes on.

    \b
    Examples:
      fictc run experiment.toml --data corpora --jobs 4
      fictc run experiment.toml --cluster slurm --partition gpu --gpus 1 --time 2880 --parallel 16
      fictc run experiment.toml --emit-jobs jobs && sbatch jobs/array.sbatch
    """
    from runner.cli.experiments.watch import watch
    from runner.cli.shared.manifest import plan_of
    from runner.execute.run import run

    if tensorboard:
        import_module("tensorboard")  # to be told of here, before anything is trained, where it is not installed
    resources = resources_of(**asked)
    plan, store, out = plan_of(manifest, data, allow, output, cache)
    if emit_jobs is not None:
        return _emit(plan, store, out, emit_jobs, resources, retry=retry_failed)
    start = _on_cluster(plan, out, resources) if cluster else _here(jobs or _cores())
    try:
        with watch(plan) as listener:
            outcome = run(plan, store, out, start, listener, retry=retry_failed)
    except KeyboardInterrupt:
        if cluster:
            say("submitted cells go on: `fictc status` follows them, and the same command waits for them", err=True)
        raise
    if tensorboard:
        from runner.execute.collect.tensorboard import write_tensorboard

        say(f"tensorboard: {write_tensorboard(out)}")
    code = _tell_left(outcome.failed)
    if outcome.report is not None:
        say(f"report: {outcome.report}")
    return code


def _here(jobs: int) -> Start:
    from runner.execute.launch.pool import Pool

    return partial(Pool, jobs)


def _on_cluster(plan: Plan, out: Path, resources: Resources) -> Start:
    from runner.execute.launch.cluster import Cluster

    return partial(Cluster, out / "cluster", plan.resolved.manifest.experiment.name, resources)


def _emit(plan: Plan, store: Cache, out: Path, folder: Path, resources: Resources, *, retry: bool) -> int:
    from runner.cli.experiments.watch import watch
    from runner.execute.emit import ARRAY, COMMANDS, emit

    with watch(plan) as listener:
        emitted = emit(plan, store, out, folder, resources, listener, retry=retry)
    code = _tell_left(emitted.failed)
    where = f": {folder / COMMANDS}, {folder / ARRAY}" if emitted.jobs else ""
    say(f"{len(emitted.jobs)} of {len(plan.cells)} cells are left{where}")
    return code


def _tell_left(left: dict[str, str]) -> int:
    """Say which cells have no results and why; the exit code."""
    from runner.cli.shared.outcome import FINDINGS, INTERRUPTED, OK
    from runner.execute.records.cell_record import INTERRUPTED as STOPPED

    failed = {name: error for name, error in left.items() if error != STOPPED}
    for name, error in sorted(failed.items()):
        say(f"failed: {name}: {error}", err=True)
    for name in sorted(left.keys() - failed.keys()):
        say(f"interrupted: {name}", err=True)
    if failed:
        say("failed cells are left alone until --retry-failed", err=True)
    if len(failed) < len(left):
        say("interrupted cells go on when the same command is given again", err=True)
    return FINDINGS if failed else INTERRUPTED if left else OK


def _cores() -> int:
    """How many cores this process may use."""
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
