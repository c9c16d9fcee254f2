"""Build models with random weights, and count their parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.architectures import auto_class, build_empty, training_config
from runner.model.recipe import ModelSpec
from runner.model.saved_config import PADDING_REASON

if TYPE_CHECKING:
    from transformers import PreTrainedConfig, PreTrainedModel

EAGER_MAX_POSITIONS = 256  # positions up to which eager attention trains faster on a CPU than the fused kernel


def build(spec: ModelSpec, vocab_size: int, seed: int, separator: int | None = 1) -> PreTrainedModel:
    """Build a model with random weights, reproducibly on one machine.

    `separator` is the id of the token that closes a sentence, if any. The CPU random state of torch does not change.
    """
    import torch

    configuration = config(spec, vocab_size, separator)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = auto_class(masked=spec.masked).from_config(configuration, dtype=torch.float32)
    if spec.config is None and spec.architecture != "lstm" and spec.positions <= EAGER_MAX_POSITIONS:
        model.set_attn_implementation("eager")
    return model


def count_parameters(spec: ModelSpec, vocab_size: int) -> int:
    """Return the number of trainable parameters without allocating them. Tied parameters count once."""
    model = build_empty(config(spec, vocab_size), masked=spec.masked)
    return sum(parameter.numel() for parameter in model.parameters())


def check_language_model(model: PreTrainedModel, architecture: str) -> None:
    """Raise InputError (FICT822) if a model cannot be trained on rows of token ids.

    Such a model needs other inputs, is causal but depends on later tokens, or depends on padding.
    """
    from runner.model.likelihood import depends_on_future, depends_on_padding, is_masked

    last_id = model.get_input_embeddings().weight.shape[0] - 1
    test_ids = last_id - 1, last_id
    try:
        uses_future, uses_padding = depends_on_future(model, test_ids), depends_on_padding(model, test_ids)
    except Exception as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
        raise InputError(diagnostic("FICT822", architecture=architecture, reason=reason)) from error
    if uses_future and not is_masked(model):
        reason = "its predictions depend on the words that follow, so it is not a causal model"
        raise InputError(diagnostic("FICT822", architecture=architecture, reason=reason))
    if uses_padding:
        raise InputError(diagnostic("FICT822", architecture=architecture, reason=PADDING_REASON))


def config(spec: ModelSpec, vocab_size: int, separator: int | None = 1) -> PreTrainedConfig:
    """Return the transformers configuration of a spec, with `separator` as EOS and without a padding token."""
    from transformers import BertConfig, GPT2Config, GPTNeoXConfig, OPTConfig

    from runner.model.lstm import LstmConfig

    special: dict[str, Any] = {"bos_token_id": None, "eos_token_id": separator, "pad_token_id": None}
    if spec.config is not None:
        return training_config(spec.architecture, spec.config, vocab_size, separator)
    match spec.architecture:
        case "lstm":
            return LstmConfig(vocab_size, spec.hidden, spec.layers, spec.dropout, **special)
        case "opt":
            return OPTConfig(
                vocab_size=vocab_size, hidden_size=spec.hidden, num_hidden_layers=spec.layers, ffn_dim=spec.feedforward,
                num_attention_heads=spec.heads, max_position_embeddings=spec.positions, dropout=spec.dropout,
                attention_dropout=spec.attention_dropout, word_embed_proj_dim=spec.hidden, use_cache=False, **special,
            )  # fmt: skip
        case "gpt2":
            return GPT2Config(
                vocab_size=vocab_size, n_embd=spec.hidden, n_layer=spec.layers, n_head=spec.heads,
                n_inner=spec.feedforward, n_positions=spec.positions, resid_pdrop=spec.dropout, embd_pdrop=spec.dropout,
                attn_pdrop=spec.attention_dropout, activation_function="gelu_pytorch_tanh", use_cache=False, **special,
            )  # fmt: skip
        case "gpt-neox":
            return GPTNeoXConfig(
                vocab_size=vocab_size, hidden_size=spec.hidden, num_hidden_layers=spec.layers,
                num_attention_heads=spec.heads, intermediate_size=spec.feedforward, use_cache=False,
                max_position_embeddings=spec.positions, hidden_dropout=spec.dropout,
                attention_dropout=spec.attention_dropout, **special,
            )  # fmt: skip
        case "bert":
            return BertConfig(
                vocab_size=vocab_size, hidden_size=spec.hidden, num_hidden_layers=spec.layers,
                num_attention_heads=spec.heads, intermediate_size=spec.feedforward,
                max_position_embeddings=spec.positions, hidden_dropout_prob=spec.dropout,
                attention_probs_dropout_prob=spec.attention_dropout, **special,
            )  # fmt: skip
        case _:
            raise ValueError(f"unknown architecture {spec.architecture}: `config` is required")
