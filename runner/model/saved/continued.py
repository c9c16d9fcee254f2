"""Load a saved model for further training, in float32 and with embeddings for added tokens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.saved.saved import load_model

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


def load_for_training(folder: Path, tokenizer: PreTrainedTokenizerBase, seed: int) -> PreTrainedModel:
    """Load the model in `folder`, with random embeddings for the tokens that `tokenizer` adds.

    New embeddings have the distribution that the model was initialised with, also in spare rows of its table. Torch's
    random state does not change. Raises InputError if the folder is not a model (FICT801) or the model has another
    tokenizer (FICT820).
    """
    import torch

    saved = load_model(folder)
    known, vocabulary = saved.tokenizer.get_vocab(), tokenizer.get_vocab()
    for token, number in sorted(known.items(), key=lambda entry: entry[1]):
        if vocabulary.get(token) != number:
            raise InputError(diagnostic("FICT820", path=folder, token=token))
    model: PreTrainedModel = saved.model
    for parameter in model.parameters():  # those of a pytorch_model.bin may be transposed, which cannot be saved
        parameter.data = parameter.data.contiguous()
    rows = model.get_input_embeddings().weight.shape[0]
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.manual_seed(seed)
        if len(tokenizer) > rows:
            try:
                model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
            except NotImplementedError as error:
                reason = "its vocabulary cannot be extended"
                raise InputError(diagnostic("FICT801", path=folder, reason=reason)) from error
        spare = sorted(number for token, number in vocabulary.items() if token not in known and number < rows)
        _initialise(model, spare)
    return model


def _initialise(model: PreTrainedModel, rows: list[int]) -> None:
    """Initialise embeddings in rows that belong to no token of the saved model."""
    from torch.nn import Embedding

    if not rows:
        return
    inner, outer = model.get_input_embeddings(), model.get_output_embeddings()
    tied = outer is None or outer.weight is inner.weight
    for table in [inner] if tied else [inner, outer]:
        embedding = Embedding(len(rows), table.weight.shape[1])
        model._init_weights(embedding)
        table.weight[rows] = embedding.weight
    if getattr(outer, "bias", None) is not None:
        outer.bias[rows] = 0.0
