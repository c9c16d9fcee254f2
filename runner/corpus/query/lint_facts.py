"""Collect the facts about a corpus that lint rules use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from fictdsl.compiler import CompiledFilter
from fictdsl.lint.corpus_facts import CorpusFacts
from fictdsl.schema import FEATURE, TAGS, identifier
from runner.corpus.query.matches import matching_sids
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query
from runner.corpus.store.value_files import FREQUENT
from runner.errors import InputError

if TYPE_CHECKING:
    import duckdb


def gather_facts(
    store: Store, words: Mapping[str, frozenset[str]], filters: Iterable[CompiledFilter]
) -> tuple[CorpusFacts, list[str]]:
    """Return the facts, and the names of the filters that exceeded the time limit of the store."""
    match_counts: dict[str, int] = {}
    timed_out: list[str] = []
    for compiled in filters:
        if compiled.key not in match_counts:
            try:
                match_counts[compiled.key] = len(matching_sids(store, [compiled]))
            except InputError:
                timed_out.append(compiled.name)

    def work(connection: duckdb.DuckDBPyConnection) -> CorpusFacts:
        words_found = {column: _occurring(connection, column, candidates) for column, candidates in words.items()}
        values = {name: _values(connection, store, name, column) for name, column in _value_columns(store).items()}
        values["enhanced"] = _distinct(connection, "label", "enhanced")
        return CorpusFacts(store.info.sentences, values, words_found, match_counts)

    return run_query(store, work, features=store.info.features, seconds=0), timed_out  # the limit applies to filters


def _value_columns(store: Store) -> dict[str, str]:
    """Return the names whose values lint uses, each with its column in `tokens`."""
    features = {name: FEATURE + name for name in store.info.features}
    return features | {name: name for name in TAGS}


def _values(connection: duckdb.DuckDBPyConnection, store: Store, name: str, column: str) -> tuple[str, ...]:
    counts = store.info.values.get(name, {})
    if 0 < len(counts) < FREQUENT:
        column_values = tuple(sorted(counts, key=lambda value: (-counts[value], value)))
    else:
        column_values = _distinct(connection, column, "tokens")
    parts = (part for value in column_values for part in (value.split(",") if column.startswith(FEATURE) else [value]))
    return tuple(dict.fromkeys(parts))


def _distinct(connection: duckdb.DuckDBPyConnection, column: str, table: str) -> tuple[str, ...]:
    name = identifier(column).replace('"', '""')
    query = f'SELECT "{name}" FROM {table} WHERE "{name}" IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1'  # noqa: S608
    return tuple(row[0] for row in connection.execute(query).fetchall())


def _occurring(connection: duckdb.DuckDBPyConnection, column: str, candidates: frozenset[str]) -> frozenset[str]:
    query = f"SELECT DISTINCT {column} FROM tokens WHERE {column} IN (SELECT unnest(?))"  # noqa: S608
    return frozenset(row[0] for row in connection.execute(query, [sorted(candidates)]).fetchall())
