"""A batch of rows to one step of the optimiser, with the exact mean over all its tokens."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from runner.model.likelihood import Network
from runner.model.masking import MaskedBatch
from runner.model.rows import Batch
from runner.train.spec import Seeds, TrainSpec
from runner.train.world import World

if TYPE_CHECKING:
    from transformers import PreTrainedModel

MICRO = {"cpu": 16_384, "cuda": 131_072}  # places computed at once; a larger batch is summed in parts
KEPT = 31 << 20  # bytes; glibc's threshold follows blocks of up to 32 MiB


class _Loss(nn.Module):
    """A batch to its summed loss, as a module, since that is what several processes can share."""

    def __init__(self, model: PreTrainedModel) -> None:
        super().__init__()
        self.model = model
        self._network = Network.of(model)

    def forward(self, batch: Batch | MaskedBatch) -> Tensor:
        return self._network.loss(batch)


class Learner:
    """A model and its optimiser. Gradients of the parts of a batch add up to that of the mean over the whole.

    The parts may be in several processes, each of which has every `size`-th row.
    """

    def __init__(self, model: PreTrainedModel, spec: TrainSpec, world: World) -> None:
        self.optimizer = adamw(model, spec)
        self._spec = spec
        self._world = world
        self._loss = world.together(_Loss(model))
        self._parameters = list(model.parameters())

    def step(self, batch: Batch | MaskedBatch, rate: float, seed: int) -> float:
        """Learn from a batch with dropout drawn by `seed`; the summed loss in nats, before the step.

        No step is made where the loss is no number.
        """
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        torch.manual_seed(Seeds.of_process(seed, self._world.rank))
        loss = self._world.total(self._gradients(batch))
        if math.isfinite(loss):
            if self._spec.clip:
                torch.nn.utils.clip_grad_norm_(self._parameters, self._spec.clip)
            self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return loss

    def _gradients(self, batch: Batch | MaskedBatch) -> float:
        """Add up the gradients of this process's rows, and in the end those of all; this process's summed loss."""
        world, device = self._world, self._world.device.type
        own = np.arange(world.rank, len(batch.lengths), world.size)
        # gradients are means over the processes; one without rows takes part with a row that counts nothing
        tokens = batch.predicted / world.size if len(own) else math.inf
        share = batch.of(own if len(own) else np.zeros(1, np.int64))
        parts = in_parts(share, self._spec.accumulate, MICRO[device])
        loss = 0.0
        for number, part in enumerate(parts, 1):
            last = number == len(parts)
            with nullcontext() if last else world.alone(self._loss):
                with torch.autocast(device, torch.bfloat16, enabled=self._spec.precision == "bfloat16"):
                    summed = self._loss(part)
                (summed / tokens).backward()
            loss += summed.item()
        return loss if len(own) else 0.0


def adamw(model: PreTrainedModel, spec: TrainSpec) -> torch.optim.AdamW:
    """AdamW over all parameters: matrices decay, biases and normalisation do not."""
    listed = list(model.parameters())
    groups: list[dict[str, Any]] = [
        {"params": [p for p in listed if p.ndim >= 2], "weight_decay": spec.weight_decay},
        {"params": [p for p in listed if p.ndim < 2], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=spec.learning_rate, betas=spec.betas, eps=spec.epsilon, fused=True)


def in_parts(batch: Batch | MaskedBatch, accumulate: int, places: int) -> Sequence[Batch | MaskedBatch]:
    """A batch in at least `accumulate` parts, in more where one would have more than `places`."""
    size = len(batch.lengths)
    rows = min(math.ceil(size / accumulate), max(1, places // batch.ids.shape[1]))
    return [batch] if rows >= size else [batch.of(np.arange(size)[at : at + rows]) for at in range(0, size, rows)]


def keep_memory() -> None:
    """Have the memory of one step serve the next, for as long as the process lives.

    glibc gives what is free back to the system from a threshold on, and a small model then pays for the same pages at
    every step: a fifth of an LSTM's time. The threshold is twice the largest block ever mapped alone and freed
    (mallopt(3), M_MMAP_THRESHOLD), so one is. Other C libraries take no notice.
    """
    torch.empty(KEPT, dtype=torch.uint8)


@contextmanager
def deterministic(threads: int) -> Iterator[None]:
    """Reproducible kernels on a fixed number of threads inside; torch as it was after."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # what CUDA asks for; read when it is first used
    before = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    settings: Any = torch.utils.deterministic
    fill = settings.fill_uninitialized_memory
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(True)
    settings.fill_uninitialized_memory = False
    try:
        yield
    finally:
        torch.set_num_threads(before[0])
        torch.use_deterministic_algorithms(before[1])
        settings.fill_uninitialized_memory = fill
