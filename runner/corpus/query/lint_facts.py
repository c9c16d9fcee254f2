"""Collect the facts about a corpus that lint rules use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from fictdsl.compiler import CompiledFilter
from fictdsl.lint.rule_context import CorpusFacts
from fictdsl.schema import FEATURE_PREFIX, TAGS, identifier
from runner.corpus.query.matches import matching_sids
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query
from runner.corpus.store.value_files import FREQUENT
from runner.errors import InputError

if TYPE_CHECKING:
    import duckdb


def gather_facts(
    store: Store, candidates_by_column: Mapping[str, frozenset[str]], filters: Iterable[CompiledFilter]
) -> tuple[CorpusFacts, dict[str, InputError]]:
    """Return the facts about a corpus, and the errors of the filters whose queries failed, by filter name.

    `candidates_by_column` maps columns of words to the values whose presence is looked up.
    """
    sentence_counts: dict[str, int] = {}
    errors: dict[str, InputError] = {}
    for compiled in filters:
        if compiled.key not in sentence_counts:
            try:
                sentence_counts[compiled.key] = len(matching_sids(store, [compiled]))
            except InputError as error:
                errors[compiled.name] = error

    def query_facts(connection: duckdb.DuckDBPyConnection) -> CorpusFacts:
        words_found = {
            column: _existing_values(connection, column, candidates)
            for column, candidates in candidates_by_column.items()
        }
        values = {name: _values_of(connection, store, name, column) for name, column in _value_columns(store).items()}
        values["enhanced"] = _distinct_values(connection, "label", "enhanced")
        return CorpusFacts(store.info.sentences, values, words_found, sentence_counts)

    # no time limit, since only filters have one
    return run_query(store, query_facts, features=store.info.features, seconds=0), errors


def _value_columns(store: Store) -> dict[str, str]:
    """Return the names of features and tags whose values lint uses, with their columns in `tokens`."""
    features = {name: FEATURE_PREFIX + name for name in store.info.features}
    return features | {name: name for name in TAGS}


def _values_of(connection: duckdb.DuckDBPyConnection, store: Store, name: str, column: str) -> tuple[str, ...]:
    counts = store.info.values.get(name, {})
    if 0 < len(counts) < FREQUENT:  # store.json lists all values
        column_values = tuple(sorted(counts, key=lambda value: (-counts[value], value)))
    else:
        column_values = _distinct_values(connection, column, "tokens")
    parts = (
        part for value in column_values for part in (value.split(",") if column.startswith(FEATURE_PREFIX) else [value])
    )
    return tuple(dict.fromkeys(parts))


def _distinct_values(connection: duckdb.DuckDBPyConnection, column: str, table: str) -> tuple[str, ...]:
    name = identifier(column).replace('"', '""')
    query = f'SELECT "{name}" FROM {table} WHERE "{name}" IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1'  # noqa: S608
    return tuple(row[0] for row in connection.execute(query).fetchall())


def _existing_values(connection: duckdb.DuckDBPyConnection, column: str, candidates: frozenset[str]) -> frozenset[str]:
    query = f"SELECT DISTINCT {column} FROM tokens WHERE {column} IN (SELECT unnest(?))"  # noqa: S608
    return frozenset(row[0] for row in connection.execute(query, [sorted(candidates)]).fetchall())
