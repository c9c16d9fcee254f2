"""Inputs of the Transformers `Trainer`: the micro-batches of each step, as tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset, Sampler

from runner.model.masking import IGNORED, MaskedBatch
from runner.model.rows import Batch
from runner.train.batches import Batches

Inputs: TypeAlias = dict[str, Tensor]


class MicroBatches(Dataset[Inputs]):
    """The micro-batches of one process. Item i is micro-batch i % `accumulate` of step i // `accumulate`.

    An item has `input_ids` (B, T), `targets` (B, T), `predicted_tokens` () and, for masked models, `attention_mask`
    (B, T). Targets are IGNORED where nothing is predicted. `predicted_tokens` is the number of tokens that the step
    predicts in all processes.
    """

    def __init__(self, batches: Batches, accumulate: int, rank: int, world_size: int) -> None:
        self._batches, self._accumulate, self._rank, self._world_size = batches, accumulate, rank, world_size

    def __getitem__(self, index: int) -> Inputs:
        step, micro_batch = divmod(index, self._accumulate)
        batch = self._batches.batch(step)
        rows = np.array_split(np.arange(self._rank, len(batch.lengths), self._world_size), self._accumulate)[
            micro_batch
        ]
        has_rows = len(rows) > 0  # without rows, use one that predicts nothing, so that every process takes part
        inputs = model_inputs(batch.select(rows if has_rows else np.zeros(1, np.int64)))
        if not has_rows:
            inputs["targets"].fill_(IGNORED)
        return {**inputs, "predicted_tokens": torch.tensor(batch.predicted_tokens)}


class EpochSampler(Sampler[list[int]]):
    """Yield the indices of the micro-batches of an epoch, one at a time. Set `epoch` before each epoch."""

    def __init__(self, batches: Batches, accumulate: int) -> None:
        self.epoch = 0
        self._epoch_length = batches.per_epoch * accumulate

    def __len__(self) -> int:
        return self._epoch_length

    def __iter__(self) -> Iterator[list[int]]:
        start = self.epoch * self._epoch_length
        return ([index] for index in range(start, start + self._epoch_length))


def loader(micro_batches: MicroBatches, sampler: EpochSampler, workers: int) -> DataLoader[Inputs]:
    """Return the loader of an epoch's micro-batches."""
    return DataLoader(micro_batches, batch_sampler=sampler, collate_fn=_single_item, num_workers=workers)


def summed_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the summed negative log-likelihood of the targets that are not ignored, in nats, as a float32 scalar."""
    predicted = targets != IGNORED
    return F.cross_entropy(logits[predicted].float(), targets[predicted], reduction="sum")


def model_inputs(batch: Batch | MaskedBatch) -> Inputs:
    """Return the model inputs of a batch, and the `targets` of its logits."""
    if isinstance(batch, MaskedBatch):
        attention = np.arange(batch.ids.shape[1]) <= batch.lengths[:, None]
        return _tensors(input_ids=batch.ids, targets=batch.targets, attention_mask=attention.astype(np.int64))
    targets = batch.ids[:, 1:]
    is_token = np.arange(targets.shape[1]) < batch.lengths[:, None]
    return _tensors(input_ids=batch.ids[:, :-1], targets=np.where(is_token, targets, IGNORED))


def _tensors(**arrays: NDArray[Any]) -> Inputs:
    return {name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in arrays.items()}


def _single_item(items: list[Inputs]) -> Inputs:
    return items[0]
