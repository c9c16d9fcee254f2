"""`fictc run` and `fictc run-cell`: run an experiment, or one cell of it from its job file."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli import options
from runner.cli.terminal import FINDINGS, INTERRUPTED, OK, print_message
from runner.errors import InputError

if TYPE_CHECKING:
    from runner.execute.cache import Cache
    from runner.execute.job import Job, RerunOptions
    from runner.execute.pool import Pool
    from runner.execute.run import Resources
    from runner.execute.state import Listener
    from runner.steps.plan import RunPlan


def resources_of(
    partition: str | None, minutes: int, memory: float, cpus: int, gpus: int, parallel: int, slurm: tuple[str, ...]
) -> Resources:
    from runner.execute.run import Resources

    for entry in slurm:
        key, _, value = entry.partition("=")
        if not (key.lstrip("-") and value) or "\n" in entry:
            raise click.BadParameter(f"`{entry}` is not KEY=VALUE", param_hint="--slurm")
    sbatch_options = {key.lstrip("-"): value for key, _, value in (option.partition("=") for option in slurm)}
    return Resources(minutes, partition, memory, gpus, cpus, parallel, sbatch_options)


cluster_options = options.combined(
    click.option("--parallel", type=options.Count(1), default=32, help="Maximum number of concurrent cells."),
    click.option("--partition", help="Slurm partition [default: that of the site]."),
    click.option(
        "--time",
        "minutes",
        type=options.BoundedInt(1, 525_600, "a year"),
        default=1440,
        help="Time limit per cell in minutes.",
    ),
    click.option(
        "--memory",
        type=options.BoundedFloat(0, 1_000_000, "no machine has a petabyte", min_open=True),
        default=4.0,
        help="Memory per cell in GB.",
    ),
    click.option("--cpus", type=options.Workers(), default=1, help="CPUs per cell."),
    click.option("--gpus", type=options.Workers(0), default=0, show_default=False, help="GPUs per cell."),
    click.option(
        "--slurm", metavar="KEY=VALUE", multiple=True, help="sbatch option, such as account=lab. May be repeated."
    ),
    options.gathered("resources", resources_of),
)


@click.command("run")
@options.manifest_options
@click.option(
    "--jobs",
    type=options.Workers(),
    help="Concurrent cells, one thread each [default: one per GPU, or per core without one].",
)
@click.option("--retry-failed", is_flag=True, help="Retry cells that failed before.")
@click.option("--restart", is_flag=True, help="Discard unfinished training, and retry failed cells.")
@options.device_option
@click.option(
    "--emit-jobs", type=options.FOLDER, help="Write job files and lists for a scheduler instead of running cells."
)
@options.relations(
    "--slurm, --gpus, --cpus, --memory, --time, --partition, --parallel requires --emit-jobs",
    "--jobs excludes --emit-jobs",
)
@cluster_options
def command(
    manifest: Path,
    jobs: int | None,
    retry_failed: bool,
    restart: bool,
    emit_jobs: Path | None,
    resources: Resources,
    **folders: Any,
) -> int:
    """Run an experiment: make its corpora, train and score its models, write its report.

    Finished steps are reused, so running the command again continues an interrupted or killed run with the same
    results. A failed cell does not stop the others; the exit code is then 1, and the cell is not retried without
    --retry-failed. If none failed but some were stopped (SIGTERM), the exit code is 130, and running the command again
    continues them.

    \b
    Examples:
      fictc run experiment.toml --data corpora --jobs 4
      fictc run experiment.toml --emit-jobs jobs --partition gpu --gpus 1 --time 2880 && sbatch jobs/array.sbatch
    """
    from runner.cli.progress import show_notes, watch
    from runner.execute import estimate, state, warnings
    from runner.execute.job import RerunOptions
    from runner.execute.run import run

    if emit_jobs is not None and "\n" in str(emit_jobs.absolute()):
        raise click.BadParameter("the lists of jobs have one path per line", param_hint="--emit-jobs")
    plan, result_cache, run_folder = options.load_plan(manifest, **folders)
    if resources.gpus:
        plan = _with_gpus(plan, resources.gpus)
    if emit_jobs is None:
        show_notes(estimate.slow_run(plan, state.states(plan, result_cache, run_folder)))
    rerun = RerunOptions(retry_failed, restart)
    if emit_jobs is not None:
        return _emit(plan, result_cache, run_folder, emit_jobs, resources, rerun)
    with watch(plan, len(plan.steps())) as listener:
        outcome = run(plan, result_cache, run_folder, _local_pool(plan, jobs), listener, rerun=rerun)
    exit_code = _report_unfinished(outcome.failed)
    for note in warnings.size_notes(result_cache, plan):
        print_message(note)
    if outcome.report is not None:
        print_message(f"report: {outcome.report}")
    return exit_code


def _with_gpus(plan: RunPlan, gpus: int) -> RunPlan:
    from runner.execute.pool import with_gpus

    try:
        return replace(plan, resolved=with_gpus(plan.resolved, gpus))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--gpus") from error


def _local_pool(plan: RunPlan, jobs: int | None) -> Callable[[Listener], Pool]:
    from runner.execute.pool import Pool, environments

    worker_environments = environments(plan.resolved, jobs)
    return partial(Pool, len(worker_environments), environments=worker_environments)


def _emit(
    plan: RunPlan, result_cache: Cache, run_folder: Path, folder: Path, resources: Resources, rerun: RerunOptions
) -> int:
    from runner.cli.progress import watch
    from runner.execute.run import COMMANDS, emit

    with watch(plan, len(plan.steps())) as listener:
        emitted = emit(plan, result_cache, run_folder, folder, resources, listener, rerun=rerun)
    exit_code = _report_unfinished(emitted.failed)
    files = f": {', '.join(map(str, (folder / COMMANDS, *emitted.arrays)))}" if emitted.jobs else ""
    print_message(f"{len(emitted.jobs)} of {len(plan.cells)} cells remain{files}")
    return exit_code


def _report_unfinished(unfinished: dict[str, str]) -> int:
    from runner.execute.state import INTERRUPTED as INTERRUPTED_ERROR

    failed = {name: error for name, error in unfinished.items() if error != INTERRUPTED_ERROR}
    for name, error in sorted(failed.items()):
        print_message(f"failed: {name}: {error}", err=True)
    for name in sorted(unfinished.keys() - failed.keys()):
        print_message(f"interrupted: {name}", err=True)
    if failed:
        print_message("failed cells are not retried without --retry-failed", err=True)
    if len(failed) < len(unfinished):
        print_message("run this command again to continue interrupted cells", err=True)
    return FINDINGS if failed else INTERRUPTED if unfinished else OK


@click.command("run-cell")
@click.argument("job_path", metavar="JOB", type=options.FILE)
@click.option("--detached", is_flag=True, help="Continue when standard input closes (for schedulers).")
def run_job(job_path: Path, detached: bool) -> int:
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
    from runner.execute.cell import Stop, is_trained, run_cell
    from runner.execute.state import Recorder, reason
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
    import accelerate  # noqa: F401 - fails here, once, if it is not installed

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
