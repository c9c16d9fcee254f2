"""Take optimizer steps, and measure the speed of a few steps on a device."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from runner.machine import by_kind, forked_random, seed_random
from runner.model.architectures import build
from runner.model.likelihood import SplitModel
from runner.model.recipe import ModelSpec
from runner.model.token_rows import IGNORED, Batch, MaskedBatch
from runner.model.training import TrainSpec
from runner.train.distributed import DistributedContext
from runner.train.spec import Seeds

if TYPE_CHECKING:
    from transformers import PreTrainedModel


MICRO_BATCH_TOKENS = {"cpu": 16_384, "gpu": 32_768}  # maximum, including padding
FREED_BLOCK_SIZE = 31 << 20  # bytes; glibc adjusts its threshold to blocks of up to 32 MiB


class _Loss(nn.Module):
    """The summed loss of a batch as a module, which accelerate can wrap."""

    def __init__(self, model: PreTrainedModel) -> None:
        super().__init__()
        self.model = model
        self._network = SplitModel.of(model)

    def forward(self, batch: Batch | MaskedBatch) -> Tensor:
        return self._network.loss(batch)


class Learner:
    """A model and its optimizer.

    The gradients of the micro-batches sum to the gradient of the mean loss over the batch. With several processes, each
    one reads every `world_size`-th row.
    """

    def __init__(self, model: PreTrainedModel, spec: TrainSpec, context: DistributedContext) -> None:
        self.optimizer = adamw(model, spec)
        self._spec = spec
        self._context = context
        self._loss = context.wrap(_Loss(model))
        self._parameters = list(model.parameters())

    def step(self, batch: Batch | MaskedBatch, rate: float, seed: int) -> float:
        """Take a step on a batch, with dropout seeded by `seed`; return the summed loss before the step, in nats.

        The step is skipped if the loss is not finite.
        """
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
        """Accumulate the gradients of all processes; return the summed loss of this process's rows."""
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
    """Return AdamW over all parameters, with weight decay for matrices but not for biases and normalisation."""
    parameters = list(model.parameters())
    groups: list[dict[str, Any]] = [
        {"params": [p for p in parameters if p.ndim >= 2], "weight_decay": spec.weight_decay},
        {"params": [p for p in parameters if p.ndim < 2], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=spec.learning_rate, betas=spec.betas, eps=spec.epsilon, fused=True)


def micro_batches(batch: Batch | MaskedBatch, accumulate: int, max_tokens: int) -> Sequence[Batch | MaskedBatch]:
    """Split a batch of B rows into as few micro-batches of at most ⌈B / `accumulate`⌉ rows as possible.

    A micro-batch has at most `max_tokens` tokens including padding, or a single row. There may be fewer than
    `accumulate` micro-batches: with `accumulate = 4`, 5 rows are split into 2 + 2 + 1.
    """
    row_count = len(batch.lengths)
    max_rows = min(math.ceil(row_count / accumulate), max(1, max_tokens // batch.ids.shape[1]))
    if max_rows >= row_count:
        return [batch]
    return [batch.select(np.arange(row_count)[start : start + max_rows]) for start in range(0, row_count, max_rows)]


def keep_freed_memory() -> None:
    """Let glibc keep freed memory for the next step, for the lifetime of the process.

    glibc returns freed memory above a threshold to the system. Mapping the same pages again at every step takes a fifth
    of the training time of a small LSTM. The threshold is twice the size of the largest mapped block that was freed
    (mallopt(3), M_MMAP_THRESHOLD), so this function frees a large block. It has no effect with other C libraries.
    """
    torch.empty(FREED_BLOCK_SIZE, dtype=torch.uint8)


@contextmanager
def deterministic(threads: int) -> Iterator[None]:
    """Use deterministic kernels and a fixed number of threads in the context, and restore the settings afterwards."""
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
    """Return the tokens per second of training a model in one process, with rows of maximum length."""
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
    """Return a batch of random ids for timing a step: `training.batch` rows, or fewer to respect `MAX_TOKENS`."""
    block = min(training.block, model.positions - int(model.masked)) if model.positions else training.block
    rows = max(1, min(training.batch, by_kind(device, **MAX_TOKENS) // block))
    generator = np.random.Generator(np.random.PCG64(0))
    ids, lengths = generator.integers(vocab_size, size=(rows, block + 1)), np.full(rows, block)
    if not model.masked:
        return Batch(ids, lengths)
    return MaskedBatch(ids, np.where(generator.random(ids.shape) < training.mask_rate, ids, IGNORED), lengths)
