"""A callback of the Trainer that records a training run and decides when to validate, save and stop."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from torch import Tensor
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments
from transformers.trainer import TRAINING_ARGS_NAME
from transformers.trainer_callback import ExportableState

from runner.device import seed_random
from runner.train.control import Control
from runner.train.distributed import DistributedContext
from runner.train.files import CHECKPOINTS
from runner.train.record import Record
from runner.train.spec import Seeds
from runner.train.task import Task
from runner.workspace import fault_point, publish_dir

if TYPE_CHECKING:
    from runner.train.hugging_face.inputs import EpochParts


class Observer(TrainerCallback, ExportableState):  # type: ignore[misc]
    """The record of a training run by the Trainer. Its progress is part of the Trainer's checkpoints."""

    def __init__(self, task: Task, record: Record, control: Control, context: DistributedContext) -> None:
        self.record = record
        self.numbers: EpochParts  # the Trainer sets these three
        self.save_model: Callable[[str], None]
        self.validation_loss: Callable[[], tuple[float, int]]
        self._task, self._listener, self._context = task, control, context
        self._losses: list[Tensor] = []  # of the parts of the current step
        self._predicted = 0
        self._reached: list[int] = []  # checkpoints that the last step reached
        self._saved = time.monotonic()
        self._stopping = False

    def state(self) -> dict[str, Any]:
        """Return what a checkpoint of the Trainer keeps."""
        return {"args": {}, "attributes": {"progress": asdict(self.record.progress)}}

    def add(self, loss: Tensor, predicted: int) -> None:
        """Add the summed loss of a part of the current step, which predicts `predicted` tokens in all."""
        self._losses.append(loss)
        self._predicted = predicted

    def on_epoch_begin(self, _: TrainingArguments, __: TrainerState, control: TrainerControl, **___: Any) -> Any:
        """Choose the rows of the epoch."""
        self.numbers.epoch = self.record.progress.step // self.record.batches.per_epoch
        return control

    def on_step_begin(self, _: TrainingArguments, __: TrainerState, control: TrainerControl, **___: Any) -> Any:
        """Seed dropout, so that a resumed run draws the same numbers."""
        self._losses = []
        seed = self._task.seeds.step(self.record.progress.step)
        seed_random(Seeds.of_process(seed, self._context.rank), self._context.device)
        return control

    def on_pre_optimizer_step(self, _: TrainingArguments, __: TrainerState, control: TrainerControl, **___: Any) -> Any:
        """Record the loss before the weights change; raises InputError (FICT803) if it is not finite."""
        loss = self._context.all_reduce_sum(sum(part.item() for part in self._losses))
        self._reached = self.record.step(loss, self._predicted)
        return control

    def on_step_end(self, _: TrainingArguments, state: TrainerState, control: TrainerControl, **__: Any) -> Any:
        """Validate, save models and checkpoints, and stop, when it is time."""
        is_validation = state.global_step in self.record.validations
        control.should_evaluate = is_validation  # and not when the Trainer would
        if self._reached and not is_validation:
            self.validate()
            self._save_model(max(self._reached))
        self._stopping = self._context.all_reduce_sum(float(self._listener.stop())) > 0
        is_late = self._context.broadcast(time.monotonic() - self._saved >= self._listener.checkpoint_seconds)
        is_last = state.global_step >= self.record.batches.total
        control.should_save = bool(is_validation or self._reached or self._stopping or is_late or is_last)
        return control

    def on_evaluate(self, _: TrainingArguments, __: TrainerState, control: TrainerControl, **___: Any) -> Any:
        """Save the model under the number of tokens that the step reached, and end training that gets no better."""
        if self._reached:
            self._save_model(max(self._reached))
        if self.record.is_stale:
            control.should_training_stop = True
        return control

    def on_save(self, _: TrainingArguments, __: TrainerState, control: TrainerControl, **___: Any) -> Any:
        """Raise KeyboardInterrupt if training was asked to stop."""
        self._saved = time.monotonic()
        fault_point("after_checkpoint:train")
        if self._stopping:
            self._context.broadcast(True)  # wait for the main process: torchrun kills it when another one ends
            raise KeyboardInterrupt
        return control

    def validate(self) -> dict[str, float]:
        """Validate and record the model; return its loss per token, in nats, and its perplexity."""
        loss, tokens = self.validation_loss()
        self.record.validation(loss, tokens)
        perplexity = self.record.progress.last_perplexity
        assert perplexity is not None
        return {"eval_loss": loss / tokens, "eval_perplexity": perplexity}

    def _save_model(self, count: int) -> None:
        """Save the model under a number of tokens; all processes take part, and the main one writes."""
        task, progress, partial = self._task, self.record.progress, self._task.out / CHECKPOINTS
        if not self._context.is_main:
            self.save_model(str(partial))
            return
        with publish_dir(task.out / CHECKPOINTS / str(count), replace=True) as temp:
            self.save_model(str(temp))
            (temp / TRAINING_ARGS_NAME).unlink()
            task.complete(temp, progress.step, progress.tokens)
        self.record.checkpoint(count)
