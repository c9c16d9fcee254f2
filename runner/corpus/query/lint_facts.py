"""A store and what files ask of it into the facts that lint is given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from fictdsl.compiler import CompiledFilter
from fictdsl.lint.corpus_facts import CorpusFacts
from fictdsl.plan.layout import FEATURE, identifier
from runner.corpus.query.matches import matching_sids
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query
from runner.corpus.store.schema import FREQUENT
from runner.errors import InputError

if TYPE_CHECKING:
    import duckdb


def gather(
    store: Store, words: Mapping[str, frozenset[str]], filters: Iterable[CompiledFilter]
) -> tuple[CorpusFacts, list[str]]:
    """The facts, and the names of the filters that found no answer within the time that the store's limits allow."""
    matching: dict[str, int] = {}
    unanswered: list[str] = []
    for each in filters:
        if each.key not in matching:
            try:
                matching[each.key] = len(matching_sids(store, [each.statement(layout=store.layout)]))
            except InputError:
                unanswered.append(each.name)

    def work(connection: duckdb.DuckDBPyConnection) -> CorpusFacts:
        found = {column: _present(connection, column, asked) for column, asked in words.items()}
        values = {name: _values(connection, store, name, column) for name, column in _columns(store).items()}
        values["enhanced"] = _distinct(connection, "label", "enhanced")
        return CorpusFacts(store.info.sentences, values, found, matching)

    return run_query(store, work, features=store.info.features, seconds=0), unanswered  # the time is for filters


def _columns(store: Store) -> dict[str, str]:
    """What has values that lint looks at, and its column in `tokens`."""
    features = {name: FEATURE + name for name in store.info.features}
    return features | {name: name for name in ("upos", "xpos", "deprel")}


def _values(connection: duckdb.DuckDBPyConnection, store: Store, name: str, column: str) -> tuple[str, ...]:
    counted = store.info.values.get(name, {})
    if 0 < len(counted) < FREQUENT:
        whole = tuple(sorted(counted, key=lambda value: (-counted[value], value)))
    else:
        whole = _distinct(connection, column, "tokens")
    parts = (part for value in whole for part in (value.split(",") if column.startswith(FEATURE) else [value]))
    return tuple(dict.fromkeys(parts))


def _distinct(connection: duckdb.DuckDBPyConnection, column: str, table: str) -> tuple[str, ...]:
    name = identifier(column).replace('"', '""')
    query = f'SELECT "{name}" FROM {table} WHERE "{name}" IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1'  # noqa: S608
    return tuple(row[0] for row in connection.execute(query).fetchall())


def _present(connection: duckdb.DuckDBPyConnection, column: str, asked: frozenset[str]) -> frozenset[str]:
    query = f"SELECT DISTINCT {column} FROM tokens WHERE {column} IN (SELECT unnest(?))"  # noqa: S608
    return frozenset(row[0] for row in connection.execute(query, [sorted(asked)]).fetchall())
