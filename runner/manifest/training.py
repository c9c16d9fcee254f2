"""`[training]`: the settings of training."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue, model_validator

from runner.device import PATTERN
from runner.toml.table import TomlTable, matching

Share = Annotated[float, Field(ge=0, lt=1)]


class TrainerArguments(TomlTable):
    """`trainer-arguments = {…}`: settings of transformers' TrainingArguments, under its names, for `trainer = "hf"`.

    Only settings that log, distribute or speed up training are allowed. They change the weights by rounding at most.
    """

    report_to: str | list[str] | None = None
    run_name: str | None = None
    project: str | None = None
    deepspeed: dict[str, JsonValue] | None = None
    fsdp: str | None = None
    fsdp_config: dict[str, JsonValue] | None = None
    ddp_backend: str | None = None
    ddp_timeout: int | None = Field(None, ge=1)
    gradient_checkpointing: bool | None = None
    torch_compile: bool | None = None
    torch_compile_backend: str | None = None
    torch_compile_mode: str | None = None
    dataloader_num_workers: int | None = Field(None, ge=0)


class Training(TomlTable):
    """`[training]`, or `training = {…}` of one model. Unset fields come from the preset."""

    rows: Literal["sentence", "document", "packed"] | None = None
    epochs: float | None = Field(None, ge=0)
    tokens: int | None = Field(None, ge=1)
    batch: int | None = Field(None, ge=1)
    block: int | None = Field(None, ge=2)
    learning_rate: float | None = Field(None, gt=0)
    schedule: Literal["constant", "linear", "cosine"] | None = None
    warmup: float | None = Field(None, ge=0)
    weight_decay: float | None = Field(None, ge=0)
    clip: float | None = Field(None, ge=0)
    precision: Literal["float32", "bfloat16"] | None = None
    validations: int | None = Field(None, ge=1)
    betas: tuple[Share, Share] | None = Field(None, strict=False)
    epsilon: float | None = Field(None, gt=0)
    final_fraction: float | None = Field(None, ge=0, le=1)
    accumulate: int | None = Field(None, ge=1)
    keep: Literal["best", "last"] | None = None
    patience: int | None = Field(None, ge=0)
    checkpoints: tuple[Annotated[int, Field(ge=1)], ...] | None = Field(None, strict=False)
    checkpoints_from: int | None = Field(None, ge=1)
    checkpoints_factor: float | None = Field(None, ge=1.001)  # a smaller one would save at almost every step
    device: Annotated[str, matching(PATTERN, "it should be cpu, mps, cuda, cuda:N or auto")] | None = None
    processes: int | None = Field(None, ge=1)
    mask_rate: float | None = Field(None, gt=0, lt=1)
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
