"""Count matches, sentences, words, overlaps and the rows of each step of a plan, on any engine."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, ClassVar, TypeVar

from fictdsl.sql.statement import CommonTableExpression, Statement, with_clause
from runner.corpus.matches import check_select, distinct_sids, run_in_parts, run_select, run_statements
from runner.corpus.run_query import run_query
from runner.corpus.store import Store

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import pyarrow as pa

    from fictdsl.compiler import CompiledFilter
    from fictdsl.plan.nodes import Plan
    from fictdsl.sql.emit import StepQuery


def share_ctes(statements: Sequence[Statement]) -> tuple[dict[str, str], list[str]]:
    """Return the queries of tables for the materialized CTEs that several statements share, and the other texts."""
    frequencies = Counter(key for statement in statements for key in {cte.key for cte in statement.ctes})
    tables: dict[str, str] = {}
    texts = []
    for statement in statements:
        ctes = {cte.name: cte for cte in statement.ctes}
        shared = {
            name: f"shared_{cte.key[:16]}"
            for name, cte in ctes.items()
            if cte.materialized and frequencies[cte.key] > 1
        }
        required = _required(statement.matches.reads, ctes, shared)
        for name in required:
            if name in shared:
                dependencies = _required(ctes[name].reads, ctes, {})
                definitions = with_clause(ctes[dependency].definition for dependency in dependencies)
                tables.setdefault(shared[name], definitions + ctes[name].query)
        definitions = with_clause(
            f'"{name}" AS (FROM "{shared[name]}")' if name in shared else ctes[name].definition for name in required
        )
        texts.append(definitions + statement.matches.text)
    return tables, texts


def _required(reads: Iterable[str], ctes: Mapping[str, CommonTableExpression], shared: Mapping[str, str]) -> list[str]:
    required: set[str] = set()
    pending = list(reads)
    while pending:
        name = pending.pop()
        if name not in required:
            required.add(name)
            pending += () if name in shared else ctes[name].reads
    return [name for name in ctes if name in required]


T = TypeVar("T")

_CREATE_MATCH_COUNTS = "CREATE TEMP TABLE match_counts (filter INTEGER, sid BIGINT, matches BIGINT)"
_TOTALS = """SELECT filter, sum(matches), count(*), sum(length)
    FROM match_counts JOIN sentences USING (sid) GROUP BY filter"""
_LENGTHS = """CREATE TEMP TABLE lengths AS
    SELECT sid, length FROM sentences WHERE sid IN (SELECT sid FROM match_counts)"""
_TOTALS_FROM_LENGTHS = _TOTALS.replace("sentences", "lengths")
_BY_NUMBER_OF_FILTERS = """SELECT filters, count(*), sum(length) FROM lengths
    JOIN (SELECT sid, count(*) AS filters FROM match_counts GROUP BY sid) AS each USING (sid) GROUP BY filters"""
_PAIRS = """SELECT a.filter, b.filter, count(*) FROM match_counts AS a
    JOIN match_counts AS b ON a.sid = b.sid AND a.filter < b.filter GROUP BY ALL"""


@dataclass(slots=True)
class Tally:
    matches: Counter[int] = field(default_factory=Counter)
    sentences: Counter[int] = field(default_factory=Counter)
    words: Counter[int] = field(default_factory=Counter)  # of the sentences
    sentences_by_filter_count: Counter[int] = field(default_factory=Counter)  # that exactly n filters match, by n
    words_by_filter_count: Counter[int] = field(default_factory=Counter)
    sentences_of_pair: Counter[tuple[int, int]] = field(default_factory=Counter)  # that both match; lower index first

    def add(self, other: Tally) -> None:
        for counts in fields(self):
            getattr(self, counts.name).update(getattr(other, counts.name))


def _tally_part(connection: duckdb.DuckDBPyConnection, filter_count: int) -> Tally:
    part = Tally()
    if filter_count > 1:
        connection.execute(_LENGTHS)
    for index, matches, sentences, words in connection.execute(
        _TOTALS_FROM_LENGTHS if filter_count > 1 else _TOTALS
    ).fetchall():
        part.matches[index] = int(matches)
        part.sentences[index] = sentences
        part.words[index] = int(words)
    if filter_count == 1:
        part.sentences_by_filter_count = +Counter({1: part.sentences[0]})
        part.words_by_filter_count = +Counter({1: part.words[0]})
        return part
    for count, sentences, words in connection.execute(_BY_NUMBER_OF_FILTERS).fetchall():
        part.sentences_by_filter_count[count] = sentences
        part.words_by_filter_count[count] = int(words)
    for first, second, sentences in connection.execute(_PAIRS).fetchall():
        part.sentences_of_pair[first, second] = sentences
    return part


def _matches_per_sentence(matches: str) -> str:
    return f"SELECT sid, count(*) AS matches FROM ({matches}) AS match_rows GROUP BY sid"  # noqa: S608


def sentence_rows(names: Sequence[str]) -> Callable[[duckdb.DuckDBPyConnection], pa.Table]:
    """Return a function that reads the rows of `match_counts`. A filter `source` has the column `source::matches`."""
    sentence_columns = ["source", "number", "sent_id"]
    filter_columns = [f"{name}::matches" if name in sentence_columns else name for name in names]
    sums = "".join(
        f", CAST(coalesce(sum(matches) FILTER (filter = {index}), 0) AS INTEGER) AS m{index}"
        for index in range(len(names))
    )
    query = f"""SELECT source, number, sent_id{sums} FROM match_counts JOIN sentences USING (sid)
        GROUP BY sid, source, number, sent_id ORDER BY sid"""  # noqa: S608

    def read(connection: duckdb.DuckDBPyConnection) -> pa.Table:
        return run_select(connection, query).rename_columns([*sentence_columns, *filter_columns])

    return read


@dataclass(frozen=True, slots=True)
class Query:
    """A SELECT, ordered by `sid`. `matches` is another SELECT, whose result is the table `matches`."""

    text: str
    tables: tuple[str, ...]
    features: tuple[str, ...]
    matches: str | None = None

    @classmethod
    def of(cls, statement: Statement, text: str, matches: str | None = None) -> Query:
        return cls(text, statement.tables, statement.features, matches)


class Engine(ABC):
    """Counts the matches of filters in a store. A kind of engine defines `dialect` and `run`.

    The other methods need only `run`; an engine overrides `count` if its database can count. `count` may split the
    store into parts, which share no sentence, so the results of `work` can be added.
    """

    dialect: ClassVar[str]

    def __init__(self, store: Store) -> None:
        self.store = store
        self.layout = store.layout

    @abstractmethod
    def run(self, query: Query) -> Iterator[pa.Table]:
        """Yield the rows in corpus order as one or more tables."""

    def matches(self, compiled: CompiledFilter) -> Iterator[pa.Table]:
        statement = self._statement(compiled)
        return self.run(Query.of(statement, statement.text))

    def sids(self, filters: Iterable[CompiledFilter]) -> np.ndarray:
        """Return the ids (`sid`) of the sentences that match at least one filter, ascending."""
        statements = map(self._statement, filters)
        queries = (Query.of(statement, statement.sentences_text) for statement in statements)
        return distinct_sids(table for query in queries for table in self.run(query))

    def tally(self, filters: Sequence[CompiledFilter]) -> Tally:
        total = Tally()
        for part in self.count(filters, lambda connection: _tally_part(connection, len(filters))):
            total.add(part)
        return total

    def by_sentence(self, filters: Sequence[CompiledFilter], names: Sequence[str]) -> Iterator[pa.Table]:
        """Yield the rows of `sentence_rows` for the sentences that any filter matches, as one or more tables."""
        return self.count(filters, sentence_rows(names))

    def count(self, filters: Sequence[CompiledFilter], work: Callable[[duckdb.DuckDBPyConnection], T]) -> Iterator[T]:
        """Yield the result of `work`, which can read the table `match_counts`, for one or more parts of the store."""
        tables = list(map(self._match_counts, filters))

        def insert(connection: duckdb.DuckDBPyConnection) -> T:
            connection.execute(_CREATE_MATCH_COUNTS)
            for index, table in enumerate(tables):
                connection.register("rows", table)
                connection.execute("INSERT INTO match_counts SELECT ?, sid, matches FROM rows", [index])
            return work(connection)

        yield run_query(self.store, insert, tables=["sentences"])

    def target_counts(self, compiled: CompiledFilter) -> dict[str, int]:
        """Return the number of targets of each action `count`, by its text."""
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
        query = Query.of(statement, f"{_matches_per_sentence(statement.text)} ORDER BY sid")
        return pa.concat_tables(self.run(query))

    def _statement(self, compiled: CompiledFilter) -> Statement:
        return compiled.statement(self.dialect, self.layout)


class LocalEngine(Engine):
    dialect = "duckdb"

    def count(self, filters: Sequence[CompiledFilter], work: Callable[[duckdb.DuckDBPyConnection], T]) -> Iterator[T]:
        """Count in the database. `work` may be called again on a smaller part, as by `run_in_parts`."""
        statements = [self._statement(compiled) for compiled in filters]
        tables, texts = share_ctes(statements)
        with self.store.connect(tables=()) as connection:
            queries = [_matches_per_sentence(check_select(connection, text)) for text in texts]
            definitions = [
                f'CREATE TEMP TABLE "{name}" AS {check_select(connection, text)}' for name, text in tables.items()
            ]

        def insert(connection: duckdb.DuckDBPyConnection) -> T:
            for statement in (_CREATE_MATCH_COUNTS, *definitions):
                connection.execute(statement)
            for index, query in enumerate(queries):
                connection.execute(f"INSERT INTO match_counts SELECT {index}, sid, matches FROM ({query})")  # noqa: S608
            return work(connection)

        return run_statements(self.store, statements, insert, tables=("sentences",))

    def run(self, query: Query) -> Iterator[pa.Table]:
        return answer_query(self.store, query)


def answer_query(store: Store, query: Query, chunks: Sequence[int] | None = None) -> Iterator[pa.Table]:
    def work(connection: duckdb.DuckDBPyConnection) -> pa.Table:
        if query.matches is not None:
            connection.register("matches", run_select(connection, query.matches))
        return run_select(connection, query.text)

    return run_in_parts(store, query.features, query.tables, work, chunks)


@dataclass
class StepCounts:
    rows: int = 0
    seconds: float = 0.0


@dataclass
class PlanCounts:
    steps: list[StepCounts]
    matches: StepCounts = field(default_factory=StepCounts)
    sentences: int = 0


@dataclass(frozen=True)
class ExplainedPlan:
    texts: list[str]
    estimated: list[int]
    counts: PlanCounts


def describe_plan(compiled: CompiledFilter, plan: Plan) -> list[str]:
    from fictdsl.english.steps import describe_steps
    from fictdsl.semantics.lower import node_names
    from fictdsl.semantics.resolve import resolve

    return describe_steps(plan, node_names(resolve(compiled.module), compiled.definition, compiled.value))


def explain_plan(store: Store, compiled: CompiledFilter) -> ExplainedPlan:
    from fictdsl.plan.build import estimates

    plan = compiled.plan_for(store.layout)
    return ExplainedPlan(describe_plan(compiled, plan), estimates(plan, store.layout), run_steps(store, plan))


def run_steps(store: Store, plan: Plan) -> PlanCounts:
    """Run the steps of a plan in order. The result of each is a temporary table, which later steps read."""
    from fictdsl.sql.emit import step_queries  # late: counting needs no planner once a statement is cached

    queries, result_query = step_queries(plan, layout=store.layout)

    def work(connection: duckdb.DuckDBPyConnection) -> tuple[list[StepCounts], StepCounts, int]:
        steps = [_run_step(connection, query) for query in queries]
        started = time.perf_counter()
        result = run_select(connection, result_query.text)
        matches = StepCounts(result.num_rows, time.perf_counter() - started)
        return steps, matches, len(result.column("sid").unique())

    total = PlanCounts([StepCounts() for _ in plan.relations])
    for steps, matches, sentences in run_in_parts(store, result_query.features, result_query.tables, work):
        total.sentences += sentences
        counted = [
            (total.steps[query.step], counts)
            for query, counts in zip(queries, steps, strict=True)
            if query.step is not None
        ]
        for sums, counts in (*counted, (total.matches, matches)):
            sums.rows += counts.rows
            sums.seconds += counts.seconds
    return total


def _run_step(connection: duckdb.DuckDBPyConnection, query: StepQuery) -> StepCounts:
    started = time.perf_counter()
    if query.name is None:
        rows = run_select(connection, f"SELECT count(*) FROM ({query.text})").column(0)[0].as_py()  # noqa: S608
    else:
        connection.execute(f'CREATE TEMP TABLE "{query.name}" AS {query.text}')
        rows = connection.table(query.name).count("*").fetchall()[0][0]
    return StepCounts(int(rows), time.perf_counter() - started)
