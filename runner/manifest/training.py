"""`[training]`: the settings of training."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, JsonValue, model_validator

from runner.device import PATTERN
from runner.toml.table import SHARE, Range, TomlTable, matching

Share = Annotated[float, replace(SHARE, most_open=True)]
_SETTING = Range(-(10**12), 10**12, "sizes and rates of models and trainers are far smaller")
Setting = Annotated[JsonValue, AfterValidator(_SETTING.check_all)]
_TOKENS = Range(1, 10**14, "no model was trained on more tokens")
_VALIDATIONS = Range(1, 100_000, "each reads the validation text")
_FACTOR = Range(1.001, 10**6, "below, almost every step is saved; above, only the first checkpoint")


class TrainerArguments(TomlTable):
    """`trainer-arguments = {…}`: settings of transformers' TrainingArguments, under its names, for `trainer = "hf"`.

    Only settings that log, distribute or speed up training are allowed. They change the weights by rounding at most.
    """

    report_to: str | list[str] | None = None
    run_name: str | None = None
    project: str | None = None
    deepspeed: dict[str, Setting] | None = None
    fsdp: str | None = None
    fsdp_config: dict[str, Setting] | None = None
    ddp_backend: str | None = None
    ddp_timeout: Annotated[int, Range(1, 10**7, "it is in seconds")] | None = None
    gradient_checkpointing: bool | None = None
    torch_compile: bool | None = None
    torch_compile_backend: str | None = None
    torch_compile_mode: str | None = None
    dataloader_num_workers: Annotated[int, Range(0, 1024, "each is a process")] | None = None


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
    trainer: Literal["fictc", "hf"] | None = None
    trainer_arguments: TrainerArguments | None = None

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
