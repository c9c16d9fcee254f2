"""The training loop: an interrupted and resumed run has the bytes of an uninterrupted one, and speed is measured."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from runner.errors import InputError
from runner.machine import by_kind, forked_random, kind, seed_random
from runner.model.architectures import build
from runner.model.likelihood import SplitModel
from runner.model.recipe import ModelSpec
from runner.model.token_rows import IGNORED, Batch, MaskedBatch
from runner.model.training import TrainSpec
from runner.readers import parse_json
from runner.train.distributed import DistributedContext
from runner.train.record import (
    Progress,
    TrainingRecord,
    check_read_once,
    load_checkpoint,
    load_weights,
    remove_partial_files,
    save_checkpoint,
    save_weights,
    saved_identity,
)
from runner.train.spec import (
    BEST,
    CHECKPOINT,
    CHECKPOINTS,
    LOG,
    MODEL,
    RESULT,
    RunHooks,
    Seeds,
    TrainResult,
    begin_from_state,
    learning_rate,
)
from runner.train.task import VALIDATION_TEXT, Batches, TrainingTask
from runner.workspace import clean_stale, fault_point, publish_dir, write_text

if TYPE_CHECKING:
    from transformers import PreTrainedModel


MICRO_BATCH_TOKENS = {"cpu": 16_384, "gpu": 32_768}  # maximum, including padding
FREED_BLOCK_SIZE = 31 << 20  # bytes; glibc adjusts its threshold to blocks of up to 32 MiB


class _Loss(nn.Module):
    def __init__(self, model: PreTrainedModel) -> None:
        super().__init__()
        self.model = model
        self._network = SplitModel.of(model)

    def forward(self, batch: Batch | MaskedBatch) -> Tensor:
        return self._network.loss(batch)


class Learner:
    """A model and its optimizer. Gradients sum to that of the mean loss; a process reads every `world_size`-th row."""

    def __init__(self, model: PreTrainedModel, spec: TrainSpec, context: DistributedContext) -> None:
        self.optimizer = adamw(model, spec)
        self._spec = spec
        self._context = context
        self._loss = context.wrap(_Loss(model))
        self._parameters = list(model.parameters())

    def step(self, batch: Batch | MaskedBatch, rate: float, seed: int) -> float:
        """Take a step, unless the loss is not finite. Return the summed loss before it, in nats."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        seed_random(Seeds.of_process(seed, self._context.rank), self._context.device)
        loss = self._context.all_reduce_sum(self._backward(batch))
        if math.isfinite(loss):
            if self._spec.clip:
                torch.nn.utils.clip_grad_norm_(self._parameters, self._spec.clip)
            self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return loss

    def _backward(self, batch: Batch | MaskedBatch) -> float:
        context, device = self._context, self._context.device.type
        rows = np.arange(context.rank, len(batch.lengths), context.world_size)
        # gradients are averaged over processes; a process without rows participates with a row of weight 0
        tokens_per_process = batch.predicted_tokens / context.world_size if len(rows) else math.inf
        local_batch = batch.select(rows if len(rows) else np.zeros(1, np.int64))
        local_micro_batches = micro_batches(local_batch, self._spec.accumulate, by_kind(device, **MICRO_BATCH_TOKENS))
        loss = 0.0
        for micro_batch in local_micro_batches:
            with nullcontext() if micro_batch is local_micro_batches[-1] else context.no_sync(self._loss):
                with torch.autocast(device, torch.bfloat16, enabled=self._spec.precision == "bfloat16"):
                    micro_loss = self._loss(micro_batch)
                (micro_loss / tokens_per_process).backward()
            loss += micro_loss.item()
        return loss if len(rows) else 0.0


def adamw(model: PreTrainedModel, spec: TrainSpec) -> torch.optim.AdamW:
    parameters = list(model.parameters())
    groups: list[dict[str, Any]] = [
        {"params": [p for p in parameters if p.ndim >= 2], "weight_decay": spec.weight_decay},
        {"params": [p for p in parameters if p.ndim < 2], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=spec.learning_rate, betas=spec.betas, eps=spec.epsilon, fused=True)


def micro_batches(batch: Batch | MaskedBatch, accumulate: int, max_tokens: int) -> Sequence[Batch | MaskedBatch]:
    """Split B rows into micro-batches of at most ⌈B / `accumulate`⌉ rows and `max_tokens` tokens, or one row."""
    row_count = len(batch.lengths)
    max_rows = min(math.ceil(row_count / accumulate), max(1, max_tokens // batch.ids.shape[1]))
    if max_rows >= row_count:
        return [batch]
    return [batch.select(np.arange(row_count)[start : start + max_rows]) for start in range(0, row_count, max_rows)]


@contextmanager
def deterministic(threads: int) -> Iterator[None]:
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # CUDA requires it, and reads it on first use
    old_threads, old_debug_mode = torch.get_num_threads(), torch.get_deterministic_debug_mode()
    settings: Any = torch.utils.deterministic
    old_fill_memory = settings.fill_uninitialized_memory
    torch.set_num_threads(threads)
    # use_deterministic_algorithms would import the compiler, which takes half a second
    torch.set_deterministic_debug_mode("error")
    settings.fill_uninitialized_memory = False
    try:
        yield
    finally:
        torch.set_num_threads(old_threads)
        torch.set_deterministic_debug_mode(old_debug_mode)
        settings.fill_uninitialized_memory = old_fill_memory


MAX_TOKENS = {"cpu": 2_048, "gpu": 131_072}  # of a step
TIMED_STEPS = {"cpu": 2, "gpu": 10}  # after a step that is not timed


def measured_speed(model: ModelSpec, training: TrainSpec, vocab_size: int, device: str) -> float:
    context = DistributedContext(device)
    batch, step_seconds = random_batch(model, training, vocab_size, device), list[float]()
    with deterministic(torch.get_num_threads()), forked_random(context.device):
        network = build(model, vocab_size, 0).to(context.device).train()
        learner = Learner(network, training.model_copy(update={"processes": 1}), context)
        for step in range(1 + by_kind(device, **TIMED_STEPS)):
            start = time.perf_counter()
            # A step waits for its loss. A GPU may still run its update, which then counts in the next step.
            learner.step(batch, 1e-6, step)
            step_seconds.append(time.perf_counter() - start)
    return int(batch.lengths.sum()) / float(np.median(step_seconds[1:]))


def random_batch(model: ModelSpec, training: TrainSpec, vocab_size: int, device: str) -> Batch | MaskedBatch:
    """Return random ids for timing a step: `training.batch` rows, or fewer to respect `MAX_TOKENS`."""
    block = min(training.block, model.positions - int(model.masked)) if model.positions else training.block
    rows = max(1, min(training.batch, by_kind(device, **MAX_TOKENS) // block))
    generator = np.random.Generator(np.random.PCG64(0))
    ids, lengths = generator.integers(vocab_size, size=(rows, block + 1)), np.full(rows, block)
    if not model.masked:
        return Batch(ids, lengths)
    return MaskedBatch(ids, np.where(generator.random(ids.shape) < training.mask_rate, ids, IGNORED), lengths)


def train(task: TrainingTask, hooks: RunHooks | None = None) -> TrainResult:
    """Train or resume training in the folder `task.out`; return the content of `training.json`.

    The folder then has `model/` (with the lowest validation perplexity or, with `keep = "last"`, the last one),
    `checkpoints/TOKENS/`, `training.json` and `train.jsonl`. If the process is killed, the same call resumes from the
    last saved state and produces the same bytes. Raises InputError (FICT700, 801, 803–809, 815, 820, 822–824).
    """
    context, result = DistributedContext(task.spec.device, task.spec.processes), task.out / RESULT
    if not context.broadcast(result.is_file()):
        _train(task, context, hooks or RunHooks())
    if context.broadcast(True) and context.is_main:  # waits for all processes
        for file_name in (CHECKPOINT, BEST):  # they are only needed to resume
            (task.out / file_name).unlink(missing_ok=True)
    return TrainResult(**parse_json(result.read_text("utf-8")))


def train_until(task: TrainingTask, step: int, hooks: RunHooks) -> None:
    """Train or resume training in `task.out` until a step, and save the state there; raises the errors of `train`."""
    context = DistributedContext(task.spec.device, task.spec.processes)
    _train(task, context, hooks, pause_step=step)


def _train(task: TrainingTask, context: DistributedContext, hooks: RunHooks, pause_step: int | None = None) -> None:
    task.out.mkdir(parents=True, exist_ok=True)
    if context.is_main:
        for folder in (task.out, task.out / CHECKPOINTS):
            clean_stale(folder)
        remove_partial_files(task.out)
        if task.state is not None:
            begin_from_state(task.state, task.out)
    # glibc then keeps freed memory: mapping it at every step takes a fifth of the training time of a small LSTM
    torch.empty(FREED_BLOCK_SIZE, dtype=torch.uint8)
    with deterministic(hooks.threads):
        _Run(task, context, hooks, pause_step).run()


class _Run:
    def __init__(
        self, task: TrainingTask, context: DistributedContext, hooks: RunHooks, pause_step: int | None
    ) -> None:
        task.check()
        batches = Batches(task)
        self.task, self.context, self.hooks, self.pause_step = task, context, hooks, pause_step
        self.model = task.build().to(context.device)
        self.learner = Learner(self.model, task.spec, context)
        optimizer, checkpoint, progress = self.learner.optimizer, task.out / CHECKPOINT, Progress()
        if checkpoint.is_file():
            progress = load_checkpoint(checkpoint, self.model, optimizer, task.identity, kind(context.device))
        elif task.state is not None:  # from another run, so its identity is not checked
            progress = load_checkpoint(task.state / CHECKPOINT, self.model, optimizer, {})
            if saved_identity(task.state / CHECKPOINT)[VALIDATION_TEXT] != task.identity[VALIDATION_TEXT]:
                progress.forget_validations()  # perplexities of different texts cannot be compared
        begins_after_end = task.state is not None and not checkpoint.is_file() and progress.step >= batches.total
        if begins_after_end or (pause_step or 0) > batches.total:
            raise InputError.of("FICT823", step=pause_step or progress.step, steps=batches.total)
        self.record = TrainingRecord(task, batches, context, hooks, progress)

    def run(self) -> None:
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
            raise InputError.of("FICT823", step=pause_step, steps=progress.step)
        if self.context.is_main and pause_step is None:
            if self.task.spec.in_order:
                rows = min(progress.step * self.task.spec.batch, len(record.batches.table))
                check_read_once(self.task.out / LOG, rows)
            self._publish()

    def _take_steps(self, end: int) -> None:
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
            is_due = time.monotonic() - last_save_time >= hooks.checkpoint_seconds
            if is_due or reached_checkpoints or must_stop or must_keep_state:
                self._save()
                last_save_time = time.monotonic()
                fault_point("after_checkpoint:train")
            if self.context.is_main and progress.step in hooks.after_step:
                hooks.after_step[progress.step](self.task.out)
            if must_stop:
                self.context.broadcast(True)  # wait for the main process: torchrun kills it when another one ends
                raise KeyboardInterrupt

    def _step(self) -> list[int]:
        step, batches, spec = self.record.progress.step, self.record.batches, self.task.spec
        batch = batches.batch(step)
        loss = self.learner.step(batch, learning_rate(spec, step, batches.total), self.task.seeds.step(step))
        return self.record.step(loss, batch.predicted_tokens)

    def _validate(self) -> None:
        loss, tokens = self.task.validation_loss(self.model) if self.context.is_main else (0.0, 0)
        loss, tokens = self.context.all_reduce_sum(loss), round(self.context.all_reduce_sum(tokens))
        if self.record.validation(loss, tokens) and self.context.is_main:
            save_weights(self.task.out / BEST, self.model)

    def _checkpoint(self, requested: int) -> None:
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
        task = self.task
        if task.spec.keep == "best":
            load_weights(task.out / BEST, self.model)
        step, tokens, _ = self.record.selected_model()
        with publish_dir(task.out / MODEL, replace=True) as temp:
            task.save(self.model, temp, step, tokens)
        fault_point("after_model:train")
        result = self.record.result(sum(parameter.numel() for parameter in self.model.parameters()))
        write_text(task.out / RESULT, json.dumps(asdict(result), indent=1) + "\n")
