"""`[training]`: the settings of training."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field, model_validator

from runner.device import PATTERN
from runner.toml.table import SHARE, Range, TomlTable, matching

Share = Annotated[float, replace(SHARE, most_open=True)]
_TOKENS = Range(1, 10**14, "no model was trained on more tokens")
_VALIDATIONS = Range(1, 100_000, "each reads the validation text")
_FACTOR = Range(1.001, 10**6, "below, almost every step is saved; above, only the first checkpoint")


class Training(TomlTable):
    """`[training]`, or `training = {…}` of one model. Unset fields come from the preset."""

    rows: Literal["sentence", "document", "packed"] | None = None
    epochs: Annotated[float, Range(0, 100_000, "each reads the whole text")] | None = None
    tokens: Annotated[int, _TOKENS] | None = None
    batch: Annotated[int, Range(1, 1_000_000, "a step holds its rows in memory")] | None = None
    block: Annotated[int, Range(2, 10_000_000, "a step holds its rows in memory")] | None = None
    learning_rate: Annotated[float, Range(0, 1000, "training diverges long before", least_open=True)] | None = None
    schedule: Literal["constant", "linear", "cosine"] | None = None
    warmup: Annotated[float, Range(0, 10**9, "no training has more steps")] | None = None
    weight_decay: Annotated[float, Range(0, 1000, "it would set the weights to zero")] | None = None
    clip: Annotated[float, Range(0, 10**9, "it would clip nothing, as 0 does")] | None = None
    precision: Literal["float32", "bfloat16"] | None = None
    validations: Annotated[int, _VALIDATIONS] | None = None
    betas: tuple[Share, Share] | None = Field(None, strict=False)
    epsilon: Annotated[float, Range(0, 1, "it should be small beside a gradient", least_open=True)] | None = None
    final_fraction: Annotated[float, SHARE] | None = None
    accumulate: Annotated[int, Range(1, 1_000_000, "a batch has no more rows")] | None = None
    keep: Literal["best", "last"] | None = None
    patience: Annotated[int, replace(_VALIDATIONS, least=0)] | None = None
    checkpoints: tuple[Annotated[int, _TOKENS], ...] | None = Field(None, strict=False)
    checkpoints_from: Annotated[int, _TOKENS] | None = None
    checkpoints_factor: Annotated[float, _FACTOR] | None = None
    device: Annotated[str, matching(PATTERN, "it should be cpu, mps, cuda, cuda:N or auto")] | None = None
    processes: Annotated[int, Range(1, 1024, "each has a device of its own")] | None = None
    mask_rate: Annotated[float, replace(SHARE, least_open=True, most_open=True)] | None = None
    frame: Literal["eos", "none"] | None = None

    @model_validator(mode="after")
    def _check_length(self) -> Training:
        if self.epochs is not None and self.tokens is not None:
            raise ValueError("epochs and tokens exclude each other")
        return self

    @model_validator(mode="after")
    def _check_checkpoints(self) -> Training:
        if self.checkpoints is not None and list(self.checkpoints) != sorted(set(self.checkpoints)):
            raise ValueError("checkpoints must be in ascending order")
        return self
