"""Measure the speed of training on a device with a few steps."""

from __future__ import annotations

import time

import numpy as np
import torch

from runner.device import by_kind, forked_random
from runner.model.build import build
from runner.model.masking import IGNORED, MaskedBatch
from runner.model.recipe import ModelSpec
from runner.model.rows import Batch
from runner.model.training import TrainSpec
from runner.train.distributed import DistributedContext
from runner.train.learn import Learner, deterministic

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
