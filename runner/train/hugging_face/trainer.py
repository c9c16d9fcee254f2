"""A subclass of the Transformers `Trainer` with the rows, the loss, the optimizer and the schedule of fictc."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader
from transformers import PreTrainedModel, Trainer, TrainerControl, TrainingArguments
from transformers.trainer_callback import PrinterCallback

from runner.model.likelihood import summed_losses
from runner.model.masking import MaskedBatch
from runner.model.rows import Batch
from runner.train.distributed import DistributedContext
from runner.train.hugging_face.inputs import EpochSampler, Inputs, MicroBatches, loader, model_inputs, summed_loss
from runner.train.hugging_face.observer import Observer
from runner.train.learn import adamw
from runner.train.schedule import learning_rate
from runner.train.task import TrainingTask


class CellTrainer(Trainer):  # type: ignore[misc]
    """The Trainer of one cell.

    The loss is the mean over the predicted tokens of the whole step, in all micro-batches and processes. The observer
    records losses and decides when to validate and to save.
    """

    optimizer: torch.optim.Optimizer | None
    lr_scheduler: LambdaLR | None
    control: TrainerControl

    def __init__(
        self,
        model: PreTrainedModel,
        arguments: TrainingArguments,
        task: TrainingTask,
        observer: Observer,
        context: DistributedContext,
    ) -> None:
        self._task, self._observer, self._context = task, observer, context
        # With `compute_loss_func`, the Trainer does not divide the loss by the number of micro-batches. The overridden
        # `compute_loss` does not call the function.
        super().__init__(model, arguments, compute_loss_func=summed_loss, callbacks=[observer])
        self.remove_callback(PrinterCallback)
        observer.save_model, observer.validation_loss = self.save_model, self.validation_loss

    def get_train_dataloader(self) -> DataLoader[Inputs]:
        """Return the loader of this process's micro-batches, which Accelerate must not distribute again."""
        batches, accumulate = self._observer.record.batches, self._task.spec.accumulate
        sampler = EpochSampler(batches, accumulate)
        self._observer.sampler = sampler
        micro_batches = MicroBatches(batches, accumulate, self._context.rank, self._context.world_size)
        return loader(micro_batches, sampler, self.args.dataloader_num_workers)

    def create_optimizer(self, model: nn.Module | None = None) -> torch.optim.Optimizer:
        """Return the optimizer of `runner.train.learn`."""
        if self.optimizer is None:
            self.optimizer = adamw(self.model if model is None else model, self._task.spec)
        return self.optimizer

    def create_scheduler(self, num_training_steps: int, optimizer: torch.optim.Optimizer | None = None) -> LambdaLR:
        """Return the schedule of `runner.train.schedule`."""
        spec = self._task.spec
        if self.lr_scheduler is None:
            scheduled = optimizer or self.optimizer
            assert scheduled is not None
            factor = lambda step: learning_rate(spec, step, num_training_steps) / spec.learning_rate  # noqa: E731
            self.lr_scheduler = LambdaLR(scheduled, factor)
            self._created_lr_scheduler = True
        return self.lr_scheduler

    def compute_loss(
        self,
        model: nn.Module,
        inputs: Inputs,
        return_outputs: bool = False,
        num_items_in_batch: Tensor | int | None = None,  # noqa: ARG002 - the step's own number is in `inputs`
    ) -> Any:
        """Return this process's share of the step's mean loss, multiplied by the number of processes."""
        targets, predicted_tokens = inputs.pop("targets"), int(inputs.pop("predicted_tokens"))
        outputs = model(**inputs)
        loss = summed_loss(outputs.logits, targets)
        self._observer.add_loss(loss.detach(), predicted_tokens)
        local_loss = loss * (self._context.world_size / predicted_tokens)  # gradients are averaged over processes
        return (local_loss, outputs) if return_outputs else local_loss

    def evaluate(self, *_: Any, **__: Any) -> dict[str, float]:
        """Return the loss and the perplexity of the validation text, over all its tokens."""
        metrics = self._observer.validate()
        self.log(metrics)
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
        return metrics

    def validation_loss(self) -> tuple[float, int]:
        """Return the summed loss of the validation text and its number of predicted tokens.

        The main process computes it. If the weights are sharded over processes, all of them compute it together.
        """
        if self.is_fsdp_enabled or self.is_deepspeed_enabled:
            return self.distributed_validation_loss()
        loss, tokens = self._task.validation_loss(self.model) if self._context.is_main else (0.0, 0)
        return self._context.all_reduce_sum(loss), round(self._context.all_reduce_sum(tokens))

    def distributed_validation_loss(self) -> tuple[float, int]:
        """Return the same values as `validation_loss`, computed in every process by the wrapped model."""

        def loss(batch: Batch | MaskedBatch) -> Tensor:
            inputs = self._prepare_inputs(model_inputs(batch))
            targets = inputs.pop("targets")
            return summed_loss(self.model_wrapped(**inputs).logits, targets)

        batches = self._task.validation_batches(self.args.device)
        return summed_losses(self.model_wrapped, loss, batches)
