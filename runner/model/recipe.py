"""The architecture and sizes of a model, and the values that some settings of training may have."""

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
