"""Count the matches, sentences and words of filters, and their overlaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from fictdsl.sql.statement import Statement
from runner.corpus.query.matches import check_select, run_in_parts, run_select
from runner.corpus.query.shared_ctes import share_ctes
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

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
        """Add the counts of other sentences, for the same filters."""
        self.matches.update(other.matches)
        self.sentences.update(other.sentences)
        self.words.update(other.words)
        self.sentences_by_filter_count.update(other.sentences_by_filter_count)
        self.words_by_filter_count.update(other.words_by_filter_count)
        self.sentences_of_pair.update(other.sentences_of_pair)


def tally(store: Store, statements: Sequence[Statement]) -> Tally:
    """Return the counts of the filters with these statements."""
    total = Tally()
    # a part that runs out of memory is counted again in halves, so only the counts of complete parts are added
    for part in count_in_parts(store, statements, lambda connection: _tally_part(connection, len(statements))):
        total.add(part)
    return total


def _tally_part(connection: duckdb.DuckDBPyConnection, filter_count: int) -> Tally:
    """Return the counts in the table `match_counts`."""
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
