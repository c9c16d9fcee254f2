"""Model types of transformers as architectures: names, configurations, checks, and models with random weights."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from runner.errors import InputError
from runner.model.recipe import PADDING_DEPENDENT, PADDING_REASON, RESERVED, SIZE_KEYS, ModelSpec, is_masked_config

if TYPE_CHECKING:
    from transformers import PreTrainedConfig, PreTrainedModel


LSTM = "fict-lstm"
MAX_LAYERS = 1000
POSITIONS = "max_position_embeddings"
MIN_POSITIONS = 2  # a masked model uses one for its separator
CHECK_VOCABULARY_SIZE = 100  # of models that are built only to check their settings
MAX_REASON_LENGTH = 200  # characters of an error message of transformers
_TYPES: tuple[tuple[tuple[type, ...], str], ...] = (
    ((bool,), "true or false"),
    ((int,), "a whole number"),
    ((float, int), "a number"),
    ((str,), "a string"),
    ((dict,), "a table"),
)
# settings that follow from the tokenizer and from how rows are read
DERIVED = ("vocab_size", "bos_token_id", "eos_token_id", "pad_token_id", "use_cache")
# (size, count): `count` must divide `size`
DIVISORS = (("hidden_size", "num_attention_heads"), ("num_attention_heads", "num_key_value_heads"))


def model_types() -> frozenset[str]:
    from transformers.models.auto import modeling_auto as auto

    import runner.model.lstm  # noqa: F401 - registers our LSTM with transformers

    masked = {name for name in auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES if is_masked_config({"model_type": name})}
    names = {*auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES, *masked, LSTM}
    # RESERVED types number positions from the padding token's id, and our models have no padding token
    return frozenset(names - RESERVED.keys())


def model_type(architecture: str) -> str | None:
    """Return the model type for an architecture's name, or None. Hyphens and underscores are equivalent."""
    if architecture == "lstm":
        return LSTM
    by_name = {name.replace("_", "-"): name for name in model_types()}
    return by_name.get(architecture.replace("_", "-"))


@cache
def known_keys(type_name: str) -> tuple[str, ...]:
    from transformers import PreTrainedConfig

    default = default_config(type_name)
    general = PreTrainedConfig().to_dict().keys() - {"tie_word_embeddings"}
    return tuple(sorted((default.to_dict().keys() | default.attribute_map.keys()) - general - {"model_type", *DERIVED}))


@cache
def default_config(type_name: str) -> PreTrainedConfig:
    return _config(type_name)


def _config(type_name: str, **settings: Any) -> PreTrainedConfig:
    from transformers import AutoConfig

    import runner.model.lstm  # noqa: F401 - registers our LSTM with transformers

    return AutoConfig.for_model(type_name, **settings)


def unavailable_reason(type_name: str) -> str | None:
    """Return why a model type cannot be trained, or None: it depends on padding, or only assists another model."""
    if type_name in PADDING_DEPENDENT:
        return PADDING_REASON
    try:
        default_config(type_name)
    except Exception as error:  # noqa: BLE001 - configurations raise errors of many types
        return _reason(error)
    return None


def training_config(
    type_name: str, settings: Mapping[str, Any], vocab_size: int, separator: int | None
) -> PreTrainedConfig:
    special = {"bos_token_id": None, "eos_token_id": separator, "pad_token_id": None}
    return _config(type_name, **settings, vocab_size=vocab_size, use_cache=False, **special)


def problems(type_name: str, config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if invalid := [*_invalid_values(type_name, config)] or [*_indivisible(type_name, config)][:1]:
        yield from invalid
        return
    try:
        yield from _indivisible_heads(_built(type_name, config), config)
    except Exception as error:  # noqa: BLE001 - models raise errors of many types for invalid sizes
        yield _invalid_key(type_name, config), _reason(error)


def _built(type_name: str, config: Mapping[str, Any]) -> PreTrainedModel:
    training = training_config(type_name, config, CHECK_VOCABULARY_SIZE, 1)
    return build_empty(training, masked=is_masked_type(type_name, config))


def _invalid_key(type_name: str, config: Mapping[str, Any]) -> str:
    for key in config:
        try:
            _built(type_name, {other: value for other, value in config.items() if other != key})
        except Exception:  # noqa: BLE001 - as in `problems`
            continue
        return key
    return next(iter(config), "config")


def _invalid_values(type_name: str, config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    default = default_config(type_name)
    positions_name = default.attribute_map.get(POSITIONS, POSITIONS)
    for key, value in config.items():
        name = default.attribute_map.get(key, key)
        default_type = type(default.to_dict().get(name))
        expected = next((kind for types, kind in _TYPES if default_type in types), None)
        if expected is not None and not any(type(value) in types for types, kind in _TYPES if kind == expected):
            yield key, f"it should be {expected}, found {value!r}"
        elif key in SIZE_KEYS and isinstance(value, int) and not 1 <= value <= MAX_LAYERS:
            yield key, f"it should be between 1 and {MAX_LAYERS:,}, found {value:,}"
        elif name == positions_name and isinstance(value, int) and value < MIN_POSITIONS:
            yield key, f"it should be at least {MIN_POSITIONS}, found {value:,}"


def build_empty(config: PreTrainedConfig, *, masked: bool) -> PreTrainedModel:
    """Build a model on torch's meta device: its weights have shapes, but no values."""
    import torch

    with torch.device("meta"):
        model: PreTrainedModel = auto_class(masked=masked).from_config(config)
    return model


def auto_class(*, masked: bool) -> Any:
    import transformers

    return transformers.AutoModelForMaskedLM if masked else transformers.AutoModelForCausalLM


def _indivisible(type_name: str, config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    default = default_config(type_name)
    aliases = {name: alias for alias, name in default.attribute_map.items()}
    values = {aliases.get(name, name): value for name, value in {**default.to_dict(), **config}.items()}
    for size_name, count_name in DIVISORS:
        size, count = values.get(size_name), values.get(count_name)
        # if num_key_value_heads is not set, it usually follows from the number of heads
        is_derived = count_name == "num_key_value_heads" and count_name not in config
        if is_derived or "head_dim" in config or not isinstance(size, int) or not isinstance(count, int):
            continue
        if count < 1 or size % count:
            names = (default.attribute_map.get(key, key) for key in (count_name, size_name))
            key = next((key for key in (*names, count_name, size_name) if key in config), "config")
            yield key, f"{count_name} {count} does not divide {size_name} {size}"


def _indivisible_heads(model: PreTrainedModel, config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    sizes = model.config.to_dict()
    heads, key_value_heads = sizes.get("num_attention_heads"), sizes.get("num_key_value_heads")
    if not isinstance(heads, int) or not isinstance(key_value_heads, int) or heads % key_value_heads == 0:
        return
    for module in model.modules():
        query_width, key_width = (
            getattr(getattr(module, name, None), "out_features", None) for name in ("q_proj", "k_proj")
        )
        if isinstance(query_width, int) and isinstance(key_width, int) and query_width % key_width:
            heads_key = next(
                (key for key, name in model.config.attribute_map.items() if name == "num_attention_heads"), ""
            )
            names = ("num_key_value_heads", "num_attention_heads", heads_key)
            key = next((key for key in names if key in config), next(iter(config), "config"))
            yield key, f"num_key_value_heads {key_value_heads} does not divide num_attention_heads {heads}"
            return


def _reason(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    return re.sub(r"^\w+(Error|Exception): ", "", lines[-1]).rstrip(".")[:MAX_REASON_LENGTH]


def is_masked_type(type_name: str, config: Mapping[str, Any]) -> bool:
    return is_masked_config({"model_type": type_name, **config})


def max_positions(type_name: str, config: Mapping[str, Any]) -> int:
    """Return the maximum number of positions, 0 if there is no limit."""
    limit = getattr(_config(type_name, **config), POSITIONS, None)
    return limit if isinstance(limit, int) and limit > 0 else 0


EAGER_MAX_POSITIONS = 256  # positions up to which eager attention trains faster on a CPU than the fused kernel


def build(spec: ModelSpec, vocab_size: int, seed: int, separator: int | None = 1) -> PreTrainedModel:
    """Build a model with random weights, reproducibly on one machine. `separator` is the id that closes a sentence."""
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
    """Raise InputError (FICT822) for a model with other inputs, or that depends on later tokens or on padding."""
    from runner.model.likelihood import depends_on_future, depends_on_padding, is_masked
    from runner.model.tokenizer import first_line

    last_id = model.get_input_embeddings().weight.shape[0] - 1
    test_ids = last_id - 1, last_id
    try:
        uses_future, uses_padding = depends_on_future(model, test_ids), depends_on_padding(model, test_ids)
    except Exception as error:
        raise InputError.of("FICT822", architecture=architecture, reason=first_line(error)) from error
    if uses_future and not is_masked(model):
        reason = "its predictions depend on the words that follow, so it is not a causal model"
        raise InputError.of("FICT822", architecture=architecture, reason=reason)
    if uses_padding:
        raise InputError.of("FICT822", architecture=architecture, reason=PADDING_REASON)


_SIZES = {
    "hidden_size": "hidden", "num_hidden_layers": "layers", "num_attention_heads": "heads",
    "max_position_embeddings": "positions",
}  # fmt: skip
# architecture → names of settings in transformers, with those in `ModelSpec`
_SETTINGS: dict[str, dict[str, str]] = {
    "opt": {
        **_SIZES, "ffn_dim": "feedforward", "word_embed_proj_dim": "hidden", "dropout": "dropout",
        "attention_dropout": "attention_dropout",
    },
    "gpt2": {
        "n_embd": "hidden", "n_layer": "layers", "n_head": "heads", "n_inner": "feedforward",
        "n_positions": "positions", "resid_pdrop": "dropout", "embd_pdrop": "dropout",
        "attn_pdrop": "attention_dropout",
    },
    "gpt-neox": {
        **_SIZES, "intermediate_size": "feedforward", "hidden_dropout": "dropout",
        "attention_dropout": "attention_dropout",
    },
    "bert": {
        **_SIZES, "intermediate_size": "feedforward", "hidden_dropout_prob": "dropout",
        "attention_probs_dropout_prob": "attention_dropout",
    },
}  # fmt: skip
_FIXED: dict[str, dict[str, Any]] = {
    "opt": {"use_cache": False},
    "gpt2": {"use_cache": False, "activation_function": "gelu_pytorch_tanh"},
    "gpt-neox": {"use_cache": False},
}


def config(spec: ModelSpec, vocab_size: int, separator: int | None = 1) -> PreTrainedConfig:
    from runner.model.lstm import LstmConfig

    special: dict[str, Any] = {"bos_token_id": None, "eos_token_id": separator, "pad_token_id": None}
    if spec.config is not None:
        return training_config(spec.architecture, spec.config, vocab_size, separator)
    if spec.architecture == "lstm":
        return LstmConfig(vocab_size, spec.hidden, spec.layers, spec.dropout, **special)
    if spec.architecture not in _SETTINGS:
        raise ValueError(f"unknown architecture {spec.architecture}: `config` is required")
    settings = {name: getattr(spec, field) for name, field in _SETTINGS[spec.architecture].items()}
    fixed = _FIXED.get(spec.architecture, {})
    return _config(spec.architecture.replace("-", "_"), vocab_size=vocab_size, **settings, **fixed, **special)
