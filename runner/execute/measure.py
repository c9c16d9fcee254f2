"""Measure the speed of training: a few steps of each model of a plan, on the device that it would use."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from runner.device import by_kind, choose, forked_random, label
from runner.model.recipe import ModelSpec, TrainSpec
from runner.steps.plan import Plan
from runner.steps.sizes import vocabulary_size

if TYPE_CHECKING:
    from runner.model.masking import MaskedBatch
    from runner.model.rows import Batch

TOKENS = {"cpu": 2_048, "gpu": 131_072}  # of a step at most
STEPS = {"cpu": 2, "gpu": 10}  # after one that is not timed


def measure(plan: Plan) -> tuple[dict[str, float], str]:
    """Return words per second by model, and the name of the device; saved models are left out.

    Raises InputError (FICT808) if a device does not exist.
    """
    vocabulary = vocabulary_size(plan.resolved)
    speeds: dict[str, float] = {}
    device = "cpu"
    for name, entry in plan.resolved.models.items():
        device = choose(entry.training.device)
        if vocabulary is not None and entry.origin is None:
            speeds[name] = measured_speed(entry.model, entry.training, vocabulary, device)
    return speeds, label(device)


def measured_speed(model: ModelSpec, training: TrainSpec, vocabulary: int, device: str) -> float:
    """Return the words per second of training a model in one process, with rows of the largest size."""
    import torch

    from runner.model.build import build
    from runner.train.distributed import DistributedContext
    from runner.train.learn import Learner, deterministic

    context = DistributedContext(device)
    batch, times = _batch(model, training, vocabulary, device), list[float]()
    with deterministic(torch.get_num_threads()), forked_random(context.device):
        built = build(model, vocabulary, 0).to(context.device).train()
        learner = Learner(built, replace(training, processes=1), context)
        for step in range(1 + by_kind(device, **STEPS)):
            begin = time.perf_counter()
            learner.step(batch, 1e-6, step)  # returns the loss, so the device has finished
            times.append(time.perf_counter() - begin)
    return int(batch.lengths.sum()) / float(np.median(times[1:]))


def _batch(model: ModelSpec, training: TrainSpec, vocabulary: int, device: str) -> Batch | MaskedBatch:
    """Return a batch of random ids, with as many rows as fit into a step that is timed."""
    from runner.model.masking import IGNORED, MaskedBatch
    from runner.model.rows import Batch

    block = min(training.block, model.positions - int(model.masked)) if model.positions else training.block
    rows = max(1, min(training.batch, by_kind(device, **TOKENS) // block))
    random = np.random.Generator(np.random.PCG64(0))
    ids, lengths = random.integers(vocabulary, size=(rows, block + 1)), np.full(rows, block)
    if not model.masked:
        return Batch(ids, lengths)
    return MaskedBatch(ids, np.where(random.random(ids.shape) < training.mask_rate, ids, IGNORED), lengths)
