"""Select the batch of each step of a training run."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from runner.model.masking import MaskedBatch
from runner.model.rows import Batch, Ints
from runner.train.schedule import total_steps
from runner.train.task import TrainingTask


class Batches:
    """The rows of a task's training text, divided over the steps of its epochs. Steps count from 0."""

    def __init__(self, task: TrainingTask) -> None:
        """Cut the training text into rows. Raises InputError as `TrainingTask.table` and `TrainingTask.masking` do."""
        self.table, self.masking = task.training_rows(), task.masking()
        self._spec, self._seeds = task.spec, task.seeds
        self._cached_epoch: tuple[int, list[Ints]] | None = None  # the last epoch that was read, and its rows by step

    @property
    def per_epoch(self) -> int:
        """The number of steps of an epoch."""
        return math.ceil(len(self.table) / self._spec.batch)

    @cached_property
    def total(self) -> int:
        """The number of steps of the whole training run."""
        return total_steps(self._spec, len(self.table), self.table.predicted_tokens, self.step_tokens)

    def rows(self, step: int) -> Ints:
        """Return the indices of the rows that a step reads."""
        epoch, step_in_epoch = divmod(step, self.per_epoch)
        if self._cached_epoch is None or self._cached_epoch[0] != epoch:
            self._cached_epoch = epoch, self._rows_of_epoch(epoch)
        return self._cached_epoch[1][step_in_epoch]

    def batch(self, step: int) -> Batch | MaskedBatch:
        """Return the batch that a step reads; its rows are masked if the model is a masked language model."""
        batch = self.table.batch(self.rows(step))
        return batch if self.masking is None else self.masking.apply(batch, self._seeds.masks(step))

    def tokens(self, step: int) -> int:
        """Return the number of tokens that a step reads."""
        return int(self.table.lengths[self.rows(step)].sum())

    def step_tokens(self, epoch: int) -> Ints:
        """Return the number of tokens that each step of an epoch reads, (steps,)."""
        return np.array([self.table.lengths[rows].sum() for rows in self._rows_of_epoch(epoch)])

    def tokens_before(self, step: int) -> int:
        """Return the number of tokens read before a step."""
        epochs, steps = divmod(step, self.per_epoch)
        return epochs * self.table.predicted_tokens + int(self.step_tokens(epochs)[:steps].sum())

    def _rows_of_epoch(self, epoch: int) -> list[Ints]:
        return self.table.epoch_batches(self._spec.batch, self._seeds.data, epoch, in_order=self._spec.in_order)
