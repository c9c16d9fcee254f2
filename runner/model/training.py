"""The settings of training with their defaults, and presets: named architectures with such settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from runner.machine import AUTO, PATTERN
from runner.model.recipe import Frame, ModelSpec, Precision, Rows, Schedule
from runner.readers import parse_toml
from runner.toml_tables import SHARE, Range, TomlTable, matching

Share = Annotated[float, replace(SHARE, most_open=True)]
_TOKENS = Range(1, 10**14, "no model was trained on more tokens")
_VALIDATIONS = Range(1, 100_000, "each reads the validation text")
_FACTOR = Range(1.001, 10**6, "below, almost every step is saved; above, only the first checkpoint")


class Training(TomlTable):
    """`[training]`, or `training = {…}` of one model, or the training settings of a preset.

    `rows` is the unit of context. With `sentence`, a row is one sentence, `<eos> w1 … wn <eos>`; with `document`, the
    sentences of a document with `<eos>` between them; with `packed`, `block` tokens of the stream
    `<eos> s1 <eos> s2 <eos> …`. With `frame = "none"`, there are no `<eos>`, and the first word is not predicted.
    """

    model_config = ConfigDict(validate_by_name=True)  # from Python; manifests are validated by alias

    rows: Rows = "packed"
    epochs: Annotated[float, Range(0, 100_000, "each reads the whole text")] | None = 1.0
    # the total number of tokens, instead of epochs
    tokens: Annotated[int, _TOKENS] | None = None
    # rows per step
    batch: Annotated[int, Range(1, 1_000_000, "a step holds its rows in memory")] = 8
    # the maximum number of tokens of a row
    block: Annotated[int, Range(2, 10_000_000, "a step holds its rows in memory")] = 64
    learning_rate: Annotated[float, Range(0, 1000, "training diverges long before", least_open=True)] = 1e-3
    schedule: Schedule = "linear"
    # below 1 a share of all steps, otherwise a number of steps
    warmup: Annotated[float, Range(0, 10**9, "no training has more steps")] = 0.0
    # of matrices, not of biases and normalisation
    weight_decay: Annotated[float, Range(0, 1000, "it would set the weights to zero")] = 0.0
    # the maximum norm of the gradient, 0 for no limit
    clip: Annotated[float, Range(0, 10**9, "it would clip nothing, as 0 does")] = 1.0
    # of the forward and backward pass; weights, loss and optimizer are float32
    precision: Precision = "float32"
    # evenly spaced, the last after the last step
    validations: Annotated[int, _VALIDATIONS] = 1
    betas: tuple[Share, Share] = Field((0.9, 0.999), strict=False)
    epsilon: Annotated[float, Range(0, 1, "it should be small beside a gradient", least_open=True)] = 1e-8
    # the learning rate at the end, as a share of `learning_rate`
    final_fraction: Annotated[float, SHARE] = 0.0
    # micro-batches have at most ⌈batch / accumulate⌉ rows; fewer where memory requires it
    accumulate: Annotated[int, Range(1, 1_000_000, "a batch has no more rows")] = 1
    # the model with the lowest validation perplexity, or the last one
    keep: Literal["best", "last"] = "best"
    # training ends after this many validations without improvement; 0: never
    patience: Annotated[int, replace(_VALIDATIONS, least=0)] = 0
    # numbers of tokens after which the model is saved
    checkpoints: tuple[Annotated[int, _TOKENS], ...] = Field((), strict=False)
    # the first term of a geometric sequence of such numbers, and its ratio
    checkpoints_from: Annotated[int, _TOKENS] | None = None
    checkpoints_factor: Annotated[float, _FACTOR] = 2.0
    # see `runner.machine`; results of all devices have the same key
    device: Annotated[str, matching(PATTERN, "it should be cpu, mps, cuda, cuda:N or auto")] = AUTO
    # data-parallel processes that train one model
    processes: Annotated[int, Range(1, 1024, "each has a device of its own")] = 1
    # the share of the tokens that masked models predict
    mask_rate: Annotated[float, replace(SHARE, least_open=True, most_open=True)] = 0.15
    # the token before, between and after the sentences of a row
    frame: Frame = "eos"

    @model_validator(mode="before")
    @classmethod
    def _unset_other_length(cls, settings: Any) -> Any:
        """Unset `epochs` if only `tokens` is set, and the reverse, so that one replaces the other of a preset."""
        if isinstance(settings, dict) and ("epochs" in settings) != ("tokens" in settings):
            return {**settings, "tokens" if "epochs" in settings else "epochs": None}
        return settings

    @model_validator(mode="after")
    def _check_length(self) -> Training:
        if (self.epochs is None) == (self.tokens is None):
            raise ValueError("epochs and tokens exclude each other")
        return self

    @model_validator(mode="after")
    def _check_checkpoints(self) -> Training:
        if list(self.checkpoints) != sorted(set(self.checkpoints)):
            raise ValueError("checkpoints must be in ascending order")
        return self


class TrainSpec(Training):
    """The settings that, with the model, its seed and the token files, determine all trained weights."""

    in_order: bool = False  # whether rows are read in the order of the text, without shuffling

    @classmethod
    def of(cls, preset: Training, overrides: Sequence[Training]) -> TrainSpec:
        settings = preset.model_dump()
        for override in overrides:
            settings |= override.model_dump(exclude_unset=True)
        return cls(**settings)

    @property
    def content(self) -> dict[str, Any]:
        """The settings as plain JSON, without the device, which changes results by rounding only."""
        return self.model_dump(exclude={"device"})


@dataclass(frozen=True)
class Preset:
    """A model with its training settings. `origins` maps comma-separated names of settings to their source."""

    model: ModelSpec
    training: Training
    origins: Mapping[str, str] = field(default_factory=dict)


def _presets() -> Iterator[Preset]:
    tables = parse_toml(Path(__file__).with_name("presets.toml").read_text(encoding="utf-8"))
    for name, table in tables["presets"].items():
        origins = tables["shared"].get(table.get("shared"), {}) | table.get("origins", {})
        yield Preset(ModelSpec(name, **table["model"]), Training(**table["training"]), origins)


PRESETS: Mapping[str, Preset] = {preset.model.name: preset for preset in _presets()}
