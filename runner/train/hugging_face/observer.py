"""A `TrainerCallback` that records a training run and decides when to validate, save and stop."""

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
from runner.train.distributed import DistributedContext
from runner.train.files import CHECKPOINTS
from runner.train.hooks import RunHooks
from runner.train.record import Record
from runner.train.spec import Seeds
from runner.train.task import TrainingTask
from runner.workspace import fault_point, publish_dir

if TYPE_CHECKING:
    from runner.train.hugging_face.inputs import EpochSampler


class Observer(TrainerCallback, ExportableState):  # type: ignore[misc]
    """Record a training run of the Trainer. The Trainer's checkpoints store the progress."""

    def __init__(self, task: TrainingTask, record: Record, hooks: RunHooks, context: DistributedContext) -> None:
        self.record = record
        self.sampler: EpochSampler  # `CellTrainer` sets these three
        self.save_model: Callable[[str], None]
        self.validation_loss: Callable[[], tuple[float, int]]
        self._task, self._hooks, self._context = task, hooks, context
        self._losses: list[Tensor] = []  # of the micro-batches of the current step
        self._predicted_tokens = 0
        self._reached: list[int] = []  # checkpoints that the last step reached
        self._last_save_time = time.monotonic()
        self._stopping = False

    def state(self) -> dict[str, Any]:
        """Return the state that the Trainer's checkpoints store."""
        return {"args": {}, "attributes": {"progress": asdict(self.record.progress)}}

    def add_loss(self, loss: Tensor, predicted_tokens: int) -> None:
        """Add the summed loss of a micro-batch. The whole step predicts `predicted_tokens` tokens."""
        self._losses.append(loss)
        self._predicted_tokens = predicted_tokens

    def on_epoch_begin(self, _: TrainingArguments, __: TrainerState, control: TrainerControl, **___: Any) -> Any:
        """Set the epoch of the sampler."""
        self.sampler.epoch = self.record.progress.step // self.record.batches.per_epoch
        return control

    def on_step_begin(self, _: TrainingArguments, __: TrainerState, control: TrainerControl, **___: Any) -> Any:
        """Seed dropout, so that a resumed run draws the same numbers."""
        self._losses = []
        seed = self._task.seeds.step(self.record.progress.step)
        seed_random(Seeds.of_process(seed, self._context.rank), self._context.device)
        return control

    def on_pre_optimizer_step(self, _: TrainingArguments, __: TrainerState, control: TrainerControl, **___: Any) -> Any:
        """Record the loss before the weights change; raises InputError (FICT803) if it is not finite."""
        loss = self._context.all_reduce_sum(sum(micro_loss.item() for micro_loss in self._losses))
        self._reached = self.record.step(loss, self._predicted_tokens)
        return control

    def on_step_end(self, _: TrainingArguments, state: TrainerState, control: TrainerControl, **__: Any) -> Any:
        """Save the model of a checkpoint that the step reached, and tell the Trainer whether to evaluate and save."""
        is_validation = state.global_step in self.record.validations
        control.should_evaluate = is_validation  # replaces the Trainer's own schedule
        if self._reached and not is_validation:
            self.validate()
            self._save_model(max(self._reached))
        self._stopping = self._context.all_reduce_sum(float(self._hooks.stop())) > 0
        is_due = self._context.broadcast(time.monotonic() - self._last_save_time >= self._hooks.checkpoint_seconds)
        is_last = state.global_step >= self.record.batches.total
        control.should_save = bool(is_validation or self._reached or self._stopping or is_due or is_last)
        return control

    def on_evaluate(self, _: TrainingArguments, __: TrainerState, control: TrainerControl, **___: Any) -> Any:
        """Save the model of a checkpoint that the step reached, and stop training if it no longer improves."""
        if self._reached:
            self._save_model(max(self._reached))
        if self.record.is_stale:
            control.should_training_stop = True
        return control

    def on_save(self, _: TrainingArguments, __: TrainerState, control: TrainerControl, **___: Any) -> Any:
        """Raise KeyboardInterrupt if training was asked to stop."""
        self._last_save_time = time.monotonic()
        fault_point("after_checkpoint:train")
        if self._stopping:
            self._context.broadcast(True)  # wait for the main process: torchrun kills it when another one ends
            raise KeyboardInterrupt
        return control

    def validate(self) -> dict[str, float]:
        """Validate the model and record the result; return the loss per token, in nats, and the perplexity."""
        loss, tokens = self.validation_loss()
        self.record.validation(loss, tokens)
        perplexity = self.record.progress.last_perplexity
        assert perplexity is not None
        return {"eval_loss": loss / tokens, "eval_perplexity": perplexity}

    def _save_model(self, requested: int) -> None:
        """Save the model as the checkpoint after `requested` tokens. All processes call this, and rank 0 writes."""
        task, progress = self._task, self.record.progress
        if not self._context.is_main:
            self.save_model(str(task.out / CHECKPOINTS))
            return
        with publish_dir(task.out / CHECKPOINTS / str(requested), replace=True) as temp:
            self.save_model(str(temp))
            (temp / TRAINING_ARGS_NAME).unlink()
            task.save_tokenizer_and_metadata(temp, progress.step, progress.tokens)
        self.record.checkpoint(requested)
