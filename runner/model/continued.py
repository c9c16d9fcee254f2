"""A saved model to one that can be trained on: in float32, with an embedding for every token of its tokenizer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.saved import load_model

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


def continued(folder: Path, tokenizer: PreTrainedTokenizerBase, seed: int) -> PreTrainedModel:
    """The model in `folder`, with embeddings for the tokens that `tokenizer` has beyond its own, drawn by `seed`.

    They are drawn as the model's own were before training, also where it has rows for more tokens than its tokenizer
    has; all others stay as they are. Torch's own random state is left as it was. InputError: no model (FICT801), or one
    of another tokenizer (FICT820).
    """
    import torch

    saved = load_model(folder)
    known, given = saved.tokenizer.get_vocab(), tokenizer.get_vocab()
    for token, number in sorted(known.items(), key=lambda entry: entry[1]):
        if given.get(token) != number:
            raise InputError(diagnostic("FICT820", path=folder, token=token))
    model: PreTrainedModel = saved.model
    for parameter in model.parameters():  # in a pytorch_model.bin they may lie transposed, and could not be saved
        parameter.data = parameter.data.contiguous()
    rows = model.get_input_embeddings().weight.shape[0]
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.manual_seed(seed)
        if len(tokenizer) > rows:
            try:
                model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
            except NotImplementedError as error:
                reason = "it cannot be given more tokens"
                raise InputError(diagnostic("FICT801", path=folder, reason=reason)) from error
        _draw(model, sorted(number for token, number in given.items() if token not in known and number < rows))
    return model


def _draw(model: PreTrainedModel, rows: list[int]) -> None:
    """Draw embeddings for rows that a model has but never read: what stands there is of no token."""
    from torch.nn import Embedding

    if not rows:
        return
    inner, outer = model.get_input_embeddings(), model.get_output_embeddings()
    tied = outer is None or outer.weight is inner.weight
    for table in [inner] if tied else [inner, outer]:
        drawn = Embedding(len(rows), table.weight.shape[1])
        model._init_weights(drawn)
        table.weight[rows] = drawn.weight
    if getattr(outer, "bias", None) is not None:
        outer.bias[rows] = 0.0
