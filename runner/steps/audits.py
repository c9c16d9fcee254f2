"""Read the audits that conditions name: judged sheets of their filters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from fictdsl.words import listed
from runner.conditions.condition import FiltersByKey
from runner.conditions.registry import FILTER_LISTS
from runner.errors import InputError
from runner.steps.paths import ManifestPaths
from runner.toml_text import entries, strings

if TYPE_CHECKING:
    from pathlib import Path

    from fictdsl.compiler import CompiledFilter
    from runner.audit.estimates import Audit
    from runner.audit.sheet import Sheet


T = TypeVar("T")


def read_audits(paths: ManifestPaths, filters: Mapping[str, FiltersByKey]) -> dict[str, tuple[Audit, ...]]:
    """Return the audits of each condition. Two sheets of one filter are those of two judges."""
    audits = {}
    for index, table in entries(paths.draft.raw.get("condition")):
        by_key = filters.get(str(table.get("name")), {})
        own_filters = [compiled for key in FILTER_LISTS for compiled in by_key.get(key, ())]
        key_path = ("condition", index, "audit")
        sheets = _sheets(paths, key_path, strings(table.get("audit")), own_filters)
        found = (_located(paths, key_path, _audit, each) for each in sheets)
        if known := tuple(audit for audit in found if audit is not None):
            audits[str(table.get("name"))] = known
    return audits


_KeyPath = tuple[str | int, ...]


def _sheets(
    paths: ManifestPaths, key_path: _KeyPath, names: Iterable[tuple[int, str]], filters: Sequence[CompiledFilter]
) -> list[list[Sheet]]:
    """Return the sheets by filter."""
    sheets: dict[str, list[Sheet]] = {}
    for index, text in names:
        path = paths.single(text, "sheet", *key_path, index)
        sheet = None if path is None else _located(paths, (*key_path, index), _read, path)
        if sheet is None:
            continue
        if all(compiled.key != sheet.filter_key for compiled in filters):
            changed = "the filter was changed after the sheet was drawn; `fictc audit sheet` draws another"
            hint = changed if any(compiled.name == sheet.filter for compiled in filters) else None
            found = listed([f"{compiled.name} ({compiled.key[:12]})" for compiled in filters]) or "no filter"
            named = {"path": text, "filter": f"{sheet.filter} ({sheet.filter_key[:12]})", "found": found}
            paths.problems.append(paths.draft.problem("FICT658", *key_path, index, hint=hint, **named))
        else:
            sheets.setdefault(sheet.filter_key, []).append(sheet)
    return list(sheets.values())


def _read(path: Path) -> Sheet:
    from runner.audit.sheet import read_sheet

    return read_sheet(path)


def _audit(sheets: Sequence[Sheet]) -> Audit:
    from runner.audit.estimates import audit_of

    if len(sheets) > 2:
        reason = f"a filter has one sheet, or those of two judges; {sheets[0].filter} has {len(sheets)}"
        raise InputError.of("FICT604", key="audit", reason=reason)
    return audit_of(sheets)


def _located(paths: ManifestPaths, key_path: _KeyPath, work: Callable[..., T], *arguments: Any) -> T | None:
    """Return the result, or None with problems at the key of the manifest, unless these are at a place in a file."""
    try:
        return work(*arguments)
    except InputError as error:
        source, span = paths.draft.source, paths.draft.span(*key_path)
        paths.problems.extend(
            each if each.source else replace(each, source=source, span=span) for each in error.diagnostics
        )
        return None
