"""The architecture and sizes of a model, and the number of its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
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
        """The fields as plain JSON, without the sizes that `config` replaces."""
        if self.config is not None:
            return {name: getattr(self, name) for name in ("name", "architecture", "config")}
        return asdict(self)


def parameter_count(spec: ModelSpec, vocabulary: int) -> int | None:
    """Return the number of trainable parameters, or None if only transformers knows the sizes.

    Tied parameters count once. Each transformer layer has four projections of attention, two of the feed-forward
    network, and two normalisations.
    """
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
    """Return the number of weights and biases of a linear layer."""
    return inputs * outputs + outputs
