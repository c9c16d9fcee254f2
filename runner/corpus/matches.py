"""Run the SQL of compiled filters on a store: all matches, ranges, near misses and comparisons."""

from __future__ import annotations

import time
import warnings
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from fictdsl.compiler import CompiledFilter, recompile
from fictdsl.sql.statement import Statement
from runner.corpus.run_query import OutOfTimeError, resource_error, run_query, run_with_timeout
from runner.corpus.store import Store

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import pyarrow as pa


T = TypeVar("T")

_MAX_SIDS = 2_000  # sentence ids in a query
_CHUNKS_PER_PART = 8  # smaller parts need more time to plan queries, larger parts more memory
_Part = tuple[Sequence[int], range | None]  # chunks, and the sentences to read if these are only a part of one chunk


def match(store: Store, compiled: CompiledFilter) -> pa.Table:
    """Return all distinct matches, sorted: columns `sid` and `m0, m1, …` (word ids, NULL if unbound)."""
    import pyarrow as pa

    return pa.concat_tables(match_parts(store, compiled))


def match_parts(store: Store, compiled: CompiledFilter) -> Iterator[pa.Table]:
    statement = store.statement(compiled)
    return _run_statement(store, statement, statement.text)


def match_in(store: Store, compiled: CompiledFilter, sids: np.ndarray) -> pa.Table:
    """Return the matches in the sentences `sids`. If these are few, no other sentences are read."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if len(sids) > _MAX_SIDS:
        selected_sids = pa.array(sids, pa.int64())
        parts = [
            part.filter(pc.is_in(part.column("sid"), value_set=selected_sids)) for part in match_parts(store, compiled)
        ]
        return pa.concat_tables(parts)
    statement = store.statement(compiled)
    return run_query(
        store,
        lambda connection: run_select(connection, statement.text),
        features=statement.features,
        sids=sids.tolist(),
        tables=statement.tables,
    )


def matching_sids(store: Store, filters: Iterable[CompiledFilter]) -> np.ndarray:
    """Return the ids (`sid`) of the sentences that match at least one of the filters: int64, ascending, distinct."""
    statements = map(store.statement, filters)
    return distinct_sids(
        table for statement in statements for table in _run_statement(store, statement, statement.sentences_text)
    )


def distinct_sids(tables: Iterable[pa.Table]) -> np.ndarray:
    import numpy as np

    return np.unique(np.concatenate([np.empty(0, np.int64), *(table.column("sid").to_numpy() for table in tables)]))


def run_in_parts(
    store: Store,
    features: Iterable[str],
    tables: Iterable[str],
    work: Callable[[duckdb.DuckDBPyConnection], T],
    chunks: Sequence[int] | None = None,
    sids: range | None = None,
) -> Iterator[T]:
    """Yield the result of `work`, which receives a connection to `tables`, on each part of a store, in corpus order.

    A part is a few chunks. If memory does not suffice, `work` is called again on single chunks, and then repeatedly on
    halves, so it should change nothing outside. `chunks` are consecutive (default: all), and `sids` are some sentences
    of a single chunk. Raises InputError (FICT746) if memory does not suffice for one sentence, or if the time limit of
    the store is exceeded.
    """
    import duckdb

    features, tables = tuple(features), tuple(tables)
    seconds_left = store.limits.timeout
    chunk_numbers = range(store.info.chunks) if chunks is None else chunks
    starts = range(0, len(chunk_numbers), _CHUNKS_PER_PART)
    parts: list[_Part] = [(chunk_numbers[start : start + _CHUNKS_PER_PART], sids) for start in reversed(starts)]
    while parts:
        (part_chunks, part_sids), started = parts.pop(), time.monotonic()
        selected_chunks = None if len(part_chunks) == store.info.chunks else part_chunks
        with store.reading():
            try:
                result = run_with_timeout(
                    store, work, seconds_left, features=features, chunks=selected_chunks, sids=part_sids, tables=tables
                )
            except duckdb.OutOfMemoryException as error:
                smaller_parts = _split_part(store, part_chunks, part_sids)
                if not smaller_parts:
                    raise resource_error(store, error) from error
                parts += smaller_parts
                continue
        if seconds_left:
            seconds_left = max(0.001, seconds_left - (time.monotonic() - started))
        yield result


def run_statements(
    store: Store,
    statements: Collection[Statement],
    work: Callable[[duckdb.DuckDBPyConnection], T],
    chunks: Sequence[int] | None = None,
    sids: range | None = None,
    *,
    tables: Iterable[str] = (),
) -> Iterator[T]:
    """Call `run_in_parts` with the features and tables that some statements read, and further `tables`."""
    features = dict.fromkeys(name for statement in statements for name in statement.features)
    all_tables = dict.fromkeys([*tables, *(table for statement in statements for table in statement.tables)])
    return run_in_parts(store, features, all_tables, work, chunks, sids)


def run_select(connection: duckdb.DuckDBPyConnection, text: str, parameters: Sequence[object] = ()) -> pa.Table:
    """Return the result of one SELECT; raise AssertionError if `text` is anything else."""
    # DuckDB warns that `execute` copies the rows. The alternative, `sql`, plans the query twice, which costs more.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return connection.execute(_select(connection, text), parameters or None).to_arrow_table()


def check_select(connection: duckdb.DuckDBPyConnection, text: str) -> str:
    _select(connection, text)
    return text


def _select(connection: duckdb.DuckDBPyConnection, text: str) -> duckdb.Statement:
    import duckdb

    statements = connection.extract_statements(text)
    if [statement.type for statement in statements] != [duckdb.StatementType.SELECT]:
        raise AssertionError("a filter compiled to something other than one SELECT")
    return statements[0]


def _run_statement(
    store: Store, statement: Statement, text: str, chunks: Sequence[int] | None = None, sids: range | None = None
) -> Iterator[pa.Table]:
    return run_statements(store, [statement], lambda connection: run_select(connection, text), chunks, sids)


def _split_part(store: Store, chunks: Sequence[int], sids: range | None) -> list[_Part]:
    """Return smaller parts in reverse order: the chunks of a part, the halves of a chunk, or [] for one sentence."""
    if len(chunks) > 1:
        return [([chunk], None) for chunk in reversed(chunks)]
    sids = store.sids(chunks) if sids is None else sids
    middle = sids.start + len(sids) // 2
    return [(chunks, range(middle, sids.stop)), (chunks, range(sids.start, middle))] if len(sids) > 1 else []


@dataclass(frozen=True)
class FilterComparison:
    """Counts for two filters, and the sentences `gained` by the second and `lost` from the first."""

    matches: tuple[int, int]
    sentences: tuple[int, int]
    common: int
    gained: np.ndarray
    lost: np.ndarray


def compare_filters(store: Store, first: CompiledFilter, second: CompiledFilter) -> FilterComparison:
    import numpy as np

    first_sids, first_matches = _matched_sentences(store, first)
    second_sids, second_matches = _matched_sentences(store, second)
    return FilterComparison(
        (first_matches, second_matches),
        (len(first_sids), len(second_sids)),
        len(np.intersect1d(first_sids, second_sids, assume_unique=True)),
        np.setdiff1d(second_sids, first_sids, assume_unique=True),
        np.setdiff1d(first_sids, second_sids, assume_unique=True),
    )


def _matched_sentences(store: Store, compiled: CompiledFilter) -> tuple[np.ndarray, int]:
    import numpy as np

    parts, matches = [np.empty(0, np.int64)], 0
    for table in match_parts(store, compiled):
        matches += table.num_rows
        parts.append(table.column("sid").to_numpy())
    return np.unique(np.concatenate(parts)), matches


_FIRST_SIZE, _SECOND_SIZE = 20_000, 100_000  # sentences in the first two ranges
_MAX_CHUNKS = 8  # per range


def next_range(ends: Sequence[int], start: int, matches: int, wanted: int) -> range:
    """Return the next range of sentences to search, given the `matches` in the first `start` sentences.

    `ends` are the ends of the chunks, and `wanted` is the number of matches to find. A later range in the first chunk
    has 100,000 sentences if half of them probably complete the wanted matches. Otherwise it ends with the chunk,
    because planning another query would cost more than it saves. The number of later chunks in a range doubles, if
    needed.
    """
    chunk = bisect_right(ends, start)
    if start == 0:
        return range(min(_FIRST_SIZE, ends[chunk]))
    needed_sentences = (wanted - matches) * start / matches if matches else float("inf")  # if matches are spread evenly
    if start not in ends:
        return range(
            start, min(ends[chunk], start + _SECOND_SIZE) if 0 < 2 * needed_sentences < _SECOND_SIZE else ends[chunk]
        )
    last_chunk = min(2 * chunk, chunk + _MAX_CHUNKS, len(ends)) - 1
    if needed_sentences > 0:
        last_chunk = min(last_chunk, bisect_right(ends, start + needed_sentences))
    return range(start, ends[last_chunk])


def match_range(store: Store, compiled: CompiledFilter, sids: range) -> pa.Table:
    """Return the matches in a range of sentences that lies in one chunk or consists of whole chunks."""
    import pyarrow as pa

    statement = store.statement(compiled)
    first_chunk, *other_chunks = store.chunks_with((sids[0], sids[-1]))
    chunks = range(first_chunk, other_chunks[-1] + 1 if other_chunks else first_chunk + 1)
    selected_sids = None if sids == store.sids(chunks) else sids
    assert selected_sids is None or len(chunks) == 1
    return pa.concat_tables(_run_statement(store, statement, statement.text, chunks, selected_sids))


Attribute: TypeAlias = Literal["form", "lemma", "upos", "xpos", "deprel"]


def values_by_sentence(store: Store, compiled: CompiledFilter, name: str, attribute: Attribute) -> dict[int, set[str]]:
    """Return the values of an attribute of the word bound to `name`, over all matches of each sentence, by sid."""
    matches, column = match(store, compiled), f"m{compiled.names.index(name)}"
    query = (
        f"SELECT DISTINCT t.sid, t.{attribute} FROM match_rows AS f "  # noqa: S608
        f"JOIN tokens AS t ON t.sid = f.sid AND t.id = f.{column} WHERE t.{attribute} IS NOT NULL"
    )

    def work(connection: duckdb.DuckDBPyConnection) -> list[tuple[int, str]]:
        connection.register("match_rows", matches)
        return connection.execute(query).fetchall()

    values: dict[int, set[str]] = {}
    for sid, value in run_query(store, work, tables=["tokens"]):
        values.setdefault(sid, set()).add(value)
    return values


@dataclass(frozen=True)
class NearMisses:
    """The sentences that only the filter without `left_out` matches; None and empty if there was no time to count."""

    left_out: str
    line: int
    weaker: CompiledFilter
    sentences: int | None
    sids: np.ndarray


def find_near_misses(store: Store, compiled: CompiledFilter, limit: int) -> Iterator[NearMisses]:
    """Yield the near misses for each condition that can be left out, each within the time limit of the store."""
    import numpy as np

    from fictdsl.syntax.weaken import weaker_filters

    matching = matching_sids(store, [compiled])
    for variant in weaker_filters(compiled.module.source, compiled.definition):
        recompiled = recompile(compiled, variant.definition)
        if not recompiled.filters:  # the condition binds a name that is used elsewhere
            continue
        (weaker,) = recompiled.filters
        result = _additional_sentences(store, weaker, matching, limit)
        sentences, sids = (None, np.empty(0, np.int64)) if result is None else result
        yield NearMisses(variant.removed, variant.line, weaker, sentences, sids)


def _additional_sentences(
    store: Store, compiled: CompiledFilter, excluded: np.ndarray, limit: int
) -> tuple[int, np.ndarray] | None:
    """Return the number of matching sentences that are not `excluded`, and the first `limit`, or None out of time."""
    import numpy as np
    import pyarrow as pa

    statement = store.statement(compiled)
    query = (
        f"SELECT sid, count(*) OVER () AS n FROM ({statement.sentences_text}) AS matching "  # noqa: S608
        f"WHERE sid NOT IN (SELECT sid FROM excluded) ORDER BY sid LIMIT {limit}"
    )

    def work(connection: duckdb.DuckDBPyConnection) -> pa.Table:
        connection.register("excluded", pa.table({"sid": excluded}))
        return run_select(connection, query)

    total, parts = 0, [np.empty(0, np.int64)]
    try:
        for table in run_statements(store, [statement], work):
            if table.num_rows:
                total += table.column("n")[0].as_py()
                parts.append(table.column("sid").to_numpy())
    except OutOfTimeError:
        return None
    return total, np.concatenate(parts)[:limit]
