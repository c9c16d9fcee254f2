"""Checks of `trainer` and `trainer-arguments`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.extras import install_hint
from runner.manifest.language_model import Model
from runner.manifest.load import Draft
from runner.model.recipe import TrainSpec


def trainer_problems(draft: Draft, index: int, model: Model, training: TrainSpec) -> Iterator[Diagnostic]:
    """Yield FICT604 for settings that do not fit the trainer of a model: the combined `training`."""
    assert draft.manifest is not None
    own, shared = ("model", index, "training"), ("training",)
    if training.trainer == "fictc":
        if model.training.trainer_arguments is not None:
            yield _wrong(draft, 'it requires trainer = "hf"', *own, "trainer-arguments")
        elif index == 0 and draft.manifest.training.trainer_arguments is not None and not _any_uses(draft):
            yield _wrong(draft, 'it requires trainer = "hf"', *shared, "trainer-arguments")
        return
    if model.branches:
        reason = 'a branch begins with the state of fictc\'s own trainer, and this model has trainer = "hf"'
        yield _wrong(draft, reason, "model", index, "from")
    if find_spec("accelerate") is None:
        where = own if model.training.trainer is not None else shared
        yield _wrong(draft, f"it requires accelerate: {install_hint('parallel')}", *where, "trainer")


def _any_uses(draft: Draft) -> bool:
    """Return whether any model is trained by the Trainer of transformers."""
    assert draft.manifest is not None
    shared = draft.manifest.training.trainer
    return any((model.training.trainer or shared) == "hf" for model in draft.manifest.model)


def _wrong(draft: Draft, reason: str, *keys: str | int) -> Diagnostic:
    key = ".".join(key for key in keys if isinstance(key, str))
    return draft.problem("FICT604", *keys, key=key, reason=reason)
