"""A cache of statements in the user's cache folder.

Planning a filter and generating its SQL imports sqlglot and reads the counts of the store, which takes longer than
running the query on a small corpus. An entry is valid only for the same core form, dialect and layout, the same
version of Python, and the same source code of fictdsl and sqlglot.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

from fictdsl.cache import cache_folder, content_digest, load_entry, store_entry
from fictdsl.plan.layout import Layout
from fictdsl.semantics import ir
from fictdsl.sql.statement import Statement


def cached_statement(
    path: Path | None, name: str, core: ir.Filter, dialect: str, layout: Layout, emit: Callable[[], Statement]
) -> Statement:
    """Return the statement of a filter in the file `path`, from the cache or else from `emit`.

    A filter has at most 16 entries, so the cache does not grow with every change of the filter or of a store. Filters
    that are not in a file are not cached.
    """
    if path is None:
        return emit()
    content = json.dumps([ir.canonical(core), dialect, layout.content]).encode()
    digest = content_digest(("fictdsl", "sqlglot"), content)
    filter_digest = hashlib.sha256(os.fsencode(f"{os.path.realpath(path)}\n{name}")).hexdigest()[:32]
    entry_path = cache_folder() / "statements" / f"{filter_digest}-{hashlib.sha256(content).hexdigest()[0]}"
    statement: Statement | None = load_entry(entry_path, digest)
    if statement is None:
        statement = emit()
        store_entry(entry_path, digest, statement)
    return statement
