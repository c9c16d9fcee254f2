"""Presets: named architectures with their training settings, and models with random weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from runner.model.recipe import TrainSpec

if TYPE_CHECKING:
    from transformers import PreTrainedConfig, PreTrainedModel

Architecture: TypeAlias = Literal["lstm", "opt", "gpt2", "gpt-neox", "bert", "saved"]
SHORT = 256  # positions up to which eager attention trains faster on a CPU than the fused kernel


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """An architecture with its sizes; the size of the vocabulary comes from the tokenizer."""

    name: str
    architecture: Architecture
    layers: int
    hidden: int
    heads: int = 1
    feedforward: int = 0
    positions: int = 0  # 0: any length
    dropout: float = 0.1
    attention_dropout: float = 0.0  # only where a paper uses it, since it is slow on a CPU
    saved: str = ""  # hash of a saved model that is trained further, which has its own sizes
    masked: bool = False  # whether it is a masked rather than a causal language model

    @property
    def content(self) -> dict[str, Any]:
        """The sizes as plain JSON. Later fields appear only if set, so that keys of older models do not change."""
        return {name: value for name, value in asdict(self).items() if name not in ("saved", "masked") or value}


@dataclass(frozen=True)
class Preset:
    """A model with its training settings; `origins` gives the source of settings."""

    model: ModelSpec
    training: TrainSpec
    origins: Mapping[str, str] = field(default_factory=dict)


_FICT = {
    "model": "Patil et al. 2024, §4; positions and OPT from their released training configuration",
    "learning_rate, schedule, epochs, batch": "Patil et al. 2024, §4",
    "rows": "their released training code: one line of the corpus is one row",
    "betas, epsilon, weight_decay, clip, warmup": "defaults of transformers 4.30, as their appendix A says",
    "precision": "mixed precision in the paper; bfloat16 is our choice",
    "validations": "Patil et al. 2024, §4: at the end of every epoch",
}
_FICT_TRAINING = TrainSpec(
    rows="sentence",
    epochs=40.0,
    batch=32,
    block=511,
    learning_rate=5e-5,
    schedule="linear",
    precision="bfloat16",
    validations=40,
)
_SMALL = {
    "model": "ours: the best perplexity for a CPU minute among four sizes",
    "learning_rate, batch, block, clip, precision": "ours, from runs on 1.1 M words of treebanks and WikiText-2",
    "schedule, warmup, weight_decay, validations": "ours, by convention, not tuned",
}

PRESETS: Mapping[str, Preset] = {
    "lstm-128": Preset(
        ModelSpec("lstm-128", "lstm", layers=2, hidden=128),
        TrainSpec(
            rows="packed", epochs=4.0, batch=8, block=40, learning_rate=0.012, schedule="linear", warmup=0.02,
            weight_decay=0.01, precision="bfloat16", validations=8,
        ),
        {**_SMALL, "initialisation": "ours: embeddings N(0, 0.1), forget bias +1"},
    ),
    "transformer-128": Preset(
        ModelSpec("transformer-128", "gpt2", layers=4, hidden=128, heads=4, feedforward=512, positions=128),
        TrainSpec(
            rows="packed", epochs=4.0, batch=8, block=64, learning_rate=0.002, schedule="linear", warmup=0.02,
            weight_decay=0.01, precision="bfloat16", validations=8,
        ),
        _SMALL,
    ),
    "fict-lstm": Preset(
        ModelSpec("fict-lstm", "lstm", layers=2, hidden=1024),
        _FICT_TRAINING,
        {**_FICT, "initialisation": "ours: embeddings N(0, 0.1), forget bias +1"},
    ),
    "fict-transformer": Preset(
        ModelSpec("fict-transformer", "opt", layers=8, hidden=768, heads=8, feedforward=768, positions=512),
        _FICT_TRAINING,
        _FICT,
    ),
    "gpt2-small": Preset(
        ModelSpec("gpt2-small", "gpt2", 12, 768, heads=12, feedforward=3072, positions=1024, attention_dropout=0.1),
        TrainSpec(
            rows="packed", epochs=20.0, batch=128, block=1023, learning_rate=6e-4, schedule="cosine", warmup=0.05,
            weight_decay=0.01, precision="bfloat16", validations=20,
        ),
        {
            "model": "Radford et al. 2019, as the targeted-data paper uses it",
            "epochs, batch, schedule, warmup, weight_decay": "the targeted-data paper, §4.2",
            "learning_rate": "the same, whose exponent is garbled in print: 6e-4 is our reading",
            "rows": "ours: with a separator, which the paper's code leaves out",
            "betas, epsilon, clip": "defaults of transformers; the paper does not say",
        },
    ),
    "pythia-14m": Preset(
        ModelSpec("pythia-14m", "gpt-neox", 6, 128, heads=4, feedforward=512, positions=2048, dropout=0.0),
        TrainSpec(
            rows="packed", epochs=1.0, batch=16, block=2047, learning_rate=1e-3, schedule="cosine", warmup=0.01,
            weight_decay=0.1, betas=(0.9, 0.95), final_fraction=0.1, precision="bfloat16", validations=10,
        ),
        {
            "model": "Biderman et al. 2023 and the released Pythia-14M configuration",
            "learning_rate, schedule, final_fraction, warmup, weight_decay, betas, clip": "Pythia-14M as published",
            "batch": "about 34,000 tokens a step, as DECAF's 4,400 steps an epoch imply",
        },
    ),
    "bert-base": Preset(
        ModelSpec("bert-base", "bert", 12, 768, 12, 3072, positions=512, attention_dropout=0.1, masked=True),
        TrainSpec(
            rows="sentence", epochs=3.0, batch=32, block=127, learning_rate=5e-5, schedule="linear", warmup=0.1,
            weight_decay=0.01, precision="bfloat16", validations=3,
        ),
        {
            "model, mask_rate": "Devlin et al. 2019, as the hybrid paper uses it: the base model, cased",
            "learning_rate, schedule, warmup, weight_decay, epochs, batch, block, clip, precision, validations":
                "ours: the paper does not say; as BERT is usually trained further",
        },
    ),
    "bert-128": Preset(
        ModelSpec("bert-128", "bert", 4, 128, 4, 512, positions=128, masked=True),
        TrainSpec(
            rows="packed", epochs=8.0, batch=16, block=64, learning_rate=0.0015, schedule="linear", warmup=0.1,
            weight_decay=0.01, precision="bfloat16", validations=8,
        ),
        {
            "model": "ours: the sizes of transformer-128",
            "mask_rate": "Devlin et al. 2019",
            "learning_rate, warmup": "ours, the best of 3e-4, 8e-4 and 1.5e-3; at 2e-3 it never left the frequencies",
            "rows, batch, block": "ours: whole rows train five times as fast as sentences of a dozen words",
            "schedule, weight_decay, epochs, clip, precision, validations": "ours, by convention, not tuned",
        },
    ),
}  # fmt: skip


def build(spec: ModelSpec, vocab_size: int, seed: int, separator: int | None = 1) -> PreTrainedModel:
    """Build a model with random weights, reproducibly on one machine.

    `separator` is the id of the token that closes a sentence. Torch's random state does not change.
    """
    import torch

    configuration = config(spec, vocab_size, separator)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = _auto_class(spec).from_config(configuration, dtype=torch.float32)
    if spec.architecture != "lstm" and spec.positions <= SHORT:
        model.set_attn_implementation("eager")
    return model


def count_parameters(spec: ModelSpec, vocab_size: int) -> int:
    """Return the number of trainable parameters, tied ones once, without allocating them."""
    import torch

    with torch.device("meta"):
        model = _auto_class(spec).from_config(config(spec, vocab_size))
    return sum(parameter.numel() for parameter in model.parameters())


def _auto_class(spec: ModelSpec) -> Any:
    import transformers

    return transformers.AutoModelForMaskedLM if spec.masked else transformers.AutoModelForCausalLM


def config(spec: ModelSpec, vocab_size: int, separator: int | None = 1) -> PreTrainedConfig:
    """Return the transformers configuration of a spec, with `separator` as EOS and without a padding token."""
    from transformers import BertConfig, GPT2Config, GPTNeoXConfig, OPTConfig

    from runner.model.lstm import LstmConfig

    special: dict[str, Any] = {"bos_token_id": None, "eos_token_id": separator, "pad_token_id": None}
    drop = spec.dropout
    match spec.architecture:
        case "lstm":
            return LstmConfig(vocab_size, spec.hidden, spec.layers, drop, **special)
        case "opt":
            return OPTConfig(
                vocab_size=vocab_size, hidden_size=spec.hidden, num_hidden_layers=spec.layers, ffn_dim=spec.feedforward,
                num_attention_heads=spec.heads, max_position_embeddings=spec.positions, dropout=drop,
                attention_dropout=spec.attention_dropout, word_embed_proj_dim=spec.hidden, use_cache=False, **special,
            )  # fmt: skip
        case "gpt2":
            return GPT2Config(
                vocab_size=vocab_size, n_embd=spec.hidden, n_layer=spec.layers, n_head=spec.heads,
                n_inner=spec.feedforward, n_positions=spec.positions, resid_pdrop=drop, embd_pdrop=drop,
                attn_pdrop=spec.attention_dropout, activation_function="gelu_pytorch_tanh", use_cache=False, **special,
            )  # fmt: skip
        case "gpt-neox":
            return GPTNeoXConfig(
                vocab_size=vocab_size, hidden_size=spec.hidden, num_hidden_layers=spec.layers,
                num_attention_heads=spec.heads, intermediate_size=spec.feedforward, use_cache=False,
                max_position_embeddings=spec.positions, hidden_dropout=drop,
                attention_dropout=spec.attention_dropout, **special,
            )  # fmt: skip
        case "bert":
            return BertConfig(
                vocab_size=vocab_size, hidden_size=spec.hidden, num_hidden_layers=spec.layers,
                num_attention_heads=spec.heads, intermediate_size=spec.feedforward,
                max_position_embeddings=spec.positions, hidden_dropout_prob=drop,
                attention_probs_dropout_prob=spec.attention_dropout, **special,
            )  # fmt: skip
        case "saved":
            raise ValueError("a saved model has its own configuration")
