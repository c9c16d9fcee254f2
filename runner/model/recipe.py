"""The architecture, sizes and parameters of a model, and what the config.json of a saved model says of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from runner.errors import InputError
from runner.readers import parse_json

Rows: TypeAlias = Literal["sentence", "document", "packed"]
Frame: TypeAlias = Literal["eos", "none"]
Schedule: TypeAlias = Literal["constant", "linear", "cosine"]
Precision: TypeAlias = Literal["float32", "bfloat16"]


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """An architecture with the sizes below, `saved` for further training, or with `config` a type of transformers."""

    name: str
    architecture: str
    layers: int = 0
    hidden: int = 0
    heads: int = 1
    feedforward: int = 0
    positions: int = 0  # 0: any length
    dropout: float = 0.1
    attention_dropout: float = 0.0  # only where a paper uses it, since it is slow on a CPU
    saved: str = ""  # hash of the saved model that is trained further; the sizes are in its configuration
    masked: bool = False  # whether it is a masked language model, and not a causal one
    config: Mapping[str, Any] | None = None  # settings of transformers in place of the sizes above, as plain JSON

    @property
    def content(self) -> dict[str, Any]:
        if self.config is not None:
            return {name: getattr(self, name) for name in ("name", "architecture", "config")}
        return asdict(self)


def parameter_count(spec: ModelSpec, vocabulary: int) -> int | None:
    """Return the number of trainable parameters, tied ones once, or None if only transformers knows the sizes."""
    hidden, feedforward, positions = spec.hidden, spec.feedforward, spec.positions
    layer = 4 * _linear(hidden, hidden) + _linear(hidden, feedforward) + _linear(feedforward, hidden) + 4 * hidden
    norm, embedding = 2 * hidden, vocabulary * hidden
    if spec.config is not None:
        return None
    match spec.architecture:
        case "lstm":  # four gates, with biases of the input and of the state; the output layer has a bias
            return embedding + spec.layers * 8 * (hidden * hidden + hidden) + vocabulary
        case "gpt2":
            return embedding + positions * hidden + spec.layers * layer + norm
        case "opt":  # its positions begin at 2
            return embedding + (positions + 2) * hidden + spec.layers * layer + norm
        case "gpt-neox":  # rotary positions; the output layer is not tied
            return 2 * embedding + spec.layers * layer + norm
        case "bert":  # two token types; a linear layer and a normalisation before the output layer, which has a bias
            embeddings = embedding + (positions + 2) * hidden + norm
            return embeddings + spec.layers * layer + _linear(hidden, hidden) + norm + vocabulary
        case _:
            return None


def _linear(inputs: int, outputs: int) -> int:
    return inputs * outputs + outputs


Kind = Literal["causal", "masked"]
# model types that transformers loads as masked models, unless they are decoders
MASKED_TYPES = {
    "albert", "bert", "big_bird", "camembert", "convbert", "data2vec-text", "deberta", "deberta-v2", "distilbert",
    "electra", "ernie", "esm", "esmc", "eurobert", "flaubert", "fnet", "funnel", "gte", "ibert",
    "jina_embeddings_v3", "layoutlm", "longformer", "luke", "megatron-bert", "mobilebert", "modernbert",
    "modernvbert", "mpnet", "mra", "neomme", "nomic_bert", "nystromformer", "perceiver", "reformer", "rembert",
    "roberta", "roberta-prelayernorm", "roc_bert", "roformer", "squeezebert", "tapas", "ultrabert", "ultravbert",
    "xlm", "xlm-roberta", "xlm-roberta-xl", "xmod", "yoso",
}  # fmt: skip
# number of positions that no token can have, by model type
RESERVED = dict.fromkeys((
    "camembert", "data2vec-text", "esm", "ibert", "longformer", "luke", "mpnet", "roberta", "roberta-prelayernorm",
    "xlm-roberta", "xlm-roberta-xl", "xmod",
), 2)  # fmt: skip

# model types whose predictions depend on padding in spite of the attention mask
PADDING_DEPENDENT = {"convbert", "cpmant", "fnet", "funnel", "mobilebert", "nystromformer", "yoso"}
PADDING_REASON = "its predictions depend on padding, which rows of different lengths need in training"

# keys of numbers of entries that transformers allocates when it reads a configuration, before any check
SIZE_KEYS = {
    "num_labels", "num_hidden_layers", "num_layers", "n_layer", "n_layers", "encoder_layers", "decoder_layers",
    "num_encoder_layers", "num_decoder_layers",
}  # fmt: skip
MAX_SIZE_VALUE = 100_000
_HUB_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?", re.ASCII)  # a model, or its owner and the model


def kind_and_positions(folder: Path) -> tuple[Kind, int]:
    """Return the kind of a saved model and its number of positions, 0 for no limit. Raises InputError (FICT801)."""
    config, masked = _config_and_masked(folder)
    for key, value in _sizes(config):
        if isinstance(value, int) and value > MAX_SIZE_VALUE:
            reason = f"its config.json has {value:,} for `{key}`; the maximum is {MAX_SIZE_VALUE:,}"
            raise InputError.of("FICT801", path=folder, reason=reason)
    positions = config.get("n_positions") or config.get("max_position_embeddings") or 0
    if not isinstance(positions, int):
        reason = f"its config.json has {positions!r} as the number of positions"
        raise InputError.of("FICT801", path=folder, reason=reason)
    reserved = RESERVED.get(str(config.get("model_type")), 0)
    return "masked" if masked else "causal", max(0, positions - reserved)


def depends_on_padding(folder: Path) -> bool:
    return str(_config_and_masked(folder)[0].get("model_type")) in PADDING_DEPENDENT


def _config_and_masked(folder: Path) -> tuple[dict[str, Any], bool]:
    path = folder / "config.json"
    if not path.is_file():
        reason = "it is a file, not a folder" if folder.exists() else "the folder does not exist"
        reason = "it has no config.json" if folder.is_dir() else reason
        hint = None
        if not folder.exists() and _HUB_NAME.fullmatch(str(folder)):
            hint = f"`hf download {folder} --local-dir {folder}` gets the model of this name from the Hugging Face Hub"
        raise InputError.of("FICT801", path=folder, reason=reason, hint=hint)
    try:
        config: dict[str, Any] = parse_json(path.read_text("utf-8"))
        return config, is_masked_config(config)
    except (ValueError, AttributeError, TypeError) as error:
        raise InputError.of("FICT801", path=folder, reason="its config.json is not a JSON object") from error


def _sizes(config: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in config.items():
        if key in SIZE_KEYS:
            yield key, value
        elif isinstance(value, dict):
            yield from _sizes(value)


def is_masked_config(config: Mapping[str, Any]) -> bool:
    """Return whether a configuration is of a masked model: the name of the saved class is not enough."""
    if any("MaskedLM" in str(name) for name in config.get("architectures") or ()):
        return True
    is_decoder = config.get("is_decoder") or config.get("causal")  # the name in XLM
    return str(config.get("model_type")) in MASKED_TYPES and not is_decoder
