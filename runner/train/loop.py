"""The training loop. A run that is interrupted and resumed produces the same bytes as one that is not."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.machine import forked_random, kind
from runner.readers import parse_json
from runner.train.checkpoint import (
    Progress,
    load_checkpoint,
    load_weights,
    remove_partial_files,
    save_checkpoint,
    save_weights,
    saved_identity,
)
from runner.train.distributed import DistributedContext
from runner.train.learn import Learner, deterministic, keep_freed_memory
from runner.train.record import TrainingRecord, check_read_once
from runner.train.spec import (
    BEST,
    CHECKPOINT,
    CHECKPOINTS,
    LOG,
    MODEL,
    RESULT,
    RunHooks,
    TrainResult,
    begin_from_state,
    learning_rate,
)
from runner.train.task import VALIDATION_TEXT, Batches, TrainingTask
from runner.workspace import clean_stale, fault_point, publish_dir, write_text

if TYPE_CHECKING:
    from transformers import PreTrainedModel


def train(task: TrainingTask, hooks: RunHooks | None = None) -> TrainResult:
    """Train or resume training in the folder `task.out`; return the content of `training.json`.

    The folder then has `model/` and `checkpoints/TOKENS/` (for `load_model` or `from_pretrained`), `training.json` and
    `train.jsonl`. `model/` is the model with the lowest validation perplexity, or, with `keep = "last"`, the last
    model. If the process is killed, the same call resumes from the last saved state and produces the same bytes.

    Raises InputError for an empty text (FICT804), a loss that is not finite (FICT803), a folder of another run
    (FICT805) or another kind of device (FICT824), a text or saved model of another tokenizer (FICT806, FICT820), a
    checkpoint after the end of training (FICT807), a branch from a step after the end (FICT823), or a device or number
    of processes that is not available (FICT808, FICT809). Also raises the errors of `Batches` and
    `TrainingTask.build`.
    """
    context, result = task.distributed_context(), task.out / RESULT
    if not context.broadcast(result.is_file()):
        _train(task, context, hooks or RunHooks())
    if context.broadcast(True) and context.is_main:  # waits for all processes
        for file_name in (CHECKPOINT, BEST):  # they are only needed to resume
            (task.out / file_name).unlink(missing_ok=True)
    return TrainResult(**parse_json(result.read_text("utf-8")))


def train_until(task: TrainingTask, step: int, hooks: RunHooks) -> None:
    """Train or resume training in `task.out` until a step, and save the state there; raises the errors of `train`."""
    _train(task, task.distributed_context(), hooks, pause_step=step)


def _train(task: TrainingTask, context: DistributedContext, hooks: RunHooks, pause_step: int | None = None) -> None:
    task.out.mkdir(parents=True, exist_ok=True)
    if context.is_main:
        for folder in (task.out, task.out / CHECKPOINTS):
            clean_stale(folder)
        remove_partial_files(task.out)
        if task.state is not None:
            begin_from_state(task.state, task.out)
    keep_freed_memory()
    with deterministic(hooks.threads):
        _Run.start(task, context, hooks, pause_step).run()


@dataclass
class _Run:
    """The state of a training run."""

    task: TrainingTask
    context: DistributedContext
    hooks: RunHooks
    model: PreTrainedModel
    learner: Learner
    record: TrainingRecord
    pause_step: int | None = None  # the step after which training pauses, before it is complete

    @classmethod
    def start(cls, task: TrainingTask, context: DistributedContext, hooks: RunHooks, pause_step: int | None) -> _Run:
        """Create the state before the first step, or restore the saved state."""
        task.check()
        batches = Batches(task)
        model = task.build().to(context.device)
        learner = Learner(model, task.spec, context)
        checkpoint, progress = task.out / CHECKPOINT, Progress()
        if checkpoint.is_file():
            progress = load_checkpoint(checkpoint, model, learner.optimizer, task.identity, kind(context.device))
        elif task.state is not None:  # from another run, so its identity is not checked
            progress = load_checkpoint(task.state / CHECKPOINT, model, learner.optimizer, {})
            if saved_identity(task.state / CHECKPOINT)[VALIDATION_TEXT] != task.identity[VALIDATION_TEXT]:
                progress.forget_validations()  # perplexities of different texts cannot be compared
        begins_after_end = task.state is not None and not checkpoint.is_file() and progress.step >= batches.total
        if begins_after_end or (pause_step or 0) > batches.total:
            raise InputError(diagnostic("FICT823", step=pause_step or progress.step, steps=batches.total))
        return cls(
            task, context, hooks, model, learner, TrainingRecord(task, batches, context, hooks, progress), pause_step
        )

    def run(self) -> None:
        """Take the remaining steps, then publish the model, unless training pauses."""
        record, pause_step = self.record, self.pause_step
        progress, total = record.progress, record.batches.total
        self.model.train()
        with record.opened(), forked_random(self.context.device):
            if not total:
                self._validate()
            self._take_steps(pause_step or total)
            if pause_step is None:  # `patience` may end training between two events
                record.log_training()
        if pause_step is not None and progress.step < pause_step:
            raise InputError(diagnostic("FICT823", step=pause_step, steps=progress.step))
        if self.context.is_main and pause_step is None:
            if self.task.spec.in_order:
                rows = min(progress.step * self.task.spec.batch, len(record.batches.table))
                check_read_once(self.task.out / LOG, rows)
            self._publish()

    def _take_steps(self, end: int) -> None:
        """Take steps up to `end`, and save the state regularly. Raises KeyboardInterrupt if `hooks.stop` is true."""
        record, hooks, last_save_time = self.record, self.hooks, time.monotonic()
        progress = record.progress
        while progress.step < end and not record.is_stale:
            reached_checkpoints = self._step()
            if progress.step in record.validations or reached_checkpoints:
                self._validate()
            if reached_checkpoints:
                self._checkpoint(max(reached_checkpoints))
            # a signal may reach the processes at different steps
            must_stop = self.context.all_reduce_sum(float(hooks.stop())) > 0
            must_keep_state = progress.step in (self.pause_step, *hooks.after_step)
            if (
                time.monotonic() - last_save_time >= hooks.checkpoint_seconds
                or reached_checkpoints
                or must_stop
                or must_keep_state
            ):
                self._save()
                last_save_time = time.monotonic()
                fault_point("after_checkpoint:train")
            if self.context.is_main and progress.step in hooks.after_step:
                hooks.after_step[progress.step](self.task.out)
            if must_stop:
                self.context.broadcast(True)  # wait for the main process: torchrun kills it when another one ends
                raise KeyboardInterrupt

    def _step(self) -> list[int]:
        """Take a step; return the checkpoints that it reaches, as numbers of tokens."""
        step, batches, spec = self.record.progress.step, self.record.batches, self.task.spec
        batch = batches.batch(step)
        loss = self.learner.step(batch, learning_rate(spec, step, batches.total), self.task.seeds.step(step))
        return self.record.step(loss, batch.predicted_tokens)

    def _validate(self) -> None:
        """Validate the model in the main process, and save its weights if they are the best so far."""
        loss, tokens = self.task.validation_loss(self.model) if self.context.is_main else (0.0, 0)
        loss, tokens = self.context.all_reduce_sum(loss), round(self.context.all_reduce_sum(tokens))
        if self.record.validation(loss, tokens) and self.context.is_main:
            save_weights(self.task.out / BEST, self.model)

    def _checkpoint(self, requested: int) -> None:
        """Save the current model as the checkpoint after `requested` tokens."""
        progress, task = self.record.progress, self.task
        if self.context.is_main:
            with publish_dir(task.out / CHECKPOINTS / str(requested), replace=True) as temp:
                task.save(self.model, temp, progress.step, progress.tokens)
        self.record.checkpoint(requested)

    def _save(self) -> None:
        task, optimizer = self.task, self.learner.optimizer
        if self.context.is_main:
            device, progress = kind(self.context.device), self.record.progress
            save_checkpoint(task.out / CHECKPOINT, progress, self.model, optimizer, task.identity, device)

    def _publish(self) -> None:
        """Write the selected weights to `model/`, then the result, whose presence marks the run as complete."""
        task = self.task
        if task.spec.keep == "best":
            load_weights(task.out / BEST, self.model)
        step, tokens, _ = self.record.selected_model()
        with publish_dir(task.out / MODEL, replace=True) as temp:
            task.save(self.model, temp, step, tokens)
        fault_point("after_model:train")
        result = self.record.result(sum(parameter.numel() for parameter in self.model.parameters()))
        write_text(task.out / RESULT, json.dumps(asdict(result), indent=1) + "\n")
