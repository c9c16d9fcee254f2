"""Cache the SQL of compiled filters in the user's cache.

Planning a filter and generating its SQL takes longer than counting with an index. The cache key covers the filter, the
store, its index and the compiler's own files; a damaged or unreadable file is ignored.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, fields, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fictdsl.cache import cache_folder
from fictdsl.semantics import ir
from fictdsl.sql.statement import Statement
from runner.corpus.store.opening import Store
from runner.errors import InputError
from runner.readers import parse_json
from runner.workspace import key, write_text

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter


def cached_statement(store: Store, compiled: CompiledFilter) -> Statement:
    """Return the statement in DuckDB's dialect for the layout of a store."""
    layout = store.layout
    layout_json = _as_json(replace(layout, counts=None))  # the key of the store covers its counts
    name = key(_compiler_state(), ir.canonical(compiled.ir), store.key, layout_json)
    file = cache_folder() / "statements" / f"{name}.json"
    statement = _load(file)
    if statement is None:
        statement = compiled.statement(layout=layout)
        _save(file, statement)
    return statement


def _as_json(value: object) -> object:
    """Return a layout as JSON-like values in a canonical order."""
    match value:
        case frozenset():
            return sorted(map(str, value))
        case tuple() | list():
            return [_as_json(item) for item in value]
        case None | bool() | int() | float() | str():
            return value
    return {field.name: _as_json(getattr(value, field.name)) for field in fields(value)}  # type: ignore[arg-type]


def _load(file: Path) -> Statement | None:
    try:
        content: dict[str, Any] = parse_json(file.read_bytes())
        digest = content.pop("sha256")
        if digest != key(content):
            return None
        lists = {name: tuple(content[name]) for name in ("names", "features")}
        return Statement(**content | lists | {"tables": tuple((name, text) for name, text in content["tables"])})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _save(file: Path, statement: Statement) -> None:
    content = asdict(statement)
    try:
        write_text(file, json.dumps({**content, "sha256": key(content)}))
    except (OSError, InputError):
        return  # without a cache, statements are generated again


@cache
def _compiler_state() -> list[object]:
    """Return sizes and modification times of the compiler's files, and of the library that generates SQL."""
    roots = [Path(__file__).parents[1], Path(ir.__file__).parents[1]]
    library = find_spec("sqlglot")
    if library is not None and library.origin is not None:
        roots.append(Path(library.origin).parent)
    return [entry for root in roots for entry in _stamps(root)]


def _stamps(root: Path) -> list[list[object]]:
    stamps = []
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            status = os.stat(os.path.join(folder, name))  # noqa: PTH116, PTH118 - called hundreds of times
            stamps.append([folder, name, status.st_size, status.st_mtime_ns])
    return stamps
