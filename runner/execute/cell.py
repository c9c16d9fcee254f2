"""Run a job in this process: train the model and score it, skipping finished steps."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, TypeAlias

from runner.execute.cache import is_intact, publish, unfinished
from runner.execute.job import Job, ScoreJob
from runner.execute.state import Listener
from runner.execute.tables import score_checkpoints
from runner.machine import choose
from runner.model.saved import load_model, load_tokenizer
from runner.model.token_rows import TokenFile
from runner.score.any_suite import prepare_any, read_suite
from runner.score.convention import Convention
from runner.score.minimal_pairs import token_table
from runner.score.model_scores import frequency_loss, perplexity
from runner.score.sentence_scores import score as score_suite
from runner.score.suite_files import Suite
from runner.steps.names import suite_name
from runner.train.distributed import DistributedContext, launched_processes
from runner.train.loop import train, train_until
from runner.train.spec import CHECKPOINTS, LOG, MODEL, RESULT, RunHooks, Seeds, copy_state
from runner.train.task import TrainingTask
from runner.workspace import link_or_copy, write_text

SIGNALS = (signal.SIGTERM, signal.SIGUSR2)


class Stop:
    """Record whether a signal requested termination. Outside `deferred`, a signal raises KeyboardInterrupt at once."""

    def __init__(self) -> None:
        self._requested = False
        self._deferred = False

    def __call__(self) -> bool:
        return self._requested

    def listen(self) -> None:
        for signal_number in SIGNALS:
            signal.signal(signal_number, self._handle)

    @contextmanager
    def deferred(self) -> Iterator[None]:
        """Defer KeyboardInterrupt to the end of the context, in which the caller checks for termination itself."""
        self._deferred = True
        try:
            yield
        finally:
            self._deferred = False
        if self._requested:
            raise KeyboardInterrupt

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        is_first, self._requested = not self._requested, True
        if is_first and not self._deferred:
            raise KeyboardInterrupt


Notify: TypeAlias = Callable[[dict[str, Any]], None]


def is_trained(job: Job) -> bool:
    return is_intact(job.train_folder, job.train_key)


def train_cell(job: Job, notify: Notify, stop: Stop) -> bool:
    """Train the model of a job, and before it the state from which it branches. Return False in other processes."""
    context = DistributedContext(job.training.device, job.training.processes)
    states = {state.step: partial(_publish_state, state.folder, state.key) for state in job.states}
    hooks = RunHooks(on_event=lambda event: notify(dict(event)), stop=stop, after_step=states)

    def make(step: str, key: str, train_task: Callable[[], object], out: Path, collect: Callable[[Path], None]) -> bool:
        def build() -> None:
            if context.is_main:
                notify({"event": "start", "step": step})
            with stop.deferred():
                train_task()

        return _publish_from_all_processes(context, out, key, build, collect)

    if (branch := job.branch) is not None:
        task = _task(job, unfinished(branch.folder), branch.tokens, branch.valid)
        train_state = partial(train_until, task, branch.step, hooks)
        if make(branch.id, branch.key, train_state, branch.folder, partial(copy_state, task.out)):
            notify({"event": "done", "step": branch.id})
    task = task_of(job, unfinished(job.train_folder))
    link = partial(_link_training_files, task.out)
    return make(f"train:{job.name}", job.train_key, partial(train, task, hooks), job.train_folder, link)


def _publish_from_all_processes(
    context: DistributedContext, folder: Path, key: str, build: Callable[[], None], collect: Callable[[Path], None]
) -> bool:
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


def _publish_state(folder: Path, key: str, training_folder: Path) -> None:
    publish(folder, key, partial(copy_state, training_folder))


def _link_training_files(training_folder: Path, folder: Path) -> None:
    for name in (MODEL, CHECKPOINTS, LOG, RESULT):
        for source in (training_folder / name, *(training_folder / name).rglob("*")):
            if source.is_file():
                link_or_copy(source, folder / source.relative_to(training_folder))


def run_cell(job: Job, on_event: Listener, stop: Stop) -> None:
    def notify(event: dict[str, Any]) -> None:
        on_event({"cell": job.name, **event})

    if (launched_processes() > 1 or not is_trained(job)) and not train_cell(job, notify, stop):
        return
    notify({"event": "done", "step": f"train:{job.name}"})
    was_computed = publish(job.perplexity_folder, job.perplexity_key, partial(_perplexity, job))
    notify({"event": "done", "step": f"perplexity:{job.name}", "cached": not was_computed})
    for score in job.scores:
        was_computed = publish(score.folder, score.key, partial(_score, job, score))
        notify({"event": "done", "step": f"score:{suite_name(job.name, score.suite)}", "cached": not was_computed})


def _perplexity(job: Job, folder: Path) -> None:
    saved = load_model(job.train_folder / MODEL, choose(job.training.device))
    values: dict[str, dict[str, float]] = {}
    training = TokenFile.open(job.tokens)
    for name, path in job.texts.items():
        text = TokenFile.open(path)
        nll, tokens = perplexity(saved, text)
        values[name] = {"nll": nll, "tokens": tokens, "frequencies": frequency_loss(saved, text, training)}
    write_text(folder / "perplexity.json", json.dumps(values, indent=1) + "\n")


def _score(job: Job, score: ScoreJob, folder: Path) -> None:
    import pyarrow.parquet as pq

    device = choose(job.training.device)
    saved = load_model(job.train_folder / MODEL, device)
    suite, convention = read_suite(score.file), Convention(**score.convention)
    prepared = prepare_any(saved, suite, convention)
    scored = score_suite(saved, prepared)
    pq.write_table(scored.table, folder / "scores.parquet", write_page_checksum=True)
    if score.tokens and isinstance(suite, Suite):
        tokens = token_table(saved.tokenizer, suite, prepared, scored, score.tokens)
        pq.write_table(tokens, folder / "tokens.parquet", write_page_checksum=True)
    score_checkpoints(job.train_folder, suite, convention, folder, device)
