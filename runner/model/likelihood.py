"""Summed negative log-likelihoods of a language model, for rows of token ids.

With a large vocabulary the logits are by far the largest tensor of a step. They are stored once, in the precision of
the states, and overwritten by their gradient; only one block of rows at a time is converted to float32.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from runner.machine import by_kind, widest_dtype
from runner.model.recipe import Frame, Rows, is_masked_config
from runner.model.token_rows import EVALUATION_SEED, IGNORED, Batch, MaskedBatch, Masking, RowTable, TokenFile

if TYPE_CHECKING:
    from transformers import PreTrainedModel


TRAINING_LOGITS = {"cpu": 1 << 18, "gpu": 1 << 28}  # per block: as many as fit into a CPU's cache or a GPU's memory
INFERENCE_LOGITS = {"cpu": 1 << 23, "gpu": 1 << 28}  # per block, without gradients


def output_loss(states: Tensor, weight: Tensor, bias: Tensor | None, targets: Tensor) -> Tensor:
    """Return the summed negative log-likelihood of `targets` (N,) under the logits states · weightᵀ + bias.

    `states` are (N, H), `weight` is (V, H). The softmax and the result are float32. There are no second derivatives.
    """
    device = states.device.type
    if torch.is_autocast_enabled(device):
        states = states.to(torch.get_autocast_dtype(device))
    with torch.autocast(device, enabled=False):
        if torch.is_grad_enabled():
            loss: Tensor = _OutputLoss.apply(states, weight, bias, targets)  # type: ignore[no-untyped-call]
            return loss
        cast_weight, cast_bias = weight.to(states.dtype), None if bias is None else bias.to(states.dtype)
        block_rows = _block_rows(weight, INFERENCE_LOGITS)
        blocks = zip(torch.split(states, block_rows), torch.split(targets, block_rows), strict=True)
        block_losses = [
            F.cross_entropy(F.linear(block_states, cast_weight, cast_bias).float(), block_targets, reduction="sum")
            for block_states, block_targets in blocks
        ]
        return torch.stack(block_losses).to(widest_dtype(device)).sum().float()


def _block_rows(weight: Tensor, logit_counts: Mapping[str, int]) -> int:
    return max(1, by_kind(weight.device, **logit_counts) // len(weight))


class _OutputLoss(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, states: Tensor, weight: Tensor, bias: Tensor | None, targets: Tensor) -> Tensor:
        cast_weight, cast_bias = weight.to(states.dtype), None if bias is None else bias.to(states.dtype)
        block_rows = _block_rows(weight, TRAINING_LOGITS)
        logits = F.linear(states, cast_weight, cast_bias)  # overwritten by the gradient softmax − one_hot(target)
        bias_gradient = None if bias is None else torch.zeros_like(bias)
        total = torch.zeros((), dtype=widest_dtype(states.device), device=states.device)
        for start in range(0, len(states), block_rows):
            block = slice(start, start + block_rows)
            block_targets, float_logits = targets[block, None], logits[block].float()
            probabilities = torch.softmax(float_logits, 1)
            # −log p(target) = logsumexp(logits) − logit(target); logsumexp(logits) = max(logits) − log(max(softmax))
            total += (
                float_logits.amax(1) - probabilities.amax(1).log() - float_logits.gather(1, block_targets)[:, 0]
            ).sum()
            minus_ones = torch.full_like(block_targets, -1, dtype=torch.float32)
            gradient = probabilities.scatter_add_(1, block_targets, minus_ones)  # in place
            if bias_gradient is not None:
                bias_gradient += gradient.sum(0)
            logits[block] = gradient
        ctx.save_for_backward(logits @ cast_weight, logits.t() @ states, bias_gradient)
        return total.float()

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        grad_states, grad_weight, grad_bias = ctx.saved_tensors
        scale = grad_outputs[0]
        grad_bias = None if grad_bias is None else grad_bias * scale
        return grad_states * scale, grad_weight.float().mul_(scale), grad_bias, None


BATCH_TOKENS = {"cpu": 2048, "gpu": 16_384}  # maximum per batch outside training, including padding
ALL = slice(None)
TOLERANCE = 1e-4  # of logits that should be equal, relative to the largest one
# the attribute that computes the last hidden states, for model types whose head is only a linear layer
_BODIES = {"gpt2": "transformer", "opt": "model", "gpt_neox": "gpt_neox", "llama": "model"}
# the same for masked model types, and the function that transforms the states before the linear layer
_MASKED_BODIES: dict[str, tuple[str, Callable[[Any, Tensor], Tensor]]] = {
    "bert": ("bert", lambda model, states: model.cls.predictions.transform(states)),
    "roberta": ("roberta", lambda model, states: model.lm_head.layer_norm(F.gelu(model.lm_head.dense(states)))),
}


@dataclass(frozen=True)
class SplitModel:
    """A language model split before its output layer. The layer then runs only at predicted positions.

    `states` maps ids (B, T) to (B, T, H); `weight` (V, H) and `bias` (V,) map states to logits. If a model cannot be
    split, the states are its logits and `weight` is None.
    """

    states: Callable[..., Tensor]
    weight: Tensor | None = None
    bias: Tensor | None = None
    device: str = "cpu"

    @classmethod
    def of(cls, model: PreTrainedModel) -> SplitModel:
        """Split a model. If its type is not known to give the same logits when split, keep it whole."""
        model_type, device = model.config.model_type, str(model.device)
        if is_masked(model):
            if model_type not in _MASKED_BODIES:
                return cls(lambda ids, mask=None: model(input_ids=ids, attention_mask=mask).logits, device=device)
            name, transform = _MASKED_BODIES[model_type]
            masked_body, head = getattr(model, name), model.get_output_embeddings()

            def states(ids: Tensor, attention: Tensor | None = None) -> Tensor:
                return transform(model, masked_body(input_ids=ids, attention_mask=attention).last_hidden_state)

            return cls(states, head.weight, head.bias, device)
        if model_type == "fict-lstm":
            return cls(model.states, model.embedding.weight, model.output_bias, device)
        if model_type in _BODIES:
            body, head = getattr(model, _BODIES[model_type]), model.get_output_embeddings()
            return cls(
                lambda ids: body(input_ids=ids, use_cache=False).last_hidden_state, head.weight, head.bias, device
            )
        return cls(lambda ids: model(input_ids=ids, use_cache=False).logits, device=device)

    def logits(self, states: Tensor, vocabulary: slice = ALL) -> Tensor:
        """Return the logits (…, V) of states (…, H), for all or part of the vocabulary."""
        if self.weight is None:
            return states[..., vocabulary]
        return F.linear(states, self.weight[vocabulary], None if self.bias is None else self.bias[vocabulary])

    def loss(self, batch: Batch | MaskedBatch) -> Tensor:
        """Return the summed negative log-likelihood of all predicted tokens, in nats, as a float32 scalar."""
        states, targets = self._masked_targets(batch) if isinstance(batch, MaskedBatch) else self._next_tokens(batch)
        if self.weight is None:
            return F.cross_entropy(states.float(), targets, reduction="sum")
        return output_loss(states, self.weight, self.bias, targets)

    def _next_tokens(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return the states (N, H) of all tokens but the last of each row, and the token that follows each, (N,)."""
        ids = self._tensor(batch.ids)
        states, targets = self.states(ids[:, :-1]), ids[:, 1:]
        if batch.predicted_tokens == targets.numel():
            return states.flatten(0, 1), targets.flatten()
        is_token = self._tensor(np.arange(targets.shape[1]) < batch.lengths[:, None])  # not padding
        return states[is_token], targets[is_token]

    def _masked_targets(self, batch: MaskedBatch) -> tuple[Tensor, Tensor]:
        ids, targets = self._tensor(batch.ids), self._tensor(batch.targets)
        attention = np.arange(ids.shape[1]) <= batch.lengths[:, None]  # lengths + 1 tokens per row
        states = self.states(ids, None if attention.all() else self._tensor(attention.astype(np.int64)))
        predicted = targets != IGNORED
        return states[predicted], targets[predicted]

    def _tensor(self, array: NDArray[Any]) -> Tensor:
        return torch.from_numpy(array).to(self.device)


def text_loss(
    model: PreTrainedModel,
    tokens: TokenFile,
    rows: Rows,
    block: int,
    masking: Masking | None = None,
    frame: Frame = "eos",
) -> tuple[float, int]:
    """Return the summed negative log-likelihood of a text in nats, and the number of predicted tokens.

    Rows are those of training. A masked model, which requires `masking`, predicts the masked tokens, always framed.
    """
    batches: Iterator[Batch | MaskedBatch]
    if masking is None:
        batches = RowTable.of(tokens, rows, block, frame).batches(by_kind(model.device, **BATCH_TOKENS))
    else:  # batches of the same size on every device, so that their masks are the same
        batches = _masked_batches(tokens, rows, block, masking)
    return summed_losses(model, SplitModel.of(model).loss, batches)


def summed_losses(
    model: PreTrainedModel, loss: Callable[[Batch | MaskedBatch], Tensor], batches: Iterable[Batch | MaskedBatch]
) -> tuple[float, int]:
    losses, count = [], 0
    with evaluating(model):
        for batch in batches:
            losses.append(loss(batch))
            count += batch.predicted_tokens
    return float(torch.stack(losses).cpu().double().sum()) if losses else 0.0, count


def predicted_counts(
    tokens: TokenFile, rows: Rows, block: int, masking: Masking | None = None, frame: Frame = "eos"
) -> NDArray[np.int64]:
    """Return the frequency of each id among the tokens that `text_loss` predicts, (V,)."""
    if masking is None:
        targets = RowTable.of(tokens, rows, block, frame).targets()
        return np.bincount(targets, minlength=tokens.vocabulary).astype(np.int64)
    masked = (batch.targets for batch in _masked_batches(tokens, rows, block, masking))
    counts = (np.bincount(ids[ids != IGNORED], minlength=tokens.vocabulary) for ids in masked)
    return sum(counts, np.zeros(tokens.vocabulary, np.int64))


def _masked_batches(tokens: TokenFile, rows: Rows, block: int, masking: Masking) -> Iterator[MaskedBatch]:
    batches = RowTable.of(tokens, rows, block).batches(BATCH_TOKENS["cpu"])
    return (masking.apply(batch, EVALUATION_SEED, index) for index, batch in enumerate(batches))


def is_masked(model: PreTrainedModel) -> bool:
    return is_masked_config(model.config.to_dict())


def depends_on_future(model: PreTrainedModel, test_ids: tuple[int, int]) -> bool:
    """Return whether a model's predictions depend on later tokens, tested with two different token ids."""
    first, second = test_ids
    network = SplitModel.of(model)
    with evaluating(model):
        rows = torch.tensor([[first, first, first], [first, first, second]], device=network.device)
        logits, changed_logits = network.logits(network.states(rows))[:, :-1]
    return _differ(logits, changed_logits)


def depends_on_padding(model: PreTrainedModel, test_ids: tuple[int, int]) -> bool:
    """Return whether a model's predictions depend on tokens that fill up a row, tested with two different token ids."""
    network, (first, second) = SplitModel.of(model), test_ids
    row, padded, attention = (
        torch.tensor([ids], device=network.device) for ids in ([first, second], [first, second, second], [1, 1, 0])
    )
    inputs = (padded, attention) if is_masked(model) else (padded,)
    with evaluating(model):
        logits, changed_logits = network.logits(network.states(row)), network.logits(network.states(*inputs))
    return _differ(logits, changed_logits[:, :-1])


def _differ(logits: Tensor, changed_logits: Tensor) -> bool:
    return float((logits - changed_logits).abs().max()) > TOLERANCE * float(logits.abs().max())


@contextmanager
def evaluating(model: PreTrainedModel) -> Iterator[None]:
    was_training: Any = model.training
    model.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        model.train(was_training)
