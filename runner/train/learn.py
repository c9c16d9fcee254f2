"""A batch of rows to one step of the optimiser, with the exact mean over all its tokens."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch

from runner.model.likelihood import Network
from runner.model.rows import Batch
from runner.train.spec import TrainSpec

if TYPE_CHECKING:
    from transformers import PreTrainedModel

MICRO = 16_384  # places computed at once; a larger batch is summed in parts


class Learner:
    """A model and its optimiser. Gradients of the parts of a batch add up to that of the mean over the whole."""

    def __init__(self, model: PreTrainedModel, optimizer: torch.optim.Optimizer, spec: TrainSpec) -> None:
        self.optimizer = optimizer
        self._spec = spec
        self._network = Network.of(model)
        self._parameters = list(model.parameters())

    def step(self, batch: Batch, rate: float, seed: int) -> float:
        """Learn from a batch with dropout drawn by `seed`; the summed loss in nats, before the step.

        No step is made where the loss is no number.
        """
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        torch.manual_seed(seed)
        loss = 0.0
        for part in parts(batch, self._spec.accumulate):
            with torch.autocast("cpu", torch.bfloat16, enabled=self._spec.precision == "bfloat16"):
                summed = self._network.loss(part)
            (summed / batch.predicted).backward()  # type: ignore[no-untyped-call]
            loss += summed.item()
        if math.isfinite(loss):
            if self._spec.clip:
                torch.nn.utils.clip_grad_norm_(self._parameters, self._spec.clip)
            self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return loss


def adamw(model: PreTrainedModel, spec: TrainSpec) -> torch.optim.AdamW:
    """AdamW over all parameters: matrices decay, biases and normalisation do not."""
    listed = list(model.parameters())
    groups: list[dict[str, Any]] = [
        {"params": [p for p in listed if p.ndim >= 2], "weight_decay": spec.weight_decay},
        {"params": [p for p in listed if p.ndim < 2], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=spec.learning_rate, betas=spec.betas, eps=spec.epsilon, fused=True)


def parts(batch: Batch, accumulate: int) -> Iterator[Batch]:
    """A batch in at least `accumulate` parts, more where a part would not fit into memory."""
    rows = min(math.ceil(len(batch.lengths) / accumulate), max(1, MICRO // batch.ids.shape[1]))
    if rows >= len(batch.lengths):
        yield batch
        return
    for start in range(0, len(batch.lengths), rows):
        lengths = batch.lengths[start : start + rows]
        yield Batch(batch.ids[start : start + rows, : int(lengths.max()) + 1], lengths)


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
