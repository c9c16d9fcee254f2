"""Check settings of `[training]` that depend on the model or on each other."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.extras import install_hint
from runner.manifest.language_model import Model
from runner.manifest.load import Draft
from runner.model.recipe import ModelSpec, TrainSpec


def training_problems(
    draft: Draft, index: int, model: Model, spec: ModelSpec, training: TrainSpec
) -> Iterator[Diagnostic]:
    """Yield FICT604 for settings that do not fit a model or its trainer.

    `training` combines `[training]` and the `training` of the model.
    """
    yield from _trainer_problems(draft, index, model, training)
    if training.epochs == 0 and model.is_branch:
        reason = "a branch continues the training of another model, but this model has epochs = 0"
        yield _invalid_value(draft, reason, "model", index, "from")
    if spec.masked and training.frame == "none":
        reason = "a masked model reads the special tokens of its tokenizer"
        yield _invalid_value(draft, reason, *_table_path(model.training.frame, index), "frame")


def _trainer_problems(draft: Draft, index: int, model: Model, training: TrainSpec) -> Iterator[Diagnostic]:
    assert draft.manifest is not None
    if training.trainer == "fictc":
        common_arguments = draft.manifest.training.trainer_arguments
        if model.training.trainer_arguments is not None or (
            index == 0 and common_arguments is not None and not _any_uses_transformers(draft)
        ):
            table_path = _table_path(model.training.trainer_arguments, index)
            yield _invalid_value(draft, 'it requires trainer = "hf"', *table_path, "trainer-arguments")
        return
    if model.is_branch:
        reason = 'a branch begins with a state of fictc\'s own trainer, but this model has trainer = "hf"'
        yield _invalid_value(draft, reason, "model", index, "from")
    if find_spec("accelerate") is None:
        table_path = _table_path(model.training.trainer, index)
        yield _invalid_value(draft, f"it requires accelerate: {install_hint('parallel')}", *table_path, "trainer")


def _table_path(model_value: object, index: int) -> tuple[str | int, ...]:
    """Return the path of the table that sets a key: the model's if `model_value` is set, otherwise `[training]`."""
    return ("training",) if model_value is None else ("model", index, "training")


def _any_uses_transformers(draft: Draft) -> bool:
    """Return whether any model is trained by the Transformers `Trainer`."""
    assert draft.manifest is not None
    common_trainer = draft.manifest.training.trainer
    return any((model.training.trainer or common_trainer) == "hf" for model in draft.manifest.model)


def _invalid_value(draft: Draft, reason: str, *keys: str | int) -> Diagnostic:
    key = ".".join(key for key in keys if isinstance(key, str))
    return draft.problem("FICT604", *keys, key=key, reason=reason)
