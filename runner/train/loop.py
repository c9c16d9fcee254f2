"""Token files, a model spec and seeds to a trained model in a folder, the same bytes however often interrupted."""

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
import torch

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.masking import MaskedBatch, Masking
from runner.model.presets import ModelSpec
from runner.model.rows import Batch, Ints, RowTable
from runner.model.tokens import TokenFile
from runner.readers import parse_json
from runner.train.checkpoint import (
    Progress,
    drop_unwritten,
    load_checkpoint,
    load_weights,
    save_checkpoint,
    save_weights,
)
from runner.train.learn import Learner, deterministic, keep_memory
from runner.train.log import EventLog, check_read_once
from runner.train.schedule import checkpoint_counts, learning_rate, total_steps, validation_steps
from runner.train.spec import Seeds, TrainResult, TrainSpec
from runner.train.task import Task
from runner.train.world import World
from runner.workspace import clean_stale, fault_point, publish_dir, write_text

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

MODEL, CHECKPOINTS, RESULT, LOG = "model", "checkpoints", "training.json", "train.jsonl"
CHECKPOINT, BEST = "checkpoint.safetensors", "best.safetensors"
LOGGED = 200  # training events in the log of a whole run
LIVE_SECONDS = 1.0  # between events for a progress bar

Event = Mapping[str, Any]
Listener = Callable[[Event], None]


def train(
    spec: TrainSpec,
    tokens: TokenFile,
    valid: TokenFile,
    model_spec: ModelSpec,
    out: Path,
    *,
    tokenizer: PreTrainedTokenizerBase,
    seeds: Seeds,
    on_event: Listener | None = None,
    threads: int = 1,
    checkpoint_seconds: float = 30.0,
    origin: Path | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> TrainResult:
    """Train, or go on training, in the folder `out`; return what `training.json` there says at the end.

    The folder then holds `model/` (loads with `runner.model.saved.load_model` or `from_pretrained`), of the step
    with the lowest validation perplexity unless the last is asked for, `checkpoints/TOKENS/` of the same form,
    `training.json` and `train.jsonl`. Killed at any moment, the same call goes on from the last saved state to the
    same bytes; once `stop` is true it saves its state and raises KeyboardInterrupt. `origin` is the folder of a model
    that is trained further. `on_event` gets every logged event, and a `train` event every second. InputError: nothing
    to learn from, a loss that is no number, a folder of another training, a checkpoint behind the end, a model of
    another tokenizer.
    """
    result, world = out / RESULT, World(spec.device, spec.processes)
    if not world.told(result.is_file()):
        out.mkdir(parents=True, exist_ok=True)
        if world.first:
            for folder in (out, out / CHECKPOINTS):
                clean_stale(folder)
            drop_unwritten(out)
        keep_memory()
        task = Task(spec, tokens, valid, model_spec, out, tokenizer, seeds, origin)
        with deterministic(threads):
            _Run.start(task, world, on_event or (lambda _: None)).go(checkpoint_seconds, stop)
    if world.told(True) and world.first:  # when all have come here
        for leftover in (CHECKPOINT, BEST):
            (out / leftover).unlink(missing_ok=True)
    return TrainResult(**parse_json(result.read_text("utf-8")))


@dataclass
class _Run:
    task: Task
    world: World
    table: RowTable
    notify: Listener
    model: PreTrainedModel
    learner: Learner
    progress: Progress
    total: int = 0  # steps
    checkpoints: tuple[int, ...] = ()  # tokens after which the model is saved
    started: float = field(default_factory=time.monotonic)
    first_step: int = 0
    first_tokens: int = 0
    order: tuple[int, list[Ints]] | None = None  # an epoch and the rows of its steps

    @cached_property
    def masking(self) -> Masking | None:
        """How rows are masked, where the model fills masks."""
        return self.task.masking()

    @classmethod
    def start(cls, task: Task, world: World, notify: Listener) -> _Run:
        """Everything as at the first step, or as the saved state left it."""
        task.check()
        spec, table = task.spec, task.table()
        model = task.build().to(world.device)
        learner = Learner(model, spec, world)
        saved, progress = task.out / CHECKPOINT, Progress()
        if saved.is_file():
            progress = load_checkpoint(saved, model, learner.optimizer, task.identity)
        run = cls(task, world, table, notify, model, learner, progress)
        run.total = total_steps(spec, len(table), table.predicted, run.tokens_read)
        run.checkpoints = checkpoint_counts(spec, run.tokens_at(run.total))
        run.first_step, run.first_tokens = progress.step, progress.tokens
        return run

    def rows_read(self, epoch: int) -> list[Ints]:
        """The rows of each step of an epoch."""
        spec, seeds = self.task.spec, self.task.seeds
        return self.table.epoch(spec.batch, seeds.data, epoch, in_order=spec.in_order)

    def tokens_read(self, epoch: int) -> Ints:
        """How many tokens each step of an epoch reads."""
        return np.array([self.table.lengths[rows].sum() for rows in self.rows_read(epoch)])

    def tokens_at(self, step: int) -> int:
        """How many tokens have been read after a step."""
        epochs, steps = divmod(step, math.ceil(len(self.table) / self.task.spec.batch))
        return epochs * self.table.predicted + int(self.tokens_read(epochs)[:steps].sum())

    def go(self, save_seconds: float, stop: Callable[[], bool]) -> None:
        """All steps that are left, then the model that is kept into its place."""
        progress = self.progress
        validations = validation_steps(self.task.spec, self.total)
        logged = max(1, self.total // LOGGED)
        saved = told = time.monotonic()
        self.model.train()
        devices = [self.world.device] if self.world.device.type == "cuda" else []
        with self._logging() as log, torch.random.fork_rng(devices=devices):
            while progress.step < self.total and not self._enough():
                before = progress.tokens
                self._step()
                now = time.monotonic()
                if progress.step % logged == 0 or progress.step == self.total:
                    self._log(log, self._training_event(done=True))
                    told = now
                elif now - told >= LIVE_SECONDS:
                    self._tell(self._training_event())
                    told = now
                reached = [count for count in self.checkpoints if before < count <= progress.tokens]
                if progress.step in validations or reached:
                    self._log(log, self._validate(counts=progress.step in validations))
                if reached:
                    self._log(log, self._checkpoint(max(reached)))
                stopping = self.world.total(float(stop())) > 0  # a signal may reach processes at different steps
                if now - saved >= save_seconds or reached or stopping:
                    self._save(log)
                    saved = time.monotonic()
                    fault_point("after_checkpoint:train")
                if stopping:
                    self.world.told(True)  # when the first has saved it: torchrun ends it when another ends
                    raise KeyboardInterrupt
            if progress.loss_tokens:  # stopped early
                self._log(log, self._training_event(done=True))
        if self.world.first:
            if self.task.spec.in_order:
                check_read_once(self.task.out / LOG, min(progress.step * self.task.spec.batch, len(self.table)))
            self._publish()

    def _logging(self) -> EventLog:
        """The log; of other processes than the first, one that nobody reads."""
        return EventLog(self.task.out / LOG if self.world.first else Path(os.devnull), self.progress.events)

    def _enough(self) -> bool:
        """Whether too many validations in a row were no better than the best."""
        return 0 < self.task.spec.patience <= self.progress.stale

    def _step(self) -> None:
        spec, seeds, progress = self.task.spec, self.task.seeds, self.progress
        epoch, place = divmod(progress.step, math.ceil(len(self.table) / spec.batch))
        if self.order is None or self.order[0] != epoch:
            self.order = epoch, self.rows_read(epoch)
        rows = self.order[1][place]
        batch: Batch | MaskedBatch = self.table.batch(rows)
        read = batch.predicted
        if self.masking is not None:
            batch = self.masking.masked(self.table.batch(rows), seeds.masks(progress.step))
        loss = self.learner.step(batch, learning_rate(spec, progress.step, self.total), seeds.step(progress.step))
        if not math.isfinite(loss):
            raise InputError(diagnostic("FICT803", value=loss, step=progress.step + 1))
        progress.step += 1
        progress.tokens += read
        progress.loss += loss
        progress.loss_tokens += batch.predicted
        if spec.in_order:
            progress.rows += rows.tolist()

    def _training_event(self, done: bool = False) -> Event:
        """How training stands; `done` closes the stretch that the mean loss is of."""
        progress, seconds = self.progress, time.monotonic() - self.started
        steps = max(1, progress.step - self.first_step)  # none where what was left was to hear of an early end
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
                event["rows"] = runs(progress.rows)
            progress.last_loss = progress.loss / progress.loss_tokens
            progress.loss, progress.loss_tokens, progress.rows = 0.0, 0, []
        return event

    def _validate(self, *, counts: bool) -> Event:
        """Measure the model on the validation text; where it `counts`, keep its weights if they are the best so far."""
        progress, task = self.progress, self.task
        perplexity = self.world.total(self._perplexity() if self.world.first else 0.0)
        if counts and (progress.best_perplexity is None or perplexity < progress.best_perplexity):
            if self.world.first:
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
        loss, count = self.task.measured(self.model)
        self.progress.valid_tokens = count
        return math.exp(min(loss / count, 700.0)) if math.isfinite(loss) else math.inf

    def _checkpoint(self, count: int) -> Event:
        """The model as it is now, under the number of tokens that was asked for, the last one reached in a step."""
        progress, task = self.progress, self.task
        if self.world.first:
            with publish_dir(task.out / CHECKPOINTS / str(count), replace=True) as temp:
                task.save(self.model, temp, progress.step, progress.tokens)
        told = {"step": progress.step, "steps": self.total, "tokens": progress.tokens, "asked": count}
        return {"event": "checkpoint", **told}

    def _log(self, log: EventLog, event: Event) -> None:
        log.write(event)
        self.progress.events = log.count
        self._tell(event)

    def _tell(self, event: Event) -> None:
        if self.world.first:
            self.notify(event)

    def _save(self, log: EventLog) -> None:
        self.progress.events = log.count
        task = self.task
        if not self.world.first:
            return
        save_checkpoint(task.out / CHECKPOINT, self.progress, self.model, self.learner.optimizer, task.identity)

    def _publish(self) -> None:
        """The kept weights to `model/`, and last of all the result, whose presence says that all is done."""
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
        )
        write_text(task.out / RESULT, json.dumps(asdict(result), indent=1) + "\n")


def runs(rows: list[int]) -> list[list[int]]:
    """Row numbers as they were read into stretches [first, last] of neighbours."""
    found: list[list[int]] = []
    for row in rows:
        if found and row == found[-1][1] + 1:
            found[-1][1] = row
        else:
            found.append([row, row])
    return found
