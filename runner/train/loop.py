"""The training loop, which resumes after interruptions and then produces the same bytes."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fictdsl.diagnostics.codes import diagnostic
from runner.device import forked_random, kind, label
from runner.errors import InputError
from runner.model.masking import MaskedBatch, Masking
from runner.model.rows import Batch, Ints, RowTable
from runner.readers import parse_json
from runner.train.checkpoint import (
    BEST,
    CHECKPOINT,
    CHECKPOINTS,
    LOG,
    MODEL,
    RESULT,
    Progress,
    load_checkpoint,
    load_weights,
    remove_partial_files,
    save_checkpoint,
    save_weights,
)
from runner.train.distributed import DistributedContext
from runner.train.learn import Learner, deterministic, keep_freed_memory
from runner.train.log import EventLog, check_read_once
from runner.train.schedule import checkpoint_counts, learning_rate, total_steps, validation_steps
from runner.train.spec import TrainResult
from runner.train.state import begin_from_state
from runner.train.task import Task
from runner.workspace import clean_stale, fault_point, publish_dir, write_text

if TYPE_CHECKING:
    from transformers import PreTrainedModel

LOGGED = 200  # training events in the log of a complete run
LIVE_SECONDS = 1.0  # between events for progress bars

Event = Mapping[str, Any]
Listener = Callable[[Event], None]


@dataclass(frozen=True)
class Control:
    """How a training run is observed and stopped; none of it changes the weights.

    `on_event` receives every logged event, and a `train` event every second. When `stop` returns true, the state is
    saved and KeyboardInterrupt raised. `states` has functions by step: each is called with the folder of the run, in
    which the state after the step is saved.
    """

    on_event: Listener = lambda _: None
    threads: int = 1
    checkpoint_seconds: float = 30.0
    stop: Callable[[], bool] = lambda: False
    states: Mapping[int, Callable[[Path], None]] = field(default_factory=dict)


def train(task: Task, control: Control | None = None) -> TrainResult:
    """Train or resume training in the folder `task.out`; return the content of `training.json`.

    The folder then has `model/` (for `load_model` or `from_pretrained`), `checkpoints/TOKENS/` of
    the same form, `training.json` and `train.jsonl`. `model/` is the model with the lowest validation perplexity, or
    the last one with `keep = "last"`. If the process is killed, the same call resumes from the last saved state and
    produces the same bytes.

    Raises InputError for an empty text (FICT804), a loss that is not finite (FICT803), a folder of another run
    (FICT805), a text or saved model of another tokenizer (FICT806, FICT820), a checkpoint after the end (FICT807), a
    branch from a step after the end (FICT823), or a device or number of processes that is not available (FICT808,
    FICT809).
    """
    context, result = task.context(), task.out / RESULT
    if not context.broadcast(result.is_file()):
        _train(task, context, control or Control())
    if context.broadcast(True) and context.is_main:  # once all processes are here
        for leftover in (CHECKPOINT, BEST):
            (task.out / leftover).unlink(missing_ok=True)
    return TrainResult(**parse_json(result.read_text("utf-8")))


def train_until(task: Task, step: int, control: Control) -> None:
    """Train or resume training in `task.out` until a step, and save the state there; raises the errors of `train`."""
    _train(task, task.context(), control, until=step)


def _train(task: Task, context: DistributedContext, control: Control, until: int | None = None) -> None:
    task.out.mkdir(parents=True, exist_ok=True)
    if context.is_main:
        for folder in (task.out, task.out / CHECKPOINTS):
            clean_stale(folder)
        remove_partial_files(task.out)
        if task.state is not None:
            begin_from_state(task.state, task.out)
    keep_freed_memory()
    with deterministic(control.threads):
        _Run.start(task, context, control, until).run()


@dataclass
class _Run:
    """The state of a training run."""

    task: Task
    context: DistributedContext
    control: Control
    table: RowTable
    model: PreTrainedModel
    learner: Learner
    progress: Progress
    until: int | None = None  # the step after which training pauses, before it is complete
    total: int = 0  # steps
    checkpoints: tuple[int, ...] = ()  # tokens after which the model is saved
    started: float = field(default_factory=time.monotonic)
    first_step: int = 0
    first_tokens: int = 0
    order: tuple[int, list[Ints]] | None = None  # the current epoch and the rows of its steps

    @cached_property
    def masking(self) -> Masking | None:
        """How rows are masked, or None for a causal model."""
        return self.task.masking()

    @classmethod
    def start(cls, task: Task, context: DistributedContext, control: Control, until: int | None) -> _Run:
        """Create the state before the first step, or restore the saved state."""
        task.check()
        spec, table = task.spec, task.table()
        model = task.build().to(context.device)
        learner = Learner(model, spec, context)
        saved, progress = task.out / CHECKPOINT, Progress()
        if saved.is_file():
            progress = load_checkpoint(saved, model, learner.optimizer, task.identity, kind(context.device))
        elif task.state is not None:  # the identity of another run
            progress = load_checkpoint(task.state / CHECKPOINT, model, learner.optimizer, {})
        run = cls(task, context, control, table, model, learner, progress, until)
        run.total = total_steps(spec, len(table), table.predicted, run.step_tokens)
        begins_late = task.state is not None and not saved.is_file() and progress.step >= run.total
        if begins_late or (until or 0) > run.total:
            raise InputError(diagnostic("FICT823", step=until or progress.step, steps=run.total))
        run.checkpoints = checkpoint_counts(spec, run.tokens_at(run.total))
        run.first_step, run.first_tokens = progress.step, progress.tokens
        return run

    def epoch_rows(self, epoch: int) -> list[Ints]:
        """Return the rows of each step of an epoch."""
        spec, seeds = self.task.spec, self.task.seeds
        return self.table.epoch(spec.batch, seeds.data, epoch, in_order=spec.in_order)

    def step_tokens(self, epoch: int) -> Ints:
        """Return the number of tokens that each step of an epoch reads."""
        return np.array([self.table.lengths[rows].sum() for rows in self.epoch_rows(epoch)])

    def tokens_at(self, step: int) -> int:
        """Return the number of tokens read after a number of steps."""
        epochs, steps = divmod(step, math.ceil(len(self.table) / self.task.spec.batch))
        return epochs * self.table.predicted + int(self.step_tokens(epochs)[:steps].sum())

    def run(self) -> None:
        """Take the remaining steps, then publish the model, unless training pauses."""
        progress, control = self.progress, self.control
        validations = validation_steps(self.task.spec, self.total)
        log_interval = max(1, self.total // LOGGED)
        saved = notified = time.monotonic()
        self.model.train()
        with self._open_log() as log, forked_random(self.context.device):
            while progress.step < (self.until or self.total) and not self._is_stale():
                before = progress.tokens
                self._step()
                now = time.monotonic()
                if progress.step % log_interval == 0 or progress.step == self.total:
                    self._log(log, self._training_event(done=True))
                    notified = now
                elif now - notified >= LIVE_SECONDS:
                    self._notify(self._training_event())
                    notified = now
                reached = [count for count in self.checkpoints if before < count <= progress.tokens]
                if progress.step in validations or reached:
                    self._log(log, self._validate(counts=progress.step in validations))
                if reached:
                    self._log(log, self._checkpoint(max(reached)))
                stopping = (
                    self.context.all_reduce_sum(float(control.stop())) > 0
                )  # processes may get a signal at different steps
                branching = progress.step in (self.until, *control.states)
                if now - saved >= control.checkpoint_seconds or reached or stopping or branching:
                    self._save(log)
                    saved = time.monotonic()
                    fault_point("after_checkpoint:train")
                if self.context.is_main and progress.step in control.states:
                    control.states[progress.step](self.task.out)
                if stopping:
                    self.context.broadcast(True)  # wait for the main process: torchrun kills it when another one ends
                    raise KeyboardInterrupt
            if progress.loss_tokens and self.until is None:  # stopped early
                self._log(log, self._training_event(done=True))
        if self.until is not None and progress.step < self.until:
            raise InputError(diagnostic("FICT823", step=self.until, steps=progress.step))
        if self.context.is_main and self.until is None:
            if self.task.spec.in_order:
                check_read_once(self.task.out / LOG, min(progress.step * self.task.spec.batch, len(self.table)))
            self._publish()

    def _open_log(self) -> EventLog:
        """Open the log; other processes than the main one write to the null device."""
        return EventLog(self.task.out / LOG if self.context.is_main else Path(os.devnull), self.progress.events)

    def _is_stale(self) -> bool:
        """Return whether training ends early, after `patience` validations without a lower perplexity."""
        return 0 < self.task.spec.patience <= self.progress.stale

    def _step(self) -> None:
        spec, seeds, progress = self.task.spec, self.task.seeds, self.progress
        epoch, step = divmod(progress.step, math.ceil(len(self.table) / spec.batch))
        if self.order is None or self.order[0] != epoch:
            self.order = epoch, self.epoch_rows(epoch)
        rows = self.order[1][step]
        batch: Batch | MaskedBatch = self.table.batch(rows)
        tokens = batch.predicted
        if self.masking is not None:
            batch = self.masking.apply(self.table.batch(rows), seeds.masks(progress.step))
        loss = self.learner.step(batch, learning_rate(spec, progress.step, self.total), seeds.step(progress.step))
        if not math.isfinite(loss):
            raise InputError(diagnostic("FICT803", value=loss, step=progress.step + 1))
        progress.step += 1
        progress.tokens += tokens
        progress.loss += loss
        progress.loss_tokens += batch.predicted
        if spec.in_order:
            progress.rows += rows.tolist()

    def _training_event(self, done: bool = False) -> Event:
        """Return a `train` event; `done` resets the range of steps over which the loss is averaged."""
        progress, seconds = self.progress, time.monotonic() - self.started
        steps = max(1, progress.step - self.first_step)  # 0 if the run resumed after its last step
        event = {
            "event": "train",
            "step": progress.step,
            "steps": self.total,
            "tokens": progress.tokens,
            "loss": progress.loss / progress.loss_tokens,
            "learning_rate": learning_rate(self.task.spec, progress.step - 1, self.total),
            "tokens_per_second": round((progress.tokens - self.first_tokens) / seconds),
            "eta": round(seconds / steps * (self.total - progress.step), 1),
        }
        if done:
            if self.task.spec.in_order:
                event["rows"] = row_ranges(progress.rows)
            progress.last_loss = progress.loss / progress.loss_tokens
            progress.loss, progress.loss_tokens, progress.rows = 0.0, 0, []
        return event

    def _validate(self, *, counts: bool) -> Event:
        """Validate the model; if the validation `counts`, save its weights if they are the best so far."""
        progress, task = self.progress, self.task
        perplexity = self.context.all_reduce_sum(self._perplexity() if self.context.is_main else 0.0)
        if counts and (progress.best_perplexity is None or perplexity < progress.best_perplexity):
            if self.context.is_main:
                save_weights(task.out / BEST, self.model)
            progress.best_perplexity, progress.best_step, progress.best_tokens = (
                perplexity, progress.step, progress.tokens,
            )  # fmt: skip
            progress.stale = 0
        elif counts:
            progress.stale += 1
        progress.last_perplexity = perplexity
        return {
            "event": "valid",
            "step": progress.step,
            "steps": self.total,
            "tokens": progress.tokens,
            "perplexity": perplexity,
            "best": progress.best_step == progress.step,
        }

    def _perplexity(self) -> float:
        loss, count = self.task.validation_loss(self.model)
        self.progress.valid_tokens = count
        return math.exp(min(loss / count, 700.0)) if math.isfinite(loss) else math.inf

    def _checkpoint(self, count: int) -> Event:
        """Save the current model under the requested number of tokens, the largest one that the step reached."""
        progress, task = self.progress, self.task
        if self.context.is_main:
            with publish_dir(task.out / CHECKPOINTS / str(count), replace=True) as temp:
                task.save(self.model, temp, progress.step, progress.tokens)
        counts = {"step": progress.step, "steps": self.total, "tokens": progress.tokens, "asked": count}
        return {"event": "checkpoint", **counts}

    def _log(self, log: EventLog, event: Event) -> None:
        log.write(event)
        self.progress.events = log.count
        self._notify(event)

    def _notify(self, event: Event) -> None:
        if self.context.is_main:
            self.control.on_event(event)

    def _save(self, log: EventLog) -> None:
        self.progress.events = log.count
        task = self.task
        if not self.context.is_main:
            return
        device = kind(self.context.device)
        save_checkpoint(task.out / CHECKPOINT, self.progress, self.model, self.learner.optimizer, task.identity, device)

    def _publish(self) -> None:
        """Write the selected weights to `model/`, then the result, whose presence marks the run as complete."""
        progress, task = self.progress, self.task
        step, tokens, perplexity = progress.step, progress.tokens, progress.last_perplexity
        if task.spec.keep == "best":
            load_weights(task.out / BEST, self.model)
            step, tokens, perplexity = progress.best_step, progress.best_tokens, progress.best_perplexity
        with publish_dir(task.out / MODEL, replace=True) as temp:
            task.save(self.model, temp, step, tokens)
        fault_point("after_model:train")
        result = TrainResult(
            steps=progress.step,
            epochs=progress.tokens / self.table.predicted,
            tokens=progress.tokens,
            parameters=sum(parameter.numel() for parameter in self.model.parameters()),
            best_step=progress.best_step,
            valid_perplexity=perplexity or math.inf,
            valid_tokens=progress.valid_tokens,
            train_loss=progress.last_loss,
            device=label(str(self.context.device)),
        )
        write_text(task.out / RESULT, json.dumps(asdict(result), indent=1) + "\n")


def row_ranges(rows: list[int]) -> list[list[int]]:
    """Group consecutive row numbers into ranges [first, last]."""
    ranges: list[list[int]] = []
    for row in rows:
        if ranges and row == ranges[-1][1] + 1:
            ranges[-1][1] = row
        else:
            ranges.append([row, row])
    return ranges
