"""How a model is trained, as one frozen value: rows, length, optimiser, schedule, precision."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

Rows: TypeAlias = Literal["sentence", "packed"]
Schedule: TypeAlias = Literal["constant", "linear", "cosine"]
Precision: TypeAlias = Literal["float32", "bfloat16"]


@dataclass(frozen=True, slots=True)
class TrainSpec:
    """The settings that, with the model, its seed and the token files, decide every trained weight.

    `rows`: `sentence` makes each row `<eos> w1 … wn <eos>`, with no other sentence in sight; `packed` cuts the
    stream `<eos> s1 <eos> s2 <eos> …` into rows of `block` tokens. In both every word and every closing `<eos>` is
    predicted once an epoch, and a sentence longer than `block` is read in windows.
    """

    rows: Rows = "packed"
    epochs: float | None = 1.0
    tokens: int | None = None  # predicted tokens in all, instead of epochs
    batch: int = 8  # rows a step
    block: int = 64  # most tokens a row predicts
    learning_rate: float = 1e-3
    schedule: Schedule = "linear"
    warmup: float = 0.0  # below 1: share of all steps; from 1: number of steps
    weight_decay: float = 0.0  # of matrices, not of biases and normalisation
    clip: float = 1.0  # greatest norm of the gradient, 0 for none
    precision: Precision = "float32"  # of the forward and backward pass; weights, loss and optimiser are float32
    validations: int = 1  # evenly spaced, the last after the last step
    betas: tuple[float, float] = (0.9, 0.999)
    epsilon: float = 1e-8
    final_fraction: float = 0.0  # the learning rate at the end, as a share of `learning_rate`
    in_order: bool = False  # rows are read as they stand in the text, not shuffled

    def __post_init__(self) -> None:
        if (self.epochs is None) == (self.tokens is None):
            raise ValueError("exactly one of epochs and tokens is required")

    @property
    def content(self) -> dict[str, Any]:
        """The settings as plain JSON; `in_order` only where it is so."""
        return {name: value for name, value in asdict(self).items() if name != "in_order" or value}
