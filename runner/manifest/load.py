"""TOML text to a `Draft`: the checked manifest where it is sound, every mistake with its line where it is not."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.source import Source, Span
from runner.errors import InputError
from runner.manifest.model import Manifest
from runner.manifest.positions import Path, key_positions, nearest_span, toml_error
from runner.readers import parse_toml, read_document, real_path

# What pydantic says in the words of Python, in those of TOML.
_TABLE = "it should be a table"
_REASONS = {"tuple_type": "it should be a list", "model_type": _TABLE, "dict_type": _TABLE, "too_short": "it is empty"}


@dataclass(frozen=True)
class Draft:
    """A manifest as read: `manifest` is None where `problems` keep it from being one; `raw` is the plain TOML."""

    source: Source
    raw: dict[str, Any]
    manifest: Manifest | None
    problems: tuple[Diagnostic, ...]
    positions: dict[Path, Span] = field(repr=False, default_factory=dict)

    @property
    def folder(self) -> FilePath:
        """The folder that relative paths start from."""
        assert self.source.path is not None
        return self.source.path.parent

    def span(self, *path: str | int) -> Span:
        """Where a key stands, or its nearest parent."""
        return nearest_span(self.positions, path)

    def problem(self, code: str, *path: str | int, hint: str | None = None, **parameters: Any) -> Diagnostic:
        """A diagnostic at a key of this manifest."""
        return diagnostic(code, self.source, self.span(*path), hint=hint, **parameters)


def read_draft(path: FilePath) -> Draft:
    """Read and check a manifest file. Raises InputError only where there is no TOML to look at."""
    try:
        text = read_document(path).decode("utf-8-sig")
    except OSError as error:
        near = difflib.get_close_matches(path.name, [p.name for p in path.parent.glob("*.toml")], 1)
        hint = f"there is {path.parent / near[0]}" if near else None
        reason = error.strerror or str(error)
        raise InputError(diagnostic("FICT600", path=path, reason=reason.lower(), hint=hint)) from None
    except UnicodeDecodeError as error:
        reason = f"byte {error.start} is not UTF-8"
        raise InputError(diagnostic("FICT600", path=path, reason=reason)) from None
    source = Source.of(text, str(path), real_path(path))
    try:
        raw = parse_toml(source.text)
    except tomllib.TOMLDecodeError as error:
        span, reason = toml_error(source.text, error)
        raise InputError(diagnostic("FICT601", source, span, reason=reason)) from None
    positions = key_positions(source.text)
    try:
        manifest = Manifest.model_validate(raw)
    except ValidationError as error:
        draft = Draft(source, raw, None, (), positions)
        problems = tuple(_problem(draft, detail) for detail in _distinct(error.errors(include_url=False)))
        return Draft(source, raw, None, problems, positions)
    draft = Draft(source, raw, manifest, (), positions)
    return Draft(source, raw, manifest, tuple(_cross_checks(draft, manifest)), positions)


def _distinct(errors: list[ErrorDetails]) -> Iterator[ErrorDetails]:
    """The errors but those that only follow from another: a list seems too short where its entries are wrong."""
    for error in errors:
        inside = (other for other in errors if len(other["loc"]) > len(error["loc"]))
        if error["type"] != "too_short" or not any(
            other["loc"][: len(error["loc"])] == error["loc"] for other in inside
        ):
            yield error


def _where(path: Path, raw: dict[str, Any]) -> str:
    """`[[condition]] no-pp` rather than a bare index."""
    if not path:
        return "the manifest"
    if len(path) >= 2 and isinstance(path[1], int):
        entry = raw.get(str(path[0]))
        here = entry[path[1]] if isinstance(entry, list) and path[1] < len(entry) else {}
        label = here.get("name") or here.get("preset") if isinstance(here, dict) else None
        return f"[[{path[0]}]] {label or f'number {path[1] + 1}'}"
    return f"[{path[0]}]"


def _fields_at(path: Path) -> list[str]:
    """The keys that may stand at a path of the manifest."""
    model: Any = Manifest
    for step in path:
        if isinstance(step, int):
            continue
        by_alias = {(info.alias or name): info.annotation for name, info in model.model_fields.items()}
        model = next(iter(_models(by_alias.get(step))), None)
        if model is None:
            return []
    return [info.alias or name for name, info in model.model_fields.items()]


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in getattr(annotation, "__args__", ()):
        yield from _models(part)


def _problem(draft: Draft, error: ErrorDetails) -> Diagnostic:
    path: Path = tuple(error["loc"])
    kind, key, parent = error["type"], str(path[-1]) if path else "", path[:-1]
    if kind == "extra_forbidden":
        known = _fields_at(parent)
        near = difflib.get_close_matches(key, known, 1, 0.6)
        hint = f"the nearest key is `{near[0]}`" if near else f"known keys: {', '.join(known)}"
        return draft.problem("FICT602", *path, key=key, where=_where(parent, draft.raw), hint=hint)
    if kind == "missing":
        return draft.problem("FICT603", *path, key=key, where=_where(parent, draft.raw))
    reason = _REASONS.get(kind, error["msg"].removeprefix("Value error, "))
    reason = reason[:1].lower() + reason[1:]
    value = error.get("input")
    if isinstance(value, (str, int, float, bool)):
        reason += f", found {value!r}"
    named = ".".join(str(step) for step in path if not isinstance(step, int)) or "manifest"
    return draft.problem("FICT604", *path, key=named, reason=reason)


def _cross_checks(draft: Draft, manifest: Manifest) -> Iterator[Diagnostic]:
    yield from _unknown_conditions(draft, manifest)
    yield from _useless_factors(draft, manifest)
    for kind, names in (
        ("condition", [condition.name for condition in manifest.condition]),
        ("model", [model.label for model in manifest.model]),
        ("evaluate", [suite.name for suite in manifest.evaluate]),
    ):
        first: dict[str, str] = {}
        for index, name in enumerate(names):
            other = first.setdefault(name.casefold(), name)
            if other != name:
                yield draft.problem("FICT611", kind, index, "name", kind=kind, name=name, other=other)
            elif name in names[:index]:
                yield draft.problem("FICT606", kind, index, "name", kind=kind, name=name)


def _unknown_conditions(draft: Draft, manifest: Manifest) -> Iterator[Diagnostic]:
    """Controls of conditions that are not there, or do not do what the control is to be like."""
    for index, condition in enumerate(manifest.condition):
        for (*keys, other), does in condition.controls():
            able = [one.name for one in manifest.condition if one.does(does) and one is not condition]
            if other not in able:
                near = difflib.get_close_matches(other, able, 1)
                hint = (
                    f"the nearest is `{near[0]}`" if near else f"conditions that {does[0]}: {', '.join(able) or 'none'}"
                )
                yield draft.problem("FICT605", "condition", index, *keys, kind="condition", name=other, hint=hint)


def _useless_factors(draft: Draft, manifest: Manifest) -> Iterator[Diagnostic]:
    """Factors of checkpoints with nothing to multiply, neither there nor in what is for all models or of one."""
    key = "checkpoints-factor"
    told = {"key": f"training.{key}", "reason": "it multiplies checkpoints-from, and there is none"}
    shared, begins = manifest.training, [model.training.checkpoints_from for model in manifest.model]
    if shared.checkpoints_from is None:
        if shared.checkpoints_factor is not None and not any(begins):
            yield draft.problem("FICT604", "training", key, **told)
        for index, model in enumerate(manifest.model):
            if model.training.checkpoints_factor is not None and begins[index] is None:
                yield draft.problem("FICT604", "model", index, "training", key, **told)
