"""Batches and a model to the log-probability of every token that counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from runner.model.likelihood import Network, measuring
from runner.score.scoring.batches import Work
from runner.score.scoring.word_edges import SETS

if TYPE_CHECKING:
    from transformers import PreTrainedModel

ROWS = 512  # states that pass through the output layer together
LOGITS = {"cpu": 1 << 18, "cuda": 1 << 28}  # logits held at once: what fits into a cache, or into memory


def log_probabilities(
    model: PreTrainedModel,
    work: Work,
    *,
    dtype: str = "float32",
    sets: Sequence[NDArray[np.int64]] = (),
    on_progress: Callable[[int, int], None] | None = None,
) -> NDArray[np.float64]:
    """ln p of every scored token of `work`, (total,), each given what the batches show of its sentence.

    A target of SETS + i asks for any of the tokens in `sets[i]`. The softmax is float32, whatever `dtype` the model
    computes in. `on_progress` gets (done, all) rows.
    """
    network = Network.of(model)
    result = np.empty(work.total)
    classes = tuple(torch.from_numpy(ids).to(network.device) for ids in sets)
    kind = model.device.type
    with measuring(model), torch.autocast(kind, torch.bfloat16, enabled=dtype == "bfloat16"):
        for number, some in enumerate(states(network, work, on_progress)):
            begin, end = np.searchsorted(work.where, [number * ROWS, (number + 1) * ROWS])
            asked = (work.where[begin:end] - number * ROWS, work.targets[begin:end])
            result[work.slots[begin:end]] = _scores(network, some, *asked, classes)
    return result


def states(network: Network, work: Work, on_progress: Callable[[int, int], None] | None = None) -> Iterator[Tensor]:
    """All states from which something is predicted, in order, as (ROWS, H), at last (up to ROWS, H)."""
    done, rows = 0, work.rows
    waiting: list[Tensor] = []
    for batch in work.batches:
        ids, wanted = (torch.from_numpy(array).to(network.device) for array in (batch.ids, batch.wanted))
        *full, rest = torch.split(torch.cat([*waiting, network.states(ids).flatten(0, 1)[wanted]]), ROWS)
        yield from full
        waiting = [rest]
        done += len(batch.ids)
        if on_progress is not None:
            on_progress(done, rows)
    yield from waiting


def _scores(
    network: Network,
    states: Tensor,
    where: NDArray[np.int64],
    targets: NDArray[np.int64],
    classes: Sequence[Tensor],
) -> NDArray[np.float64]:
    """ln p of `targets` (M,): that at i comes after the state `where[i]` of (N, H).

    A block of logits stays in the cache from the product to the sum of its exponentials; those of all blocks are
    summed at last.
    """
    after, wanted = (torch.from_numpy(array).to(network.device) for array in (where, targets))
    found = torch.empty(len(targets), dtype=torch.float64, device=states.device)
    sums: list[Tensor] = []
    parts: list[list[Tensor]] = [[] for _ in classes]
    for begin, logits in blocks(network, states):
        end = begin + logits.shape[1]
        inside = ((wanted >= begin) & (wanted < end)).nonzero().squeeze(1)
        found[inside] = logits[after[inside], wanted[inside] - begin].double()
        sums.append(_log_sum(logits))
        for part, ids in zip(parts, classes, strict=True):
            some = ids[(ids >= begin) & (ids < end)] - begin
            if len(some):
                part.append(_log_sum(logits[:, some]))
    for number, part in enumerate(parts):
        asked = (wanted == SETS + number).nonzero().squeeze(1)
        if len(asked):  # a set of which nothing is asked may be empty
            found[asked] = _together(part)[after[asked]]
    return np.asarray((found - _together(sums)[after]).clamp(max=0).cpu().numpy())


def _together(sums: Sequence[Tensor]) -> Tensor:
    return torch.logsumexp(torch.stack(list(sums), 1).double(), 1)


def blocks(network: Network, states: Tensor) -> Iterator[tuple[int, Tensor]]:
    """Logits in float32, (N, some of the vocabulary), and where in the vocabulary they begin."""
    vocabulary = states.shape[1] if network.weight is None else len(network.weight)
    width = max(1, LOGITS[states.device.type] // len(states))
    for begin in range(0, vocabulary, width):
        yield begin, network.logits(states, slice(begin, begin + width)).float()


def _log_sum(logits: Tensor) -> Tensor:
    """ln Σ exp over the columns of (N, V), (N,).

    The largest logit less its log-softmax: the kernel of the softmax is twice as fast as torch.logsumexp on a CPU.
    Where all are −∞ the softmax is not a number, and the sum is −∞.
    """
    return logits.amax(1) - torch.log_softmax(logits, 1).amax(1).nan_to_num()
