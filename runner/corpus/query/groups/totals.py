"""Count the words of a store by attributes of the sentence, for the relative frequency of matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runner.corpus.query.groups.sql import QueryBuilder
from runner.corpus.query.groups.values import GroupKey
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query

if TYPE_CHECKING:
    import duckdb


def words_by_values(store: Store, keys: Sequence[GroupKey]) -> dict[tuple[str, ...], int]:
    """Return the number of words for each combination of values of keys, which are attributes of the sentence."""
    if not keys:
        return {(): store.info.words}
    builder = QueryBuilder(())
    values = ", ".join(builder.key(key) for key in keys)
    query = (
        f"SELECT {values}, sum(f.words) FROM (SELECT sid, length AS words FROM sentences) AS f "  # noqa: S608
        f"{' '.join(builder.joins)} GROUP BY ALL"
    )

    def work(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
        return connection.execute(query, builder.parameters).fetchall()

    return {tuple(row[:-1]): int(row[-1]) for row in run_query(store, work, tables=["sentences", "meta"])}
