"""What filters find, sentence by sentence, into how much that is: of each filter, of all, of every two together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from fictdsl.sql.statement import Statement
from runner.corpus.query.matches import checked, in_parts, named, run_select
from runner.corpus.query.shared_ctes import share
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

T = TypeVar("T")

FOUND = "CREATE TEMP TABLE found (filter INTEGER, sid BIGINT, matches BIGINT)"
_ONE = "SELECT filter, sum(matches), count(*), sum(length) FROM found JOIN sentences USING (sid) GROUP BY filter"
_LENGTHS = """CREATE TEMP TABLE lengths AS
    SELECT sid, length FROM sentences WHERE sid IN (SELECT sid FROM found)"""
_EACH = _ONE.replace("sentences", "lengths")
_TOGETHER = """SELECT filters, count(*), sum(length) FROM lengths
    JOIN (SELECT sid, count(*) AS filters FROM found GROUP BY sid) AS each USING (sid) GROUP BY filters"""
_PAIRS = """SELECT a.filter, b.filter, count(*) FROM found AS a
    JOIN found AS b ON a.sid = b.sid AND a.filter < b.filter GROUP BY ALL"""


@dataclass(slots=True)
class Tally:
    """What some filters find, each named by its place.

    `matches`, `sentences` and `words` (of these sentences) are those of each filter; `exactly` and `words_of` the
    sentences, and their words, that so many of the filters match; `both` the sentences that two filters match, the
    first named first.
    """

    matches: Counter[int] = field(default_factory=Counter)
    sentences: Counter[int] = field(default_factory=Counter)
    words: Counter[int] = field(default_factory=Counter)
    exactly: Counter[int] = field(default_factory=Counter)
    words_of: Counter[int] = field(default_factory=Counter)
    both: Counter[tuple[int, int]] = field(default_factory=Counter)

    def add(self, connection: duckdb.DuckDBPyConnection, filters: int) -> None:
        """Add what a table `found` of some filters says of sentences that were not counted before, each only once."""
        if filters > 1:
            connection.execute(_LENGTHS)
        for place, matches, sentences, words in connection.execute(_EACH if filters > 1 else _ONE).fetchall():
            self.matches[place] += int(matches)
            self.sentences[place] += sentences
            self.words[place] += int(words)
        if filters == 1:
            self.exactly, self.words_of = +Counter({1: self.sentences[0]}), +Counter({1: self.words[0]})
            return
        for together, sentences, words in connection.execute(_TOGETHER).fetchall():
            self.exactly[together] += sentences
            self.words_of[together] += int(words)
        for first, second, sentences in connection.execute(_PAIRS).fetchall():
            self.both[first, second] += sentences


def tally(store: Store, statements: Sequence[Statement]) -> Tally:
    """Count what statements find in a store; no row leaves the database."""
    whole = Tally()
    for _ in counted(store, statements, lambda connection: whole.add(connection, len(statements))):
        pass
    return whole


def counted(
    store: Store, statements: Sequence[Statement], work: Callable[[duckdb.DuckDBPyConnection], T]
) -> Iterator[T]:
    """What `work` makes of each part of a store in which statements were run: their matches by sentence are `found`."""
    tables = dict.fromkeys(["sentences", *(table for each in statements for table in named(each.text))])
    features = dict.fromkeys(name for statement in statements for name in statement.features)
    shared = share(statements)
    with store.connect(tables=()) as connection:
        queries = [by_sentence(checked(connection, text)) for text in shared.texts]
        before = [f'CREATE TEMP TABLE "{name}" AS {checked(connection, text)}' for name, text in shared.tables.items()]

    def count(connection: duckdb.DuckDBPyConnection) -> T:
        for statement in (FOUND, *before):
            connection.execute(statement)
        for place, query in enumerate(queries):
            connection.execute(f"INSERT INTO found SELECT {place}, sid, matches FROM ({query})")  # noqa: S608
        return work(connection)

    return in_parts(store, features, tables, count)


def given(store: Store, found: Iterable[pa.Table], work: Callable[[duckdb.DuckDBPyConnection], T]) -> T:
    """What `work` makes of a store and what was found elsewhere, which becomes `found`.

    That is for each filter, in order, the sentences and how many matches each has.
    """
    tables = list(found)

    def insert(connection: duckdb.DuckDBPyConnection) -> T:
        connection.execute(FOUND)
        for place, table in enumerate(tables):
            connection.register("rows", table)
            connection.execute("INSERT INTO found SELECT ?, sid, matches FROM rows", [place])
        return work(connection)

    return run_query(store, insert, tables=["sentences"])


def by_sentence(matches: str) -> str:
    """How many of the rows of a query each sentence has."""
    return f"SELECT sid, count(*) AS matches FROM ({matches}) AS found GROUP BY sid"  # noqa: S608


def tally_of(store: Store, found: Iterable[pa.Table]) -> Tally:
    """Count what was found elsewhere."""
    whole, tables = Tally(), list(found)
    given(store, tables, lambda connection: whole.add(connection, len(tables)))
    return whole


def columns(names: Sequence[str]) -> Callable[[duckdb.DuckDBPyConnection], pa.Table]:
    """What makes of `found` a row for each sentence in corpus order: its place, and each filter's matches there."""
    sums = "".join(
        f", CAST(coalesce(sum(matches) FILTER (filter = {place}), 0) AS INTEGER) AS m{place}"
        for place in range(len(names))
    )
    query = f"""SELECT source, number, sent_id{sums} FROM found JOIN sentences USING (sid)
        GROUP BY sid, source, number, sent_id ORDER BY sid"""  # noqa: S608

    def make(connection: duckdb.DuckDBPyConnection) -> pa.Table:
        return run_select(connection, query).rename_columns(["source", "number", "sent_id", *names])

    return make
