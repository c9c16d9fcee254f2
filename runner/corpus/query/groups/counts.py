"""Count a filter's matches for each combination of values of some keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fictdsl.schema import TABLES
from runner.corpus.query.groups.sql import ABSENT, UNBOUND, QueryBuilder
from runner.corpus.query.groups.totals import words_by_values
from runner.corpus.query.groups.values import GroupKey, SentenceAttribute
from runner.corpus.query.matches import match
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from fictdsl.compiler import CompiledFilter

__all__ = ["ABSENT", "UNBOUND", "GroupCount", "count_groups", "counts_table"]

_FUNCTIONS = {"min": "min", "max": "max", "mean": "avg"}


@dataclass(frozen=True, slots=True)
class GroupCount:
    """The values of the keys, the number of matches with them, and their share of all matches.

    `words` is the number of words in the sentences that have the values of the keys of sentences, such as `genre`.
    `aggregates` has the values of the keys that are aggregates, in order. A value is None if no match has a number.
    """

    values: tuple[str, ...]
    matches: int
    share: float
    words: int
    aggregates: tuple[float | None, ...] = ()

    @property
    def per_million_words(self) -> float:
        """The matches per million words."""
        return 1e6 * self.matches / self.words


def count_groups(store: Store, compiled: CompiledFilter, keys: Sequence[GroupKey]) -> list[GroupCount]:
    """Return the counts, sorted by descending frequency and then by values.

    A value is `_` if the word or sentence lacks the attribute, and `(unbound)` if the match does not bind the name.
    """
    builder, group_keys = QueryBuilder(compiled.names), [key for key in keys if key.aggregate is None]
    query = _query(builder, group_keys, [key for key in keys if key.aggregate is not None])
    tables = {"match_rows": match(store, compiled)}
    tables |= {table: match(store, extended) for table, extended in builder.extended_filters.items()}

    def work(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
        for name, rows in tables.items():
            connection.register(name, rows)
        return connection.execute(query, builder.parameters).fetchall()

    rows = run_query(store, work, features=builder.features, tables=(*TABLES, *sorted(builder.computed)))
    total = sum(row[-1] for row in rows)
    sentence_keys = [index for index, key in enumerate(group_keys) if isinstance(key.value, SentenceAttribute)]
    words = words_by_values(store, [group_keys[index] for index in sentence_keys])
    return [
        GroupCount(
            row[: len(group_keys)],
            row[-1],
            row[-1] / total,
            words[tuple(row[index] for index in sentence_keys)],
            row[len(group_keys) : -1],
        )
        for row in rows
        if row[-1]
    ]


def counts_table(store: Store, compiled: CompiledFilter, keys: Sequence[GroupKey]) -> pa.Table:
    """Return the counts as a table.

    Its columns are the keys, `matches`, `share`, `per_million_words` and the aggregates. The text of a key or an
    aggregate is the name of its column.
    """
    import pyarrow as pa

    rows = count_groups(store, compiled, keys)
    group_names = [key.text for key in keys if key.aggregate is None]
    aggregate_names = [key.text for key in keys if key.aggregate is not None]
    columns = [pa.array([row.values[index] for row in rows], pa.string()) for index in range(len(group_names))]
    columns.append(pa.array([row.matches for row in rows], pa.int64()))
    columns.append(pa.array([row.share for row in rows], pa.float64()))
    columns.append(pa.array([row.per_million_words for row in rows], pa.float64()))
    columns += [
        pa.array([row.aggregates[index] for row in rows], pa.float64()) for index in range(len(aggregate_names))
    ]
    return pa.Table.from_arrays(
        columns, names=[*group_names, "matches", "share", "per_million_words", *aggregate_names]
    )


def _query(builder: QueryBuilder, groups: Sequence[GroupKey], aggregates: Sequence[GroupKey]) -> str:
    """Return the query for the values of the groups, the aggregates, and the number of matches."""
    values = [f"{builder.key(key)} AS k{index}" for index, key in enumerate(groups)]
    values += [f"{builder.number(key.value)} AS a{index}" for index, key in enumerate(aggregates)]
    names = [f"k{index}" for index in range(len(groups))]
    columns = [*names, *(f"{_FUNCTIONS[str(key.aggregate)]}(a{i})::DOUBLE" for i, key in enumerate(aggregates))]
    grouping_clause = f"GROUP BY {', '.join(names)} ORDER BY n DESC, {', '.join(names)}" if names else ""
    rows = f"SELECT {', '.join(values)} FROM match_rows AS f {' '.join(builder.joins)}"  # noqa: S608
    return f"SELECT {', '.join(columns)}, count(*) AS n FROM ({rows}) {grouping_clause}"  # noqa: S608
