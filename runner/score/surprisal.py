"""Batches and a model to the log-probability of every token that counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray

from runner.model.likelihood import Network, measuring
from runner.score.batches import Batch, Work

if TYPE_CHECKING:
    from transformers import PreTrainedModel

LOGITS = 1 << 22  # logits held at once: enough rows for the output layer to run at full speed


def log_probabilities(
    model: PreTrainedModel,
    work: Work,
    *,
    dtype: str = "float32",
    on_progress: Callable[[int, int], None] | None = None,
) -> NDArray[np.float64]:
    """ln p of every scored token of `work`, (total,), each given what the batches show of its sentence.

    The softmax is float32, whatever `dtype` the model computes in. `on_progress` gets (done, all) rows.
    """
    network = Network.of(model)
    result = np.empty(work.total)
    kind = model.device.type
    done, rows = 0, work.rows
    with measuring(model), torch.autocast(kind, torch.bfloat16, enabled=dtype == "bfloat16"):
        for batch in work.batches:
            result[batch.slots] = _scores(network, batch, model.device)
            done += len(batch.ids)
            if on_progress is not None:
                on_progress(done, rows)
    return result


def _scores(network: Network, batch: Batch, device: torch.device) -> NDArray[np.float64]:
    """The log-probabilities of a batch's targets, (M,)."""
    wanted = torch.from_numpy(batch.wanted).to(device)
    states = network.states(torch.from_numpy(batch.ids).to(device)).flatten(0, 1)[wanted]
    vocabulary = states.shape[-1] if network.weight is None else len(network.weight)
    step = max(1, LOGITS // vocabulary)
    edges = np.searchsorted(batch.where, np.arange(0, len(states) + step, step))
    found = []
    for number, part in enumerate(torch.split(states, step)):
        members = slice(edges[number], edges[number + 1])
        scores = torch.log_softmax(network.logits(part).float(), -1)
        rows = torch.from_numpy(batch.where[members] - number * step).to(device)
        found.append(scores[rows, torch.from_numpy(batch.targets[members]).to(device)])
    return np.asarray(torch.cat(found).double().cpu().numpy())
