"""Check settings of `[training]` that depend on the model or on each other."""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.manifest.language_model import Model
from runner.manifest.load import Draft
from runner.model.recipe import ModelSpec
from runner.model.training import TrainSpec


def training_problems(
    draft: Draft, index: int, model: Model, spec: ModelSpec, training: TrainSpec
) -> Iterator[Diagnostic]:
    """Yield FICT604 for settings that do not fit a model.

    `training` combines `[training]` and the `training` of the model.
    """
    if training.epochs == 0 and model.is_branch:
        reason = "a branch continues the training of another model, but this model has epochs = 0"
        yield _invalid_value(draft, reason, "model", index, "from")
    if spec.masked and training.frame == "none":
        reason = "a masked model reads the special tokens of its tokenizer"
        yield _invalid_value(draft, reason, *_frame_path(model, index), "frame")


def _frame_path(model: Model, index: int) -> tuple[str | int, ...]:
    """Return the path of the table that sets the frame: the model's, otherwise `[training]`."""
    return ("model", index, "training") if "frame" in model.training.model_fields_set else ("training",)


def _invalid_value(draft: Draft, reason: str, *keys: str | int) -> Diagnostic:
    key = ".".join(key for key in keys if isinstance(key, str))
    return draft.problem("FICT604", *keys, key=key, reason=reason)
