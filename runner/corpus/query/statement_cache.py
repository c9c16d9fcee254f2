"""A compiled filter and a store to the statement that is run there, remembered in the user's cache.

To plan a filter and to write it as SQL takes longer than to count with an index. What was written once is read again
where filter, store, index and the compiler's own files are the same; a file that is damaged or cannot be read is none.
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


def statement_for(store: Store, compiled: CompiledFilter) -> Statement:
    """The statement in DuckDB's dialect for the layout of a store."""
    layout = store.layout
    offered = _plain(replace(layout, counts=None))  # the counts are the store's
    name = key(_compiler(), ir.canonical(compiled.ir), store.key, offered)
    file = cache_folder() / "statements" / f"{name}.json"
    found = _recall(file)
    if found is None:
        found = compiled.statement(layout=layout)
        _remember(file, found)
    return found


def _plain(value: object) -> object:
    """A layout as JSON can say it, always in the same way."""
    match value:
        case frozenset():
            return sorted(map(str, value))
        case tuple() | list():
            return [_plain(item) for item in value]
        case None | bool() | int() | float() | str():
            return value
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}  # type: ignore[arg-type]


def _recall(file: Path) -> Statement | None:
    try:
        content: dict[str, Any] = parse_json(file.read_bytes())
        digest = content.pop("sha256")
        if digest != key(content):
            return None
        lists = {name: tuple(content[name]) for name in ("names", "features")}
        return Statement(**content | lists | {"tables": tuple((name, text) for name, text in content["tables"])})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _remember(file: Path, found: Statement) -> None:
    content = asdict(found)
    try:
        write_text(file, json.dumps({**content, "sha256": key(content)}))
    except (OSError, InputError):
        return  # a cache that cannot be written costs time, never an answer


@cache
def _compiler() -> list[object]:
    """What a statement depends on beside filter and store: the compiler's files, and the library that writes SQL."""
    roots = [Path(__file__).parents[1], Path(ir.__file__).parents[1]]
    library = find_spec("sqlglot")
    if library is not None and library.origin is not None:
        roots.append(Path(library.origin).parent)
    return [entry for root in roots for entry in _stamps(root)]


def _stamps(root: Path) -> list[list[object]]:
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            status = os.stat(os.path.join(folder, name))  # noqa: PTH116, PTH118 - asked hundreds of times
            found.append([folder, name, status.st_size, status.st_mtime_ns])
    return found
