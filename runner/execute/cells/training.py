"""Train the model of a cell, starting from a state of another cell if it branches. Publish states for other cells."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from runner.execute.cells.job import BranchJob, Job
from runner.execute.cells.stop import Stop
from runner.execute.records.cache import is_intact, publish, unfinished
from runner.model.saved import load_tokenizer
from runner.model.token_rows import TokenFile
from runner.train.distributed import DistributedContext
from runner.train.loop import train, train_until
from runner.train.spec import CHECKPOINTS, LOG, MODEL, RESULT, RunHooks, Seeds, copy_state
from runner.train.task import TrainingTask
from runner.workspace import link_or_copy

Notify: TypeAlias = Callable[[dict[str, Any]], None]


def is_trained(job: Job) -> bool:
    """Return whether the model of a job is trained."""
    return is_intact(job.train_folder, job.train_key)


def train_cell(job: Job, notify: Notify, stop: Stop) -> bool:
    """Train the model of a job. Return False in processes other than the main process."""
    context = DistributedContext(job.training.device, job.training.processes)
    if job.branch is not None:
        _make_state(job, job.branch, context, notify, stop)
    folder = job.train_folder
    task = task_of(job, unfinished(folder))

    def build() -> None:
        if context.is_main:
            notify({"event": "start", "step": f"train:{job.name}"})
        with stop.deferred():
            train(task, _hooks(job, notify, stop))

    return _publish_from_all_processes(context, folder, job.train_key, build, partial(_link_training_files, task.out))


def _make_state(job: Job, branch: BranchJob, context: DistributedContext, notify: Notify, stop: Stop) -> None:
    """Create the state from which a cell branches, unless it exists, by training on the corpus of the branch."""
    folder = branch.folder
    task = _task(job, unfinished(folder), branch.tokens, branch.valid)

    def build() -> None:
        if context.is_main:
            notify({"event": "start", "step": branch.id})
        with stop.deferred():
            train_until(task, branch.step, _hooks(job, notify, stop))

    if _publish_from_all_processes(context, folder, branch.key, build, partial(copy_state, task.out)):
        notify({"event": "done", "step": branch.id})


def _publish_from_all_processes(
    context: DistributedContext, folder: Path, key: str, build: Callable[[], None], collect: Callable[[Path], None]
) -> bool:
    """Run `build` in all processes and then `collect` in the main process, unless the result of `key` exists.

    Returns False in processes other than the main process.
    """
    if not context.is_main:
        if context.broadcast(False):
            build()
        return False

    def build_and_collect(temp: Path) -> None:
        context.broadcast(True)  # tell the other processes to train
        build()
        collect(temp)

    if not publish(folder, key, build_and_collect):
        context.broadcast(False)
    shutil.rmtree(unfinished(folder), ignore_errors=True)
    return True


def task_of(job: Job, out: Path) -> TrainingTask:
    """Return the training task of a job, with the output folder `out`."""
    return _task(job, out, job.tokens, job.valid, None if job.branch is None else job.branch.folder)


def _task(job: Job, out: Path, tokens: Path, valid: Path, state: Path | None = None) -> TrainingTask:
    return TrainingTask(
        job.training,
        TokenFile.open(tokens),
        TokenFile.open(valid),
        job.model,
        out,
        load_tokenizer(job.tokenizer),
        Seeds.of(job.seed),
        job.origin,
        state,
    )


def _hooks(job: Job, notify: Notify, stop: Stop) -> RunHooks:
    states = {state.step: partial(_publish_state, state.folder, state.key) for state in job.states}
    return RunHooks(on_event=lambda event: notify(dict(event)), stop=stop, after_step=states)


def _publish_state(folder: Path, key: str, training_folder: Path) -> None:
    publish(folder, key, partial(copy_state, training_folder))


def _link_training_files(training_folder: Path, folder: Path) -> None:
    for name in (MODEL, CHECKPOINTS, LOG, RESULT):
        for source in (training_folder / name, *(training_folder / name).rglob("*")):
            if source.is_file():
                link_or_copy(source, folder / source.relative_to(training_folder))
