"""Id sequences and a causal model to the log-probability of every token that counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from runner.model.likelihood import Network, measuring

if TYPE_CHECKING:
    from transformers import PreTrainedModel

Ids: TypeAlias = tuple[int, ...]
Ints: TypeAlias = NDArray[np.int64]
PLACES = 2048  # tokens read at once
LOGITS = 1 << 20  # logits held at once


def log_probabilities(
    model: PreTrainedModel,
    sequences: Sequence[tuple[Ids, int]],
    *,
    dtype: str = "float32",
    places: int = PLACES,
    on_progress: Callable[[int, int], None] | None = None,
) -> list[NDArray[np.float64]]:
    """ln p(token | all before it) for the tokens of each (ids, start) from place `start` ≥ 1 on.

    Sequences of one length go together, so that nothing is padded; prefixes that sequences share pass through the
    output layer once. The softmax is float32, whatever `dtype` the model computes in. Memory is bounded by
    `places`, which changes no result beyond float32 rounding. `on_progress` gets (done, all) sequences.
    """
    network = Network.of(model)
    results: dict[tuple[Ids, int], NDArray[np.float64]] = {}
    unique = sorted(set(sequences), key=lambda item: (len(item[0]), item[0], item[1]))
    bfloat16 = torch.autocast("cpu", torch.bfloat16, enabled=dtype == "bfloat16")
    with measuring(model), bfloat16:
        for batch in _batches(unique, places):
            starts = np.array([start for _, start in batch])
            scores = _batch_scores(network, np.array([ids for ids, _ in batch], np.int64), starts)
            results.update(zip(batch, scores, strict=True))
            if on_progress is not None:
                on_progress(len(results), len(unique))
    return [results[item] for item in sequences]


def _batches(ordered: Sequence[tuple[Ids, int]], places: int) -> Iterator[Sequence[tuple[Ids, int]]]:
    """Neighbours of equal length, at most `places` tokens together (one sequence at least)."""
    begin = 0
    for end in range(1, len(ordered) + 1):
        length = len(ordered[begin][0])
        full = (end - begin + 1) * length > places
        if end == len(ordered) or len(ordered[end][0]) != length or full:
            yield ordered[begin:end]
            begin = end


def _batch_scores(network: Network, ids: Ints, starts: Ints) -> list[NDArray[np.float64]]:
    """Sorted rows (B, L) of ids to the log-probabilities of their tokens from each row's start on."""
    rows, length = ids.shape
    scored = np.arange(1, length) >= starts[:, None]  # (B, L − 1): is the token at place t + 1 scored?
    if not scored.any():
        return [np.empty(0) for _ in range(rows)]
    owner = _owners(ids)[:, :-1]
    places = np.arange(length - 1)
    wanted, where = np.unique((owner * (length - 1) + places)[scored], return_inverse=True)
    states = network.states(torch.from_numpy(ids[:, :-1])).flatten(0, 1)[torch.from_numpy(wanted)]
    found = _gather(network, states, where, ids[:, 1:][scored])
    return np.split(found, np.cumsum(scored.sum(1))[:-1])


def _owners(ids: Ints) -> Ints:
    """For each row and place the first row with the same ids up to and including that place; rows are sorted."""
    new = np.ones(ids.shape, dtype=bool)
    new[1:] = np.logical_or.accumulate(ids[1:] != ids[:-1], axis=1)
    owners: Ints = np.maximum.accumulate(np.where(new, np.arange(len(ids))[:, None], 0), axis=0)
    return owners


def _gather(network: Network, states: torch.Tensor, where: Ints, targets: Ints) -> NDArray[np.float64]:
    """ln p of each target under the state `where` it belongs to; (N, H), (M,), (M,) to (M,)."""
    result = np.empty(len(targets))
    by_state = np.argsort(where, kind="stable")
    vocabulary = states.shape[-1] if network.weight is None else len(network.weight)
    step = max(1, LOGITS // vocabulary)
    edges = np.searchsorted(where[by_state], np.arange(0, len(states) + step, step))
    for number, part in enumerate(torch.split(states, step)):
        members = by_state[edges[number] : edges[number + 1]]
        scores = torch.log_softmax(network.logits(part).float(), -1)
        rows: Any = torch.from_numpy(where[members] - number * step)
        result[members] = scores[rows, torch.from_numpy(targets[members])].double().numpy()
    return result
