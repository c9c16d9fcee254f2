"""The SQL statement of a filter, with its dialect and the tables that it reads, and the user's cache of statements.

Planning a filter reads the counts of the store, which takes longer than running the query on a small corpus. An entry
is valid only for the same core form, dialect and layout, the same version of Python, and the same source code of
fictdsl and sqlglot.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.installation import cache_folder, content_digest, load_entry, store_entry
from fictdsl.schema import Layout

if TYPE_CHECKING:
    from fictdsl.semantics import ir


@dataclass(frozen=True, slots=True)
class Dialect:
    """A dialect, under the name that sqlglot gives it.

    `overlap` is the function that tests whether two lists share an element. If `materialized`, a CTE can be declared as
    computed once. If `nested`, a subquery may have CTEs of its own. With `any_of_list`, a value is compared with
    `= ANY` to a list, or to the rows of a long list that is written as one string. With `recursive_distinct`, a
    recursive CTE may use UNION DISTINCT. With `extraction`, extracting what a pattern matches is faster than matching.
    """

    name: str
    overlap: str
    materialized: bool = False
    nested: bool = False
    any_of_list: bool = False
    recursive_distinct: bool = False
    extraction: bool = False


_DIALECTS = (
    Dialect(
        "duckdb",
        "LIST_HAS_ANY",
        materialized=True,
        nested=True,
        any_of_list=True,
        recursive_distinct=True,
        extraction=True,
    ),
    Dialect("spark", "ARRAYS_OVERLAP"),  # sqlglot moves all CTEs to the front of a Spark statement
)
DIALECTS = {dialect.name: dialect for dialect in _DIALECTS}


@dataclass(frozen=True, slots=True)
class Select:
    text: str
    reads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CommonTableExpression:
    """A CTE. In a complete statement, CTEs with equal keys have the same rows, even in other statements.

    `reads` are the names of the CTEs that it reads. They and the key are empty while the statement is constructed.
    """

    name: str
    query: str
    materialized: bool
    reads: tuple[str, ...] = ()
    key: str = ""

    @property
    def definition(self) -> str:
        return f"{quoted(self.name)} AS {'MATERIALIZED ' if self.materialized else ''}({self.query})"


@dataclass(frozen=True, slots=True)
class Statement:
    """A SELECT over tables of a store that returns distinct rows `sid, m0, m1, …`, sorted.

    `m_i` is the id of the word bound to `names[i]`, or NULL if the reading does not bind it. `tables` are the tables
    and sorted copies that it reads, and `features` the features whose columns it reads.

    `text` is a WITH clause of the `ctes`, in order of dependency, followed by `matches`. If a CTE is recursive, `ctes`
    is empty and `matches` contains the WITH clause. `sentences_text` has `matching_sentences` in place of `matches`:
    it returns each `sid` with a match once.
    """

    names: tuple[str, ...]
    features: tuple[str, ...]
    tables: tuple[str, ...]
    dialect: str
    matches: Select
    matching_sentences: Select
    ctes: tuple[CommonTableExpression, ...] = ()

    @property
    def text(self) -> str:
        return with_clause(cte.definition for cte in self.ctes) + self.matches.text

    @property
    def sentences_text(self) -> str:
        return with_clause(cte.definition for cte in self.ctes) + self.matching_sentences.text


def string(value: str) -> str:
    escaped = value.replace("'", "''")
    return f"'{escaped}'"


def quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def with_clause(definitions: Iterable[str], *, recursive: bool = False) -> str:
    definition_list = ", ".join(definitions)
    return f"WITH {'RECURSIVE ' if recursive else ''}{definition_list} " if definition_list else ""


def cached_statement(
    path: Path | None, name: str, core: ir.Filter, dialect: str, layout: Layout, emit: Callable[[], Statement]
) -> Statement:
    """Return a statement from the cache or from `emit`. Only a filter in a file is cached, in at most 16 entries."""
    if path is None:
        return emit()
    from fictdsl.semantics import ir  # an import of a corpus has no filters

    content = json.dumps([ir.canonical(core), dialect, layout.content]).encode()
    digest = content_digest(("fictdsl", "sqlglot"), content)
    filter_digest = hashlib.sha256(os.fsencode(f"{os.path.realpath(path)}\n{name}")).hexdigest()[:32]
    entry_path = cache_folder() / "statements" / f"{filter_digest}-{hashlib.sha256(content).hexdigest()[0]}"
    statement: Statement | None = load_entry(entry_path, digest)
    if statement is None:
        statement = emit()
        store_entry(entry_path, digest, statement)
    return statement
