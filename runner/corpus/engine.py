"""Count matches, sentences, words, overlaps and the rows of each step of a plan, on any engine."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, ClassVar, TypeVar

from fictdsl.schema import PLAIN, Layout
from fictdsl.sql.statement import CommonTableExpression, Statement, with_clause
from runner.corpus.matches import check_select, distinct_sids, run_in_parts, run_select
from runner.corpus.run_query import run_query
from runner.corpus.store import Store

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import pyarrow as pa

    from fictdsl.compiler import CompiledFilter
    from fictdsl.plan.nodes import Plan, Ref
    from fictdsl.sql.emit import StepQuery


@dataclass(frozen=True, slots=True)
class SharedCtes:
    """The SELECTs of the shared tables by name, and the `texts` of the statements, which read these tables."""

    tables: Mapping[str, str]
    texts: Sequence[str]


def share_ctes(statements: Sequence[Statement]) -> SharedCtes:
    """Return tables for the materialized CTEs that several statements share, and statements that read these tables."""
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
                dependencies = _required(ctes[name].query.reads, ctes, {})
                definitions = with_clause(ctes[dependency].definition for dependency in dependencies)
                tables.setdefault(shared[name], definitions + ctes[name].query.text)
        definitions = with_clause(
            f'"{name}" AS (FROM "{shared[name]}")' if name in shared else ctes[name].definition for name in required
        )
        texts.append(definitions + statement.matches.text)
    return SharedCtes(tables, texts)


def _required(reads: Iterable[str], ctes: Mapping[str, CommonTableExpression], shared: Mapping[str, str]) -> list[str]:
    required: set[str] = set()
    pending = list(reads)
    while pending:
        name = pending.pop()
        if name not in required:
            required.add(name)
            pending += () if name in shared else ctes[name].query.reads
    return [name for name in ctes if name in required]


T = TypeVar("T")

CREATE_MATCH_COUNTS = "CREATE TEMP TABLE match_counts (filter INTEGER, sid BIGINT, matches BIGINT)"
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
    """Counts for some filters, which are identified by their indices.

    `matches`, `sentences` and `words` (of these sentences) are counts by filter. `sentences_by_filter_count` has the
    number of sentences that exactly n filters match, by n, and `words_by_filter_count` the number of words of these
    sentences. `sentences_of_pair` has the number of sentences that two filters match, by pair, the lower index first.
    """

    matches: Counter[int] = field(default_factory=Counter)
    sentences: Counter[int] = field(default_factory=Counter)
    words: Counter[int] = field(default_factory=Counter)
    sentences_by_filter_count: Counter[int] = field(default_factory=Counter)
    words_by_filter_count: Counter[int] = field(default_factory=Counter)
    sentences_of_pair: Counter[tuple[int, int]] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        for counts in fields(self):
            getattr(self, counts.name).update(getattr(other, counts.name))


def tally(store: Store, statements: Sequence[Statement]) -> Tally:
    total = Tally()
    # a part that runs out of memory is counted again in halves, so only the counts of complete parts are added
    for part in count_in_parts(store, statements, lambda connection: _tally_part(connection, len(statements))):
        total.add(part)
    return total


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


def count_in_parts(
    store: Store, statements: Sequence[Statement], work: Callable[[duckdb.DuckDBPyConnection], T]
) -> Iterator[T]:
    """Yield the result of `work` for each part of a store. `work` can read the statements' table `match_counts`.

    `work` may be called again on a smaller part (see `run_in_parts`).
    """
    tables = dict.fromkeys(["sentences", *(table for statement in statements for table in statement.tables)])
    features = dict.fromkeys(name for statement in statements for name in statement.features)
    shared = share_ctes(statements)
    with store.connect(tables=()) as connection:
        queries = [matches_per_sentence(check_select(connection, text)) for text in shared.texts]
        definitions = [
            f'CREATE TEMP TABLE "{name}" AS {check_select(connection, text)}' for name, text in shared.tables.items()
        ]

    def count(connection: duckdb.DuckDBPyConnection) -> T:
        for statement in (CREATE_MATCH_COUNTS, *definitions):
            connection.execute(statement)
        for index, query in enumerate(queries):
            connection.execute(f"INSERT INTO match_counts SELECT {index}, sid, matches FROM ({query})")  # noqa: S608
        return work(connection)

    return run_in_parts(store, features, tables, count)


def with_match_counts(
    store: Store, match_counts: Iterable[pa.Table], work: Callable[[duckdb.DuckDBPyConnection], T]
) -> T:
    """Return the result of `work`, which can read a table `match_counts` that another engine has computed.

    `match_counts` has a table for each filter, in order, with the columns `sid` and `matches`.
    """
    tables = list(match_counts)

    def insert(connection: duckdb.DuckDBPyConnection) -> T:
        connection.execute(CREATE_MATCH_COUNTS)
        for index, table in enumerate(tables):
            connection.register("rows", table)
            connection.execute("INSERT INTO match_counts SELECT ?, sid, matches FROM rows", [index])
        return work(connection)

    return run_query(store, insert, tables=["sentences"])


def matches_per_sentence(matches: str) -> str:
    """Return a SELECT of the `sid` and the number of `matches` of each sentence, given a SELECT of matches."""
    return f"SELECT sid, count(*) AS matches FROM ({matches}) AS match_rows GROUP BY sid"  # noqa: S608


def tally_tables(store: Store, match_counts: Iterable[pa.Table]) -> Tally:
    """Count matches that another engine has found. `match_counts` is as in `with_match_counts`."""
    tables = list(match_counts)
    return with_match_counts(store, tables, lambda connection: _tally_part(connection, len(tables)))


def sentence_rows(names: Sequence[str]) -> Callable[[duckdb.DuckDBPyConnection], pa.Table]:
    """Return a function that reads a row for each sentence from `match_counts`.

    A row has the sentence's source, number and sent_id, and the number of matches of each filter. A filter that is
    named like one of the first three columns has the column `NAME::matches`.
    """
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
        return cls(text, statement.tables, statement.features, matches)


class Engine(ABC):
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
        statements = map(self._statement, filters)
        queries = (Query.of(statement, statement.sentences_text) for statement in statements)
        return distinct_sids(table for query in queries for table in self.run(query))

    def tally(self, filters: Sequence[CompiledFilter]) -> Tally:
        return tally_tables(self.store, map(self._match_counts, filters))

    def by_sentence(self, filters: Sequence[CompiledFilter], names: Sequence[str]) -> Iterator[pa.Table]:
        """Yield a row for each sentence that any of the filters matches, in corpus order, as one or more tables.

        The columns are `source`, `number` and `sent_id`, and one column for each filter. A filter's column has the
        filter's name (see `sentence_rows`) and contains its number of matches in the sentence.
        """
        yield with_match_counts(self.store, map(self._match_counts, filters), sentence_rows(names))

    def target_counts(self, compiled: CompiledFilter) -> dict[str, int]:
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
    dialect = "duckdb"

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.layout = store.layout

    def tally(self, filters: Sequence[CompiledFilter]) -> Tally:
        """Count inside the database; see `Engine.tally`."""
        return tally(self.store, [self._statement(compiled) for compiled in filters])

    def by_sentence(self, filters: Sequence[CompiledFilter], names: Sequence[str]) -> Iterator[pa.Table]:
        return count_in_parts(self.store, [self._statement(compiled) for compiled in filters], sentence_rows(names))

    def run(self, query: Query) -> Iterator[pa.Table]:
        return answer_query(self.store, query)


def answer_query(store: Store, query: Query, chunks: Sequence[int] | None = None) -> Iterator[pa.Table]:
    """Run a query in DuckDB on some chunks (default: all), and yield a table for each part of the store."""

    def work(connection: duckdb.DuckDBPyConnection) -> pa.Table:
        if query.matches is not None:
            connection.register("matches", run_select(connection, query.matches))
        return run_select(connection, query.text)

    return run_in_parts(store, query.features, query.tables, work, chunks)


@dataclass
class StepCounts:
    rows: int = 0
    seconds: float = 0.0

    def add(self, other: StepCounts) -> None:
        self.rows += other.rows
        self.seconds += other.seconds


@dataclass
class PlanCounts:
    """The counts of every step of a plan, by index, and of the result.

    `sentences` is the number of sentences with a match. `helper_seconds` is the time of the CTEs that belong to no
    step.
    """

    steps: dict[Ref, StepCounts] = field(default_factory=dict)
    helper_seconds: float = 0.0
    matches: StepCounts = field(default_factory=StepCounts)
    sentences: int = 0

    def add(self, other: PlanCounts) -> None:
        for step, counts in other.steps.items():
            self.steps[step].add(counts)
        self.helper_seconds += other.helper_seconds
        self.matches.add(other.matches)
        self.sentences += other.sentences


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
    from fictdsl.plan.order import estimates

    plan = compiled.plan_for(store.layout)
    return ExplainedPlan(describe_plan(compiled, plan), estimates(plan, store.layout), run_steps(store, plan))


def run_steps(store: Store, plan: Plan) -> PlanCounts:
    """Run the steps of a plan in order, a part of the store at a time. Return the counts of all parts.

    The result of each step is stored in a temporary table, which later steps read.
    """
    from fictdsl.sql.emit import step_queries  # late: counting needs no sqlglot once a statement is cached

    queries, result_query = step_queries(plan, layout=store.layout)
    total = PlanCounts({step: StepCounts() for step in range(len(plan.relations))})

    def work(connection: duckdb.DuckDBPyConnection) -> PlanCounts:
        counts = PlanCounts({step: StepCounts() for step in total.steps})
        for query in queries:
            _run_step(connection, query, counts)
        started = time.perf_counter()
        result = run_select(connection, result_query.text)
        counts.matches = StepCounts(result.num_rows, time.perf_counter() - started)
        counts.sentences = len(result.column("sid").unique())
        return counts

    for counts in run_in_parts(store, result_query.features, result_query.tables, work):
        total.add(counts)
    return total


def _run_step(connection: duckdb.DuckDBPyConnection, query: StepQuery, counts: PlanCounts) -> None:
    started = time.perf_counter()
    if query.name is None:
        rows = int(run_select(connection, f"SELECT count(*) FROM ({query.text})").column(0)[0].as_py())  # noqa: S608
    else:
        connection.execute(f'CREATE TEMP TABLE "{query.name}" AS {query.text}')
        rows = int(connection.table(query.name).count("*").fetchall()[0][0])
    seconds = time.perf_counter() - started
    if query.step is None:
        counts.helper_seconds += seconds
    else:
        counts.steps[query.step].rows += rows
        counts.steps[query.step].seconds += seconds
