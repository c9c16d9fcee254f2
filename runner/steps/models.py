"""Resolve `[[model]]`: presets with changed sizes, architectures of `transformers`, and saved models."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import nearest
from runner.errors import InputError
from runner.manifest.model import PRESET_OVERRIDES, Model, names_a_step
from runner.manifest.text import ManifestText
from runner.model.recipe import PADDING_REASON, ModelSpec, depends_on_padding, kind_and_positions
from runner.model.training import PRESETS, Training, TrainSpec
from runner.steps.paths import ManifestPaths
from runner.toml_text import entries, key_hint
from runner.workspace import sha256_path

T = TypeVar("T")
FULL = "full"
# by architecture, the sizes that it does not have
ABSENT_SIZES = {"lstm": ("heads", "feedforward", "positions", "attention_dropout")}


@dataclass(frozen=True)
class SavedFolder:
    path: Path
    digest: str


@dataclass(frozen=True)
class BranchPoint:
    condition: str
    step: int


@dataclass(frozen=True)
class ModelEntry:
    model: ModelSpec
    training: TrainSpec
    origin: Path | None = None  # the folder of a saved model that is trained further
    branch: BranchPoint | None = None  # the step on another condition from which training continues

    @property
    def content(self) -> dict[str, Any]:
        return {"model": self.model.content, "training": self.training.content}


def read_models(paths: ManifestPaths) -> dict[str, ModelEntry]:
    draft, problems, models = paths.draft, paths.problems, dict[str, ModelEntry]()
    for index, entry in entries(draft.raw.get("model")):
        name = entry.get("preset")
        if isinstance(name, str) and name not in PRESETS:
            problems.append(unknown_name(draft, "preset", name, PRESETS, "model", index, "preset"))
        is_branch = isinstance(entry.get("from"), str) and names_a_step(entry["from"])
        folder = None if is_branch else entry.get("from")
        origin = saved_folder(paths, folder, "model", "model", index, "from")
        saved = None if origin is None else _collected(problems, _saved_spec, draft, index, str(name), origin)
        if draft.manifest is None:
            continue
        model = draft.manifest.model[index]
        preset = None if model.preset is None else PRESETS.get(model.preset)
        is_new = model.origin is None or is_branch
        spec = _collected(problems, _new_spec, draft, index, model) if is_new else saved
        branch = _collected(problems, _branch_point, draft, index, str(model.origin)) if is_branch else None
        if spec is None or (preset is None and model.architecture is None):
            continue
        defaults = Training() if preset is None else preset.training
        training = TrainSpec.of(defaults, [draft.manifest.training, model.training])
        problems += _repeated_order_problems(draft, model.label, training)
        problems += training_problems(draft, index, model, spec, training)
        models[model.label] = ModelEntry(spec, training, None if origin is None else origin.path, branch)
    return models


def _collected(problems: list[Diagnostic], make: Callable[..., T], *arguments: Any) -> T | None:
    try:
        return make(*arguments)
    except InputError as error:
        problems += error.diagnostics
        return None


def training_problems(
    draft: ManifestText, index: int, model: Model, spec: ModelSpec, training: TrainSpec
) -> Iterator[Diagnostic]:
    if training.epochs == 0 and model.is_branch:
        reason = "a branch continues the training of another model, but this model has epochs = 0"
        yield _invalid(draft, reason, "model", index, "from")
    if spec.masked and training.frame == "none":
        table = ("model", index, "training") if "frame" in model.training.model_fields_set else ("training",)
        yield _invalid(draft, "a masked model reads the special tokens of its tokenizer", *table, "frame")


def _invalid(draft: ManifestText, reason: str, *keys: str | int) -> Diagnostic:
    key = ".".join(key for key in keys if isinstance(key, str))
    return draft.problem("FICT604", *keys, key=key, reason=reason)


def _branch_point(draft: ManifestText, index: int, text: str) -> BranchPoint:
    assert draft.manifest is not None
    conditions = [FULL, *(condition.name for condition in draft.manifest.condition)]
    name, _, step_text = text.partition("@")
    step = step_text.removeprefix("step-")
    if not re.fullmatch("step-[1-9][0-9]{0,14}", step_text):
        nearest_name = nearest(name, conditions) or FULL
        suggested_step = "".join(re.findall("[0-9]+", step_text)[:1]).lstrip("0") or "5000"
        reason = f"`{text}` is not CONDITION@step-N, such as `{nearest_name}@step-{suggested_step}`"
    elif name not in conditions:
        raise InputError(unknown_name(draft, "condition", name, conditions, "model", index, "from"))
    elif any(condition.placebo_draws for condition in draft.manifest.condition if condition.name == name):
        reason = f"{name} has several draws and therefore no model of its own"
    elif any(condition.reads_once for condition in draft.manifest.condition):
        reason = (
            "a condition fixes the order of its rows, which must be read from the first row, but a branch begins later"
        )
    else:
        return BranchPoint(name, int(step))
    raise InputError(_invalid(draft, reason, "model", index, "from"))


def _new_spec(draft: ManifestText, index: int, model: Model) -> ModelSpec | None:
    if model.architecture is not None:
        return _architecture_spec(draft, index, model, model.architecture)
    preset = PRESETS.get(str(model.preset))
    if preset is None:
        return None
    spec, overrides = replace(preset.model, **model.preset_overrides), model.preset_overrides
    for name in ABSENT_SIZES.get(spec.architecture, ()):
        if name in overrides:
            reason = f"an {spec.architecture.upper()} has no such size"
            raise InputError(_invalid(draft, reason, "model", index, name.replace("_", "-")))
    if spec.heads > 1 and spec.hidden % spec.heads:
        key = next((name for name in ("heads", "hidden") if name in overrides), PRESET_OVERRIDES[0])
        reason = f"hidden {spec.hidden} is not a multiple of heads {spec.heads}"
        raise InputError(_invalid(draft, reason, "model", index, key))
    return spec


def _architecture_spec(draft: ManifestText, index: int, model: Model, name: str) -> ModelSpec:
    from runner.model import architectures

    model_type = architectures.model_type(name)
    if model_type is None:
        known = {"lstm", *architectures.model_types()} - {architectures.LSTM}
        raise InputError(unknown_name(draft, "architecture", name, known, "model", index, "architecture"))
    if reason := architectures.unavailable_reason(model_type):
        raise InputError(_invalid(draft, reason, "model", index, "architecture"))
    keys = {key.replace("-", "_"): key for key in reversed(model.config)}  # the first of two spellings
    known_keys = architectures.known_keys(model_type)
    problems = [_unknown_key(draft, index, keys[key], model_type) for key in keys if key not in known_keys]
    problems += [
        _invalid(draft, f"`{keys[key.replace('-', '_')]}` is the same key", "model", index, "config", key)
        for key in model.config
        if key not in keys.values()
    ]
    config = {key: model.config[keys[key]] for key in keys}
    if not problems:
        problems = [
            _invalid(draft, reason, "model", index, "config", keys.get(key, key))
            for key, reason in architectures.problems(model_type, config)
        ]
    if problems:
        raise InputError(problems)
    masked = architectures.is_masked_type(model_type, config)
    positions = architectures.max_positions(model_type, config)
    return ModelSpec(name, model_type, positions=positions, masked=masked, config=config)


def _unknown_key(draft: ManifestText, index: int, key: str, model_type: str) -> Diagnostic:
    from runner.model.architectures import DERIVED, known_keys

    if key.replace("-", "_") in DERIVED:
        return _invalid(draft, "it follows from the tokenizer and the rows", "model", index, "config", key)
    hint = key_hint(key.replace("-", "_"), known_keys(model_type))
    return draft.problem("FICT602", "model", index, "config", key, key=key, where=f"config of {model_type}", hint=hint)


def saved_folder(paths: ManifestPaths, text: Any, kind: str, *key_path: str | int) -> SavedFolder | None:
    path = paths.single(text, kind, *key_path) if isinstance(text, str) else None
    return None if path is None else SavedFolder(path, sha256_path(path))


def unknown_name(draft: ManifestText, kind: str, name: str, known: Iterable[str], *key_path: str | int) -> Diagnostic:
    names = sorted(known)
    nearest_name = nearest(name, names)
    hint = f"the nearest is `{nearest_name}`" if nearest_name else f"known: {', '.join(names)}"
    return draft.problem("FICT605", *key_path, kind=kind, name=name, hint=hint)


def _saved_spec(draft: ManifestText, index: int, name: str, saved: SavedFolder) -> ModelSpec:
    try:
        kind, positions = kind_and_positions(saved.path)
        depends = depends_on_padding(saved.path)
    except InputError as error:
        span = draft.span("model", index, "from")
        raise InputError([replace(problem, source=draft.source, span=span) for problem in error.diagnostics]) from error
    if depends:
        raise InputError(_invalid(draft, PADDING_REASON, "model", index, "from"))
    return ModelSpec(name, "saved", 0, 0, positions=positions, saved=saved.digest, masked=kind == "masked")


def _repeated_order_problems(draft: ManifestText, label: str, training: TrainSpec) -> Iterator[Diagnostic]:
    assert draft.manifest is not None
    if training.epochs is not None and training.epochs <= 1:
        return
    length = f"{training.tokens} tokens" if training.epochs is None else f"{training.epochs:g} epochs"
    for index, condition in enumerate(draft.manifest.condition):
        if (intervention := condition.reads_once) is not None:
            parameters = {"condition": condition.name, "model": label, "length": length}
            hint = "`epochs = 1` reads it once"
            yield draft.problem("FICT645", "condition", index, intervention.key, hint=hint, **parameters)
