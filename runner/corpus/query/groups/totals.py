"""Count the words of a store by an attribute of the sentence, for the relative frequency of matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runner.corpus.query.groups.sql import QueryBuilder
from runner.corpus.query.groups.values import GroupKey
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query

if TYPE_CHECKING:
    import duckdb


def words_by_value(store: Store, key: GroupKey) -> dict[str, int]:
    """Return the number of words for each value of a key, which is an attribute of the sentence."""
    builder = QueryBuilder(())
    value_sql = builder.key(key)
    query = (
        f"SELECT {value_sql} AS value, sum(f.words) FROM (SELECT sid, length AS words FROM sentences) AS f "  # noqa: S608
        f"{' '.join(builder.joins)} GROUP BY value"
    )

    def work(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
        return connection.execute(query, builder.parameters).fetchall()

    return {value: int(words) for value, words in run_query(store, work, tables=["sentences", "meta"])}
