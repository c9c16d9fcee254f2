"""Read a manifest, and report all mistakes that need no other file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import nearest
from fictdsl.source import Source, Span
from runner.errors import InputError
from runner.manifest.model import ConditionTable, Manifest
from runner.readers import parse_toml, read_document, real_path, text_reason
from runner.toml_tables import independent_errors, keys_at, reason_of, valid_table
from runner.toml_text import KeyPath, entries, key_hint, key_positions, nearest_span, toml_error


@dataclass(frozen=True)
class ManifestText:
    """A manifest file after parsing, as raw TOML and as model, None if it is rejected. Both may have problems."""

    source: Source
    raw: dict[str, Any]
    manifest: Manifest | None
    problems: tuple[Diagnostic, ...]
    positions: dict[KeyPath, Span] = field(repr=False, default_factory=dict)

    @property
    def folder(self) -> FilePath:
        assert self.source.path is not None
        return self.source.path.parent

    def span(self, *path: str | int) -> Span:
        return nearest_span(self.positions, path)

    def problem(self, code: str, *path: str | int, hint: str | None = None, **parameters: Any) -> Diagnostic:
        return diagnostic(code, self.source, self.span(*path), hint=hint, **parameters)


def read_draft(path: FilePath) -> ManifestText:
    """Read and check a manifest file; `problems` are those in its content. Raises InputError (FICT600, FICT601)."""
    try:
        text = read_document(path).decode("utf-8-sig")
    except OSError as error:
        nearest_name = nearest(path.name, [file.name for file in path.parent.glob("*.toml")])
        hint = f"the nearest file is {path.parent / nearest_name}" if nearest_name else None
        reason = error.strerror or str(error)
        raise InputError.of("FICT600", path=path, reason=reason.lower(), hint=hint) from None
    except UnicodeDecodeError as error:
        raise InputError.of("FICT600", path=path, reason=text_reason(error)) from None
    return draft_of(Source.of(text, str(path), real_path(path)))


def draft_of(source: Source) -> ManifestText:
    try:
        raw = parse_toml(source.text)
    except tomllib.TOMLDecodeError as error:
        span, reason = toml_error(source.text, error)
        raise InputError.of("FICT601", source, span, reason=reason) from None
    positions = key_positions(source.text)
    try:
        manifest = Manifest.model_validate(raw, by_name=False)
    except ValidationError as error:
        draft = ManifestText(source, raw, None, (), positions)
        problems = [_problem(draft, detail) for detail in independent_errors(error.errors(include_url=False))]
        problems += _unknown_conditions(draft, _valid_conditions(raw))
        return ManifestText(source, raw, None, tuple(problems), positions)
    draft = ManifestText(source, raw, manifest, (), positions)
    return ManifestText(source, raw, manifest, tuple(_cross_checks(draft, manifest)), positions)


def _table_name(path: KeyPath, raw: dict[str, Any]) -> str:
    match path:
        case ():
            return "the manifest"
        case (name,):
            return f"[{name}]"
        case (name, int(index)):
            return f"[[{name}]] {_label(raw.get(str(name)), index) or f'number {index + 1}'}"
    table = path[: 2 if isinstance(path[1], int) else 1]
    keys = ".".join(str(step) for step in path[len(table) :] if not isinstance(step, int))
    return f"`{keys}` of {_table_name(table, raw)}"


def _label(tables: Any, index: int) -> str | None:
    entry = tables[index] if isinstance(tables, list) and index < len(tables) else None
    names = (entry.get(key) for key in ("name", "preset", "architecture")) if isinstance(entry, dict) else ()
    return next((name for name in names if name), None)


def _problem(draft: ManifestText, error: ErrorDetails) -> Diagnostic:
    path: KeyPath = tuple(error["loc"])
    kind, key, parent = error["type"], str(path[-1]) if path else "", path[:-1]
    if kind == "extra_forbidden":
        hint = key_hint(key, keys_at(Manifest, parent))
        return draft.problem("FICT602", *path, key=key, where=_table_name(parent, draft.raw), hint=hint)
    if kind == "missing":
        return draft.problem("FICT603", *path, key=key, where=_table_name(parent, draft.raw))
    dotted_key = ".".join(str(step) for step in path if not isinstance(step, int)) or "manifest"
    return draft.problem("FICT604", *path, key=dotted_key, reason=reason_of(error))


def _cross_checks(draft: ManifestText, manifest: Manifest) -> Iterator[Diagnostic]:
    yield from _unknown_conditions(draft, dict(enumerate(manifest.condition)))
    yield from _unused_factors(draft, manifest)
    for kind, names in (
        ("condition", [condition.name for condition in manifest.condition]),
        ("model", [model.label for model in manifest.model]),
        ("evaluate", [suite.name for suite in manifest.evaluate]),
    ):
        first_spelling: dict[str, str] = {}
        for index, name in enumerate(names):
            other = first_spelling.setdefault(name.casefold(), name)
            if other != name:
                yield draft.problem("FICT611", kind, index, "name", kind=kind, name=name, other=other)
            elif name in names[:index]:
                yield draft.problem("FICT606", kind, index, "name", kind=kind, name=name)


def _valid_conditions(raw: dict[str, Any]) -> dict[int, ConditionTable]:
    conditions = {index: valid_table(ConditionTable, entry) for index, entry in entries(raw.get("condition"))}
    return {index: condition for index, condition in conditions.items() if condition is not None}


def _unknown_conditions(draft: ManifestText, conditions: Mapping[int, ConditionTable]) -> Iterator[Diagnostic]:
    invalid_names = [entry.get("name") for i, entry in entries(draft.raw.get("condition")) if i not in conditions]
    for index, condition in conditions.items():
        for (*keys, other), intervention in condition.references:
            eligible_names = [
                candidate.name
                for candidate in conditions.values()
                if candidate is not condition and candidate.may_be_named(intervention)
            ]
            if other not in eligible_names and other not in invalid_names:
                nearest_name = nearest(other, eligible_names)
                names = ", ".join(eligible_names) or "none"
                requirement = f"conditions with {intervention.controls[0]}: {names}"
                hint = f"the nearest is `{nearest_name}`" if nearest_name else requirement
                yield draft.problem("FICT605", "condition", index, *keys, kind="condition", name=other, hint=hint)


def _unused_factors(draft: ManifestText, manifest: Manifest) -> Iterator[Diagnostic]:
    key = "checkpoints-factor"
    parameters = {"key": f"training.{key}", "reason": "it requires checkpoints-from, which it multiplies"}
    checkpoint_starts = [model.training.checkpoints_from for model in manifest.model]
    if manifest.training.checkpoints_from is None:
        if "checkpoints_factor" in manifest.training.model_fields_set and not any(checkpoint_starts):
            yield draft.problem("FICT604", "training", key, **parameters)
        for index, model in enumerate(manifest.model):
            if "checkpoints_factor" in model.training.model_fields_set and checkpoint_starts[index] is None:
                yield draft.problem("FICT604", "model", index, "training", key, **parameters)
