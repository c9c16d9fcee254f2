"""How a model is trained, as one frozen value: rows, length, optimiser, schedule, precision, what is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, TypeAlias

Rows: TypeAlias = Literal["sentence", "document", "packed"]
Schedule: TypeAlias = Literal["constant", "linear", "cosine"]
Precision: TypeAlias = Literal["float32", "bfloat16"]


@dataclass(frozen=True, slots=True)
class TrainSpec:
    """The settings that, with the model, its seed and the token files, decide every trained weight.

    `rows`: `sentence` makes each row `<eos> w1 … wn <eos>`, with no other sentence in sight; `document` the same with
    all sentences of a document, `<eos>` between them; `packed` cuts the stream `<eos> s1 <eos> s2 <eos> …` into rows of
    `block` tokens. In all of them every word and every closing `<eos>` is read once an epoch, and what is longer than
    `block` is read in windows.
    """

    rows: Rows = "packed"
    epochs: float | None = 1.0
    tokens: int | None = None  # tokens read in all, instead of epochs
    batch: int = 8  # rows a step
    block: int = 64  # most tokens of a row
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
    accumulate: int = 1  # parts of a batch whose gradients are summed, one in memory at a time
    keep: Literal["best", "last"] = "best"  # the model of the lowest validation perplexity, or of the last step
    patience: int = 0  # validations without a lower perplexity after which training ends; 0: never
    checkpoints: tuple[int, ...] = ()  # models saved after so many tokens
    checkpoints_from: int = 0  # or after so many, and
    checkpoints_factor: float = 2.0  # each time so many times as many
    device: Literal["cpu", "cuda"] = "cpu"
    mask_rate: float = 0.15  # share of the tokens that masked models fill in
    processes: int = 1  # that train one model together, each with its share of every batch

    def __post_init__(self) -> None:
        if (self.epochs is None) == (self.tokens is None):
            raise ValueError("exactly one of epochs and tokens is required")

    @property
    def content(self) -> dict[str, Any]:
        """The settings as plain JSON; those that came later stand there only where they are set."""
        unset = {field.name: field.default for field in fields(self)}
        return {name: value for name, value in asdict(self).items() if name not in _LATER or value != unset[name]}

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> TrainSpec:
        """The settings from plain JSON."""
        lists = {name: tuple(value) for name, value in content.items() if isinstance(value, list)}
        return cls(**{**content, **lists})


_LATER = {
    "in_order", "accumulate", "keep", "patience", "checkpoints", "checkpoints_from", "checkpoints_factor", "device",
    "processes", "mask_rate",
}  # fmt: skip
