"""The interface of engines that run queries on a store, and the engine in this process."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fictdsl.plan.layout import PLAIN, Layout
from runner.corpus.query.matches import run_in_parts, run_select
from runner.corpus.query.tally import (
    Tally,
    count_in_parts,
    matches_per_sentence,
    sentence_rows,
    tally,
    tally_tables,
    with_match_counts,
)
from runner.corpus.store.opening import Store

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import pyarrow as pa

    from fictdsl.compiler import CompiledFilter
    from fictdsl.sql.statement import Statement


@dataclass(frozen=True, slots=True)
class Query:
    """A SELECT over the tables of a store, ordered by `sid`.

    `tables` are the tables and sorted copies that it reads, and `features` the features whose columns it reads. If
    `matches` is given, it is another SELECT, whose result is the table `matches`.
    """

    text: str
    tables: tuple[str, ...]
    features: tuple[str, ...]
    matches: str | None = None

    @classmethod
    def of(cls, statement: Statement, text: str, matches: str | None = None) -> Query:
        """Create a query with a text that reads the same tables and features as a statement."""
        return cls(text, statement.tables, statement.features, matches)


class Engine(ABC):
    """An engine that runs queries on one store."""

    dialect: ClassVar[str]
    layout: Layout = PLAIN  # the layout of its tables

    def __init__(self, store: Store) -> None:
        self.store = store

    @abstractmethod
    def run(self, query: Query) -> Iterator[pa.Table]:
        """Yield the rows in corpus order as one or more tables."""

    def matches(self, compiled: CompiledFilter) -> Iterator[pa.Table]:
        """Yield all distinct matches, sorted: columns `sid` and `m0, m1, …` (word ids, NULL if unbound)."""
        statement = self._statement(compiled)
        return self.run(Query.of(statement, statement.text))

    def sids(self, filters: Iterable[CompiledFilter]) -> np.ndarray:
        """Return the ids (`sid`) of the sentences that match at least one filter: int64, ascending, distinct."""
        import numpy as np

        parts = [np.empty(0, np.int64)]
        for statement in map(self._statement, filters):
            query = Query.of(statement, statement.sentences_text)
            parts += [table.column("sid").to_numpy() for table in self.run(query)]
        return np.unique(np.concatenate(parts))

    def tally(self, filters: Sequence[CompiledFilter]) -> Tally:
        """Return the counts of each filter and of the overlaps between filters."""
        return tally_tables(self.store, map(self._match_counts, filters))

    def by_sentence(self, filters: Sequence[CompiledFilter], names: Sequence[str]) -> Iterator[pa.Table]:
        """Yield a row for each sentence that any of the filters matches, in corpus order, as one or more tables.

        The columns are `source`, `number` and `sent_id`, and one column for each filter. A filter's column has the
        filter's name (see `sentence_rows`) and contains its number of matches in the sentence.
        """
        yield with_match_counts(self.store, map(self._match_counts, filters), sentence_rows(names))

    def target_counts(self, compiled: CompiledFilter) -> dict[str, int]:
        """Return the number of distinct targets of each action `count` of a filter, by the text of the action."""
        if all(action.verb != "count" for action in compiled.ir.actions):
            return {}
        statement = self._statement(compiled)
        sentences_only = all(action.target == "sentence" for action in compiled.ir.actions)
        matches = statement.sentences_text if sentences_only else statement.text
        queries = {
            text: Query.of(statement, targets.distinct, matches)
            for text, targets in zip(compiled.actions, compiled.targets(self.dialect), strict=True)
            if targets.action.verb == "count"
        }
        return {text: sum(table.num_rows for table in self.run(query)) for text, query in queries.items()}

    def _match_counts(self, compiled: CompiledFilter) -> pa.Table:
        import pyarrow as pa

        statement = self._statement(compiled)
        query = Query.of(statement, f"{matches_per_sentence(statement.text)} ORDER BY sid")
        return pa.concat_tables(self.run(query))

    def _statement(self, compiled: CompiledFilter) -> Statement:
        return compiled.statement(self.dialect, self.layout)


class LocalEngine(Engine):
    """The engine that runs DuckDB in this process."""

    dialect = "duckdb"

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.layout = store.layout

    def tally(self, filters: Sequence[CompiledFilter]) -> Tally:
        """Count inside the database; see `Engine.tally`."""
        return tally(self.store, [self._statement(compiled) for compiled in filters])

    def by_sentence(self, filters: Sequence[CompiledFilter], names: Sequence[str]) -> Iterator[pa.Table]:
        """Yield a table for each part of the store; see `Engine.by_sentence`."""
        return count_in_parts(self.store, [self._statement(compiled) for compiled in filters], sentence_rows(names))

    def run(self, query: Query) -> Iterator[pa.Table]:
        """Yield a table for each part of the store, so that memory stays bounded."""
        return answer_query(self.store, query)


def answer_query(store: Store, query: Query, chunks: Sequence[int] | None = None) -> Iterator[pa.Table]:
    """Run a query in DuckDB on some chunks (default: all), and yield a table for each part of the store."""

    def work(connection: duckdb.DuckDBPyConnection) -> pa.Table:
        if query.matches is not None:
            connection.register("matches", run_select(connection, query.matches))
        return run_select(connection, query.text)

    return run_in_parts(store, query.features, query.tables, work, chunks)
