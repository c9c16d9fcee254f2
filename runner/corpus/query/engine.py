"""What is asked of a store, whoever answers: questions in SQL, and the engine that runs them here."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fictdsl.plan.layout import PLAIN, Layout
from runner.corpus.query.matches import in_parts, named, run_select
from runner.corpus.query.statement_cache import statement_for
from runner.corpus.query.tally import Tally, by_sentence, columns, counted, given, tally, tally_of
from runner.corpus.store.opening import Store

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import pyarrow as pa

    from fictdsl.compiler import CompiledFilter
    from fictdsl.sql.context import Dialect
    from fictdsl.sql.statement import Statement


@dataclass(frozen=True, slots=True)
class Question:
    """A SELECT over the tables of a store, and over `matches` where `matches` is the SELECT that makes that table.

    `features` are those whose columns it reads; it is answered in order of `sid`.
    """

    text: str
    features: tuple[str, ...]
    matches: str | None = None


class Engine(ABC):
    """What answers questions about one store."""

    dialect: ClassVar[Dialect]
    layout: Layout = PLAIN  # what its tables offer

    def __init__(self, store: Store) -> None:
        self.store = store

    @abstractmethod
    def ask(self, question: Question) -> Iterator[pa.Table]:
        """The rows, a table at a time and in corpus order; there is at least one table."""

    def matches(self, compiled: CompiledFilter) -> Iterator[pa.Table]:
        """Every match: columns `sid` and `m0, m1, …` (word ids, NULL where unbound), in order, none twice."""
        statement = self._statement(compiled)
        return self.ask(Question(statement.text, statement.features))

    def sids(self, filters: Iterable[CompiledFilter]) -> np.ndarray:
        """The numbers of the sentences that match at least one of the filters: int64, ascending, none twice."""
        import numpy as np

        found = [np.empty(0, np.int64)]
        for statement in map(self._statement, filters):
            question = Question(statement.sentences, statement.features)
            found += [table.column("sid").to_numpy() for table in self.ask(question)]
        return np.unique(np.concatenate(found))

    def tally(self, filters: Sequence[CompiledFilter]) -> Tally:
        """How much the filters find, each by itself and together."""
        return tally_of(self.store, map(self._by_sentence, filters))

    def by_sentence(self, filters: Sequence[CompiledFilter], names: Sequence[str]) -> Iterator[pa.Table]:
        """A row for each sentence that any of the filters matches, in corpus order: source, number and sent_id, and
        for each filter, under its name, how many matches it has there; a table at a time, and at least one."""
        yield given(self.store, map(self._by_sentence, filters), columns(names))

    def targets(self, compiled: CompiledFilter) -> dict[str, int]:
        """For each `count` of a filter, as it is written, how many distinct targets it has."""
        if all(action.verb != "count" for action in compiled.ir.actions):
            return {}
        statement = self._statement(compiled)
        sentences = all(action.target == "sentence" for action in compiled.ir.actions)  # which sentences, will do then
        matches = statement.sentences if sentences else statement.text
        counted = {
            written: Question(targets.distinct, statement.features, matches)
            for written, targets in zip(compiled.actions, compiled.targets(self.dialect), strict=True)
            if targets.action.verb == "count"
        }
        return {written: sum(table.num_rows for table in self.ask(each)) for written, each in counted.items()}

    def _by_sentence(self, compiled: CompiledFilter) -> pa.Table:
        import pyarrow as pa

        statement = self._statement(compiled)
        return pa.concat_tables(self.ask(Question(f"{by_sentence(statement.text)} ORDER BY sid", statement.features)))

    def _statement(self, compiled: CompiledFilter) -> Statement:
        return compiled.statement(self.dialect, self.layout)


class Here(Engine):
    """DuckDB in this process."""

    dialect = "duckdb"

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.layout = store.layout

    def _statement(self, compiled: CompiledFilter) -> Statement:
        if self.layout is not self.store.layout:
            return super()._statement(compiled)
        return statement_for(self.store, compiled)

    def tally(self, filters: Sequence[CompiledFilter]) -> Tally:
        """See above; counted inside the database."""
        return tally(self.store, [self._statement(compiled) for compiled in filters])

    def by_sentence(self, filters: Sequence[CompiledFilter], names: Sequence[str]) -> Iterator[pa.Table]:
        """See above; a table for each part of the store."""
        return counted(self.store, [self._statement(compiled) for compiled in filters], columns(names))

    def ask(self, question: Question) -> Iterator[pa.Table]:
        """A table for each part of the store, so that memory stays bounded."""
        return answers(self.store, question)


def answers(store: Store, question: Question, chunks: Sequence[int] | None = None) -> Iterator[pa.Table]:
    """DuckDB's answer, a part of the store at a time; `chunks` are some of its chunks."""

    def answer(connection: duckdb.DuckDBPyConnection) -> pa.Table:
        if question.matches is not None:
            connection.register("matches", run_select(connection, question.matches))
        return run_select(connection, question.text)

    return in_parts(store, question.features, named(question.text + (question.matches or "")), answer, chunks)
