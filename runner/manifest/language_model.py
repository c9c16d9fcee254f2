"""`[[model]]`: a language model, as a preset, an architecture of the `transformers` library or a saved model."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field, JsonValue, model_validator

from runner.model.training import Share, Training
from runner.toml_tables import Name, Range, TomlTable

UNIGRAM = "unigram"  # the name of the frequency baseline among the models of a report
_SETTING = Range(-(10**12), 10**12, "sizes and rates of models are far smaller")
_PUBLISHED = "no published model has more"
PRESET_OVERRIDES = ("layers", "hidden", "heads", "feedforward", "positions", "dropout", "attention_dropout")


class Model(TomlTable):
    """`[[model]]`: a language model, with a name and training settings of its own.

    It is a preset, whose sizes other keys may change, or an `architecture`: a model type of the `transformers` library,
    whose configuration has the settings in `config`. `from` is the folder of a saved model, which is trained further
    with the settings of the preset, or `CONDITION@step-N`: the model is first trained on that condition for N steps.
    """

    preset: str | None = None
    architecture: str | None = None
    config: dict[str, Annotated[JsonValue, AfterValidator(_SETTING.check_all)]] = Field(default_factory=dict)
    origin: str | None = Field(None, alias="from")
    name: Name | None = None
    layers: Annotated[int, Range(1, 1000, _PUBLISHED)] | None = None
    hidden: Annotated[int, Range(1, 100_000, _PUBLISHED)] | None = None
    heads: Annotated[int, Range(1, 1000, _PUBLISHED)] | None = None
    feedforward: Annotated[int, Range(1, 1_000_000, _PUBLISHED)] | None = None
    positions: Annotated[int, Range(2, 10_000_000, _PUBLISHED)] | None = None
    dropout: Share | None = Field(None, strict=False)
    attention_dropout: Share | None = Field(None, strict=False)
    training: Training = Training()

    @model_validator(mode="after")
    def _check_kind(self) -> Model:
        if (self.preset is None) == (self.architecture is None):
            raise ValueError("exactly one of preset and architecture is required")
        if self.config and self.architecture is None:
            raise ValueError("config requires architecture; a preset is changed by keys such as layers and hidden")
        if self.preset_overrides and self.preset is None:
            raise ValueError(
                f"{_key(next(iter(self.preset_overrides)))} requires preset; the sizes of an architecture are in config"
            )
        if self.origin is not None and not self.is_branch and (self.preset_overrides or self.architecture is not None):
            key = "architecture" if self.architecture is not None else _key(next(iter(self.preset_overrides)))
            raise ValueError(f"{key} and from exclude each other; a saved model has its own architecture and sizes")
        return self

    @model_validator(mode="after")
    def _check_name(self) -> Model:
        if self.label == UNIGRAM:
            raise ValueError(f'"{UNIGRAM}" is the name of the baseline; choose another name')
        return self

    @property
    def label(self) -> str:
        """The name of the model in results: `name`, or that of the preset or the architecture."""
        return self.name or self.preset or str(self.architecture)

    @property
    def is_branch(self) -> bool:
        """Whether `from` names a training step, such as `full@step-5000`, rather than a folder."""
        return self.origin is not None and names_a_step(self.origin)

    @property
    def preset_overrides(self) -> dict[str, Any]:
        """The sizes and dropout rates that are set, by field of `ModelSpec`."""
        return {name: value for name in PRESET_OVERRIDES if (value := getattr(self, name)) is not None}


def names_a_step(text: str) -> bool:
    """Return whether a value of `from` names a training step rather than a folder."""
    return "@" in text and "/" not in text


def _key(field: str) -> str:
    return field.replace("_", "-")
