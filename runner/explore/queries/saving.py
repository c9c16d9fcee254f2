"""Save a query as a filter file in the folder of `--save`, and add sentences to its examples."""

from __future__ import annotations

import re
from pathlib import Path

from fictdsl.compiler import compile_text
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.syntax.printer import format_text
from runner.corpus.query.filters import load_matching, load_rewrites
from runner.errors import InputError
from runner.examples.accept import accept
from runner.explore.queries.query import Query
from runner.explore.queries.settings import existing_sid, store_of
from runner.workspace import write_text

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MAX_NAME = 100  # characters


def save_filter(query: Query, name: str, folder: Path) -> str:
    """Write a new file with the query, and return its path.

    Raises InputError if the name is not a filter name or the file exists (FICT851), or if the query does not
    compile in `folder`.
    """
    path, text = filter_file(query, name, folder)
    if path.exists() or path.is_symlink():
        raise InputError(diagnostic("FICT851", name=name, reason=f"{path} exists"))
    write_text(path, text)
    return str(path)


def filter_file(query: Query, name: str, folder: Path) -> tuple[Path, str]:
    """Return the path and the formatted text of the file that `save_filter` writes.

    Raises InputError if the name is not a filter name (FICT851), or if the query does not compile in `folder`.
    """
    path = _path(name, folder)
    text = query.file_text if query.is_file else query.file_text.replace("filter query", f"filter {name}", 1)
    compilation = compile_text(text, path.name, folder)
    if compilation.errors:
        raise InputError(compilation.errors)
    return path, format_text(text, path.name).text or text


def keep_example(store_index: int, sid: int, name: str, folder: Path) -> list[str]:
    """Add a sentence to the examples of a saved file, with its current result. Return the lines written.

    The example belongs to the filter or rewrite `name` of the file or, if there is none, to its first one. Raises
    InputError as `save_filter` and `accept` do.
    """
    import numpy as np

    from runner.corpus.sentences.lookup import locate

    store = store_of(store_index)
    (location,) = locate(store, np.array([existing_sid(store_index, sid)], np.int64))
    file = str(_path(name, folder))
    filters = load_matching([file])
    compiled = next((each for each in filters if each.name == name), filters[0])
    rewrite = next((each for each in load_rewrites([file]) if each.name == compiled.name), None)
    return list(accept(compiled, rewrite, store.path, f"{location.source}:{location.number}", None, force=False))


def _path(name: str, folder: Path) -> Path:
    if not _NAME.fullmatch(name) or len(name) > _MAX_NAME:
        reason = (
            "a filter name has lowercase letters and digits, may have single hyphens between them, and starts with a "
            "letter"
        )
        raise InputError(diagnostic("FICT851", name=name, reason=reason))
    return folder / f"{name}.fict"
