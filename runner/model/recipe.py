"""The architecture and sizes of a model, and the settings of its training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, TypeAlias

Rows: TypeAlias = Literal["sentence", "document", "packed"]
Frame: TypeAlias = Literal["eos", "none"]
Schedule: TypeAlias = Literal["constant", "linear", "cosine"]
Precision: TypeAlias = Literal["float32", "bfloat16"]


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """An architecture with its sizes; the size of the vocabulary comes from the tokenizer.

    `architecture` is `lstm`, `opt`, `gpt2`, `gpt-neox` or `bert` with the sizes below, or `saved` for a saved model
    that is trained further. With `config`, it is a model type of transformers.
    """

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
        """The fields as plain JSON. Later fields are omitted if not set, so older models keep their keys."""
        if self.config is not None:
            return {name: getattr(self, name) for name in ("name", "architecture", "config")}
        return {name: value for name, value in asdict(self).items() if value not in _LATER_MODEL_FIELDS.get(name, ())}


# fields that were added later, with the values for which they are omitted
_LATER_MODEL_FIELDS: Mapping[str, tuple[object, ...]] = {"saved": ("",), "masked": (False,), "config": (None,)}


@dataclass(frozen=True, slots=True)
class TrainSpec:
    """The settings that, with the model, its seed and the token files, determine all trained weights.

    `rows` is the unit of context. With `sentence`, a row is one sentence, `<eos> w1 … wn <eos>`; with `document`, the
    sentences of a document with `<eos>` between them; with `packed`, `block` tokens of the stream
    `<eos> s1 <eos> s2 <eos> …`. Every word and every closing `<eos>` is predicted once per epoch. Rows longer than
    `block` are split. With `frame = "none"`, there are no `<eos>`, and the first word of a unit is not predicted.
    """

    rows: Rows = "packed"
    epochs: float | None = 1.0
    tokens: int | None = None  # total number, instead of epochs
    batch: int = 8  # rows per step
    block: int = 64  # maximum number of tokens of a row
    learning_rate: float = 1e-3
    schedule: Schedule = "linear"
    warmup: float = 0.0  # below 1 a share of all steps, otherwise a number of steps
    weight_decay: float = 0.0  # of matrices, not of biases and normalisation
    clip: float = 1.0  # maximum norm of the gradient, 0 for no limit
    precision: Precision = "float32"  # of the forward and backward pass; weights, loss and optimizer are float32
    validations: int = 1  # evenly spaced, the last after the last step
    betas: tuple[float, float] = (0.9, 0.999)
    epsilon: float = 1e-8
    final_fraction: float = 0.0  # the learning rate at the end, as a share of `learning_rate`
    in_order: bool = False  # whether rows are read in the order of the text, without shuffling
    accumulate: int = 1  # micro-batches have at most ⌈batch / accumulate⌉ rows; fewer where memory requires it
    keep: Literal["best", "last"] = "best"  # the model with the lowest validation perplexity, or the last one
    patience: int = 0  # end training after this many validations without improvement; 0: never
    checkpoints: tuple[int, ...] = ()  # numbers of tokens after which the model is saved
    checkpoints_from: int = 0  # the first term of a geometric sequence of such numbers
    checkpoints_factor: float = 2.0  # the ratio of the sequence
    device: str = "auto"  # see `runner.device`; results of all devices have the same key
    mask_rate: float = 0.15  # share of the tokens that masked models predict
    processes: int = 1  # data-parallel processes that train one model
    frame: Frame = "eos"  # the token before, between and after the sentences of a row

    def __post_init__(self) -> None:
        if (self.epochs is None) == (self.tokens is None):
            raise ValueError("exactly one of epochs and tokens is required")

    @property
    def content(self) -> dict[str, Any]:
        """The settings as plain JSON. Later fields are omitted at their defaults, so older runs keep their keys."""
        defaults = {field.name: field.default for field in fields(self)}
        settings = {name: value for name, value in asdict(self).items() if name != "device"}
        return {name: value for name, value in settings.items() if name not in _LATER_FIELDS or value != defaults[name]}

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> TrainSpec:
        """Create settings from plain JSON."""
        lists = {name: tuple(value) for name, value in content.items() if isinstance(value, list)}
        return cls(**{**content, **lists})


_LATER_FIELDS = {
    "in_order", "accumulate", "keep", "patience", "checkpoints", "checkpoints_from", "checkpoints_factor", "processes",
    "mask_rate", "frame",
}  # fmt: skip
