"""Load a saved model for further training, in float32 and with embeddings for added tokens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.saved.saved import load_model
from runner.model.tokenizer import id_count

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


def load_for_training(folder: Path, tokenizer: PreTrainedTokenizerBase, seed: int) -> PreTrainedModel:
    """Load the model in `folder`, with random embeddings for the tokens that `tokenizer` adds.

    New embeddings are drawn from the initial distribution of the model, even if they use spare rows of its embedding
    matrix. The random state of torch on the CPU does not change. Raises InputError as `load_model` does, and if
    the vocabulary cannot be extended (FICT801) or the model has another tokenizer (FICT820).
    """
    import torch

    saved = load_model(folder)
    saved_vocabulary, vocabulary = saved.tokenizer.get_vocab(), tokenizer.get_vocab()
    for token, token_id in sorted(saved_vocabulary.items(), key=lambda entry: entry[1]):
        if vocabulary.get(token) != token_id:
            raise InputError(diagnostic("FICT820", path=folder, token=token))
    model: PreTrainedModel = saved.model
    # a pytorch_model.bin may contain transposed parameters, which safetensors cannot save
    for parameter in model.parameters():
        parameter.data = parameter.data.contiguous()
    row_count = model.get_input_embeddings().weight.shape[0]
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.manual_seed(seed)
        if id_count(tokenizer) > row_count:
            try:
                model.resize_token_embeddings(id_count(tokenizer), mean_resizing=False)
            except NotImplementedError as error:
                reason = "its vocabulary cannot be extended"
                raise InputError(diagnostic("FICT801", path=folder, reason=reason)) from error
        spare_rows = sorted(
            token_id for token, token_id in vocabulary.items() if token not in saved_vocabulary and token_id < row_count
        )
        _initialise(model, spare_rows)
    return model


def _initialise(model: PreTrainedModel, rows: list[int]) -> None:
    """Initialise the embeddings and output biases of rows that belong to no token of the saved model."""
    from torch.nn import Embedding

    if not rows:
        return
    inputs, outputs = model.get_input_embeddings(), model.get_output_embeddings()
    is_tied = outputs is None or outputs.weight is inputs.weight
    for layer in [inputs] if is_tied else [inputs, outputs]:
        embedding = Embedding(len(rows), layer.weight.shape[1])
        model._init_weights(embedding)
        layer.weight[rows] = embedding.weight
    if getattr(outputs, "bias", None) is not None:
        outputs.bias[rows] = 0.0
