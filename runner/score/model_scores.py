"""Log-probabilities of tokens, and negative log-likelihoods of texts, under a model."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from runner.errors import InputError
from runner.machine import by_kind, widest_dtype
from runner.model.likelihood import SplitModel, evaluating, predicted_counts, text_loss
from runner.model.saved import SavedModel, position_limit
from runner.model.token_rows import RATE, Masking, TokenFile
from runner.score.batches import TOKEN_SETS, ScoringPlan
from runner.score.score_table import unigram_logs

if TYPE_CHECKING:
    from transformers import PreTrainedModel


STATES_PER_PASS = 512  # hidden states per pass through the output layer
MAX_LOGITS = {"cpu": 1 << 18, "gpu": 1 << 28}  # per block, which thus fits into the cache (CPU) or into memory (GPU)


def log_probabilities(
    model: PreTrainedModel,
    plan: ScoringPlan,
    *,
    dtype: str = "float32",
    token_sets: Sequence[NDArray[np.int64]] = (),
    on_progress: Callable[[int, int], None] | None = None,
) -> NDArray[np.float64]:
    """Return ln p of every scored token of `plan`, (total,), by a float32 softmax for any `dtype` of the model.

    The target TOKEN_SETS + i stands for any token of `token_sets[i]`.
    """
    network = SplitModel.of(model)
    result = np.empty(plan.total)
    token_set_ids = tuple(torch.from_numpy(ids).to(network.device) for ids in token_sets)
    device = model.device.type
    with evaluating(model), torch.autocast(device, torch.bfloat16, enabled=dtype == "bfloat16"):
        for index, hidden in enumerate(states(network, plan, on_progress)):
            begin, end = np.searchsorted(plan.states, [index * STATES_PER_PASS, (index + 1) * STATES_PER_PASS])
            queries = (plan.states[begin:end] - index * STATES_PER_PASS, plan.targets[begin:end])
            result[plan.result_indices[begin:end]] = _target_logprobs(network, hidden, *queries, token_set_ids)
    return result


def states(
    network: SplitModel, plan: ScoringPlan, on_progress: Callable[[int, int], None] | None = None
) -> Iterator[Tensor]:
    """Yield all hidden states that predict a token, in order, in blocks (N, H) of at most STATES_PER_PASS states."""
    done, rows = 0, plan.rows
    pending: list[Tensor] = []
    for batch in plan.batches:
        ids, positions = (torch.from_numpy(array).to(network.device) for array in (batch.ids, batch.positions))
        *full, remainder = torch.split(
            torch.cat([*pending, network.states(ids).flatten(0, 1)[positions]]), STATES_PER_PASS
        )
        yield from full
        pending = [remainder]
        done += len(batch.ids)
        if on_progress is not None:
            on_progress(done, rows)
    yield from pending


def _target_logprobs(
    network: SplitModel,
    states: Tensor,
    state_indices: NDArray[np.int64],
    targets: NDArray[np.int64],
    token_set_ids: Sequence[Tensor],
) -> NDArray[np.float64]:
    """Return ln p of `targets`, (M,). Row `state_indices[i]` of `states` (N, H) predicts target i."""
    indices, target_ids = (torch.from_numpy(array).to(network.device) for array in (state_indices, targets))
    sum_dtype = widest_dtype(states.device)
    logits_of_targets = torch.empty(len(targets), dtype=sum_dtype, device=states.device)
    log_sums: list[Tensor] = []
    set_sums: list[list[Tensor]] = [[] for _ in token_set_ids]
    for begin, logits in blocks(network, states):
        end = begin + logits.shape[1]
        targets_in_block = ((target_ids >= begin) & (target_ids < end)).nonzero().squeeze(1)
        logits_of_targets[targets_in_block] = logits[
            indices[targets_in_block], target_ids[targets_in_block] - begin
        ].to(sum_dtype)
        log_sums.append(_log_sum(logits))
        for sums_of_set, ids in zip(set_sums, token_set_ids, strict=True):
            ids_in_block = ids[(ids >= begin) & (ids < end)] - begin
            if len(ids_in_block):
                sums_of_set.append(_log_sum(logits[:, ids_in_block]))
    for index, sums_of_set in enumerate(set_sums):
        queried_targets = (target_ids == TOKEN_SETS + index).nonzero().squeeze(1)
        if len(queried_targets):  # a set that is not queried may be empty
            logits_of_targets[queried_targets] = _combined_log_sum(sums_of_set)[indices[queried_targets]]
    return np.asarray((logits_of_targets - _combined_log_sum(log_sums)[indices]).clamp(max=0).cpu().double().numpy())


def _combined_log_sum(sums: Sequence[Tensor]) -> Tensor:
    return torch.logsumexp(torch.stack(list(sums), 1).to(widest_dtype(sums[0].device)), 1)


def blocks(network: SplitModel, states: Tensor) -> Iterator[tuple[int, Tensor]]:
    """Yield the start of each block of the vocabulary, and its float32 logits (N, block)."""
    vocabulary = states.shape[1] if network.weight is None else len(network.weight)
    width = max(1, by_kind(states.device, **MAX_LOGITS) // len(states))
    for begin in range(0, vocabulary, width):
        yield begin, network.logits(states, slice(begin, begin + width)).float()


def _log_sum(logits: Tensor) -> Tensor:
    """Return ln Σ exp, (N,), of each row (N, V): on a CPU, log-softmax is twice as fast as torch.logsumexp."""
    return logits.amax(1) - torch.log_softmax(logits, 1).amax(1).nan_to_num()


DEFAULT_BLOCK = 512  # block size of models without training metadata


def perplexity(saved: SavedModel, tokens: TokenFile) -> tuple[float, int]:
    """Return (−Σ ln p, N) over a text, in nats. The perplexity is exp(−Σ ln p / N).

    N counts every token once, including `<unk>` and the separator after each sentence; for a masked model, the masked
    tokens. Text is read in rows as in training, or a sentence at a time without training metadata.
    """
    if tokens.vocabulary > saved.model.config.vocab_size:
        found, expected = tokens.vocabulary, saved.model.config.vocab_size
        raise InputError.of("FICT806", what="token file", found=found, expected=expected)
    return text_loss(saved.model, tokens, **_text_layout(saved))


def frequency_loss(saved: SavedModel, tokens: TokenFile, training: TokenFile) -> float:
    """Return −Σ ln p of the tokens that `perplexity` counts, by their frequencies in a training text, plus one."""
    layout = _text_layout(saved)
    counts = training.counts(closed=layout["frame"] == "eos")
    if layout["masking"] is not None:
        counts[list(layout["masking"].special)] = 0
    predicted = predicted_counts(tokens, **layout)
    occurring = np.flatnonzero(predicted)
    return -math.fsum(predicted[occurring] * unigram_logs(counts)[occurring])


def _text_layout(saved: SavedModel) -> dict[str, Any]:
    masking = None
    if saved.masked:
        rate = saved.about.get("training", {}).get("mask_rate", RATE)
        masking = Masking.of(saved.tokenizer, saved.folder.name, rate)
    block = saved.about.get("block", min(DEFAULT_BLOCK, position_limit(saved) or DEFAULT_BLOCK))
    return {
        "rows": saved.about.get("rows", "sentence"),
        "block": block,
        "masking": masking,
        "frame": saved.about.get("frame", "eos"),
    }
