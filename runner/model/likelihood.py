"""A language model and rows of ids to log-probabilities, always summed in float32 or better."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from runner.model.masking import MEASURED, NOTHING, MaskedBatch, Masking
from runner.model.output_loss import output_loss
from runner.model.recipe import Rows
from runner.model.rows import Batch, RowTable
from runner.model.saved_config import fills_masks
from runner.model.tokens import TokenFile

if TYPE_CHECKING:
    from transformers import PreTrainedModel

PLACES = 2048  # tokens in one batch when nothing is learned
WHOLE = slice(None)
# where the last hidden states are, for models whose head is nothing but a linear layer on them
_BODIES = {"gpt2": "transformer", "opt": "model", "gpt_neox": "gpt_neox", "llama": "model"}
# the same for masked models: where the last hidden states are, and what they pass through before the linear layer
_FILLERS: dict[str, tuple[str, Callable[[Any, Tensor], Tensor]]] = {
    "bert": ("bert", lambda model, states: model.cls.predictions.transform(states)),
    "roberta": ("roberta", lambda model, states: model.lm_head.layer_norm(F.gelu(model.lm_head.dense(states)))),
}


@dataclass(frozen=True)
class Network:
    """A language model in two halves, so that the wide output layer runs only where a word is predicted.

    `states`: ids (B, T) to (B, T, H); `weight` (V, H) and `bias` (V,) turn them into logits. Where a model cannot
    be cut in two, the states are its logits already, and `weight` is None. Of a masked model, `states` also takes
    which of the ids are there, (B, T), where rows differ in length.
    """

    states: Callable[..., Tensor]
    weight: Tensor | None = None
    bias: Tensor | None = None
    device: str = "cpu"

    @classmethod
    def of(cls, model: PreTrainedModel) -> Network:
        """Cut a model in two where that is known to be exact."""
        return replace(cls._cut(model), device=str(model.device))

    @classmethod
    def _cut(cls, model: PreTrainedModel) -> Network:
        kind = model.config.model_type
        if is_masked(model):
            return cls._filling(model, kind)
        if kind == "fict-lstm":
            return cls(model.states, model.embedding.weight, model.output_bias)
        if kind in _BODIES:
            body, head = getattr(model, _BODIES[kind]), model.get_output_embeddings()
            return cls(lambda ids: body(input_ids=ids, use_cache=False).last_hidden_state, head.weight, head.bias)
        return cls(lambda ids: model(input_ids=ids, use_cache=False).logits)

    @classmethod
    def _filling(cls, model: PreTrainedModel, kind: str) -> Network:
        if kind not in _FILLERS:
            return cls(lambda ids, there=None: model(input_ids=ids, attention_mask=there).logits)
        name, before = _FILLERS[kind]
        body, head = getattr(model, name), model.get_output_embeddings()

        def states(ids: Tensor, there: Tensor | None = None) -> Tensor:
            return before(model, body(input_ids=ids, attention_mask=there).last_hidden_state)

        return cls(states, head.weight, head.bias)

    def logits(self, states: Tensor, some: slice = WHOLE) -> Tensor:
        """States (…, H) to unnormalised scores (…, V), or to those of some of the vocabulary."""
        if self.weight is None:
            return states[..., some]
        return F.linear(states, self.weight[some], None if self.bias is None else self.bias[some])

    def loss(self, batch: Batch | MaskedBatch) -> Tensor:
        """The summed negative log-likelihood of all predicted tokens, in nats; a scalar in float32."""
        picked, wanted = self._filled(batch) if isinstance(batch, MaskedBatch) else self._next(batch)
        if self.weight is None:
            return F.cross_entropy(picked.float(), wanted, reduction="sum")
        return output_loss(picked, self.weight, self.bias, wanted)

    def _next(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The states from which the next token is predicted, and that token."""
        ids = self._tensor(batch.ids)
        states, targets = self.states(ids[:, :-1]), ids[:, 1:]
        if batch.predicted == targets.numel():
            return states.flatten(0, 1), targets.flatten()
        inside = self._tensor(np.arange(targets.shape[1]) < batch.lengths[:, None])  # padding costs no output layer
        return states[inside], targets[inside]

    def _filled(self, batch: MaskedBatch) -> tuple[Tensor, Tensor]:
        """The states at the places that are to be filled in, and what with."""
        ids, targets = self._tensor(batch.ids), self._tensor(batch.targets)
        there = np.arange(ids.shape[1]) <= batch.lengths[:, None]
        states = self.states(ids, None if there.all() else self._tensor(there.astype(np.int64)))
        chosen = targets != NOTHING
        return states[chosen], targets[chosen]

    def _tensor(self, array: NDArray[Any]) -> Tensor:
        return torch.from_numpy(array).to(self.device)


def text_loss(
    model: PreTrainedModel, tokens: TokenFile, rows: Rows, block: int, masking: Masking | None = None
) -> tuple[float, int]:
    """Summed negative log-likelihood (nats) of a text in rows as in training, and how many tokens were predicted.

    Every word and every closing separator is predicted once; of a masked model, which needs `masking`, the words that
    are masked, the same ones for all models that read the text in the same rows. Weights are used in float32.
    """
    network = Network.of(model)
    batches: Iterator[Batch | MaskedBatch] = RowTable.of(tokens, rows, block).in_order(PLACES)
    if masking is not None:
        batches = _masked(tokens, rows, block, masking)
    losses, count = [], 0
    with measuring(model):
        for batch in batches:
            losses.append(network.loss(batch).double())
            count += batch.predicted
    return float(torch.stack(losses).sum()) if losses else 0.0, count


def predicted_counts(tokens: TokenFile, rows: Rows, block: int, masking: Masking | None = None) -> NDArray[np.int64]:
    """How often each id is among the tokens whose loss `text_loss` sums, (vocabulary,)."""
    if masking is None:
        return tokens.counts()
    targets = (batch.targets for batch in _masked(tokens, rows, block, masking))
    counts = (np.bincount(places[places != NOTHING], minlength=tokens.vocabulary) for places in targets)
    return sum(counts, np.zeros(tokens.vocabulary, np.int64))


def _masked(tokens: TokenFile, rows: Rows, block: int, masking: Masking) -> Iterator[MaskedBatch]:
    plain = RowTable.of(tokens, rows, block).in_order(PLACES)
    return (masking.masked(batch, MEASURED, number) for number, batch in enumerate(plain))


def is_masked(model: PreTrainedModel) -> bool:
    """Whether a model of transformers fills masks, rather than predicting what comes next."""
    return fills_masks(model.config.to_dict())


def sees_ahead(model: PreTrainedModel, words: tuple[int, int]) -> bool:
    """Whether what a causal model predicts at a place depends on what comes after it; `words` are two ids."""
    one, other = words
    network = Network.of(model)
    with measuring(model):
        rows = torch.tensor([[one, one, one], [one, one, other]], device=network.device)
        alike, changed = network.logits(network.states(rows))[:, :-1]
    return float((alike - changed).abs().max()) > 1e-4 * float(alike.abs().max())


@contextmanager
def measuring(model: PreTrainedModel) -> Iterator[None]:
    """No dropout and no gradients inside; the model's mode is put back after."""
    before: Any = model.training
    model.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        model.train(before)
