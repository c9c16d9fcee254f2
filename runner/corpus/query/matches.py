"""Run the SQL of compiled filters on a store."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from fictdsl.sql.statement import Statement
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import resource_error, run_query, run_with_timeout

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import pyarrow as pa

    from fictdsl.compiler import CompiledFilter

T = TypeVar("T")

_MAX_SIDS = 2_000  # sentence ids in a query
_CHUNKS_PER_PART = 8  # smaller parts need more time to plan queries, larger parts more memory
_Part = tuple[Sequence[int], range | None]  # chunks, and the sentences to read if these are only a part of one chunk


def match(store: Store, compiled: CompiledFilter) -> pa.Table:
    """Return all distinct matches, sorted: columns `sid` and `m0, m1, …` (word ids, NULL if unbound)."""
    import pyarrow as pa

    return pa.concat_tables(match_parts(store, compiled))


def match_parts(store: Store, compiled: CompiledFilter) -> Iterator[pa.Table]:
    """Yield the result of `match` a part of the store at a time, so that memory stays bounded."""
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
    import numpy as np

    parts = [np.empty(0, np.int64)]
    for statement in map(store.statement, filters):
        for table in _run_statement(store, statement, statement.sentences_text):
            parts.append(table.column("sid").to_numpy())
    return np.unique(np.concatenate(parts))


def run_in_parts(
    store: Store,
    features: Iterable[str],
    tables: Iterable[str],
    work: Callable[[duckdb.DuckDBPyConnection], T],
    chunks: Sequence[int] | None = None,
    sids: range | None = None,
) -> Iterator[T]:
    """Yield the result of `work` on each part of a store, in corpus order.

    A part is a few chunks. If memory does not suffice, it is split into single chunks, and these repeatedly into
    halves. The rows are the same, because a filter matches each sentence separately.

    `work` receives a connection to `tables` of the part. If memory does not suffice, it is called again on the smaller
    parts, so it should change nothing outside. `chunks` are consecutive chunks to read (default: all). If
    this is a single chunk, `sids` can restrict its sentences. Raises InputError (FICT746) if memory does not suffice
    for one sentence, or if the time limit of the store is exceeded.
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


def run_select(connection: duckdb.DuckDBPyConnection, text: str, parameters: Sequence[object] = ()) -> pa.Table:
    """Return the result of one SELECT; raise AssertionError if `text` is anything else."""
    # DuckDB warns that `execute` copies the rows. The alternative, `sql`, plans the query twice, which costs more.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return connection.execute(_select(connection, text), parameters or None).to_arrow_table()


def check_select(connection: duckdb.DuckDBPyConnection, text: str) -> str:
    """Return `text` if it is one SELECT; raise AssertionError otherwise."""
    _select(connection, text)
    return text


def _select(connection: duckdb.DuckDBPyConnection, text: str) -> duckdb.Statement:
    import duckdb

    statements = connection.extract_statements(text)
    if [statement.type for statement in statements] != [duckdb.StatementType.SELECT]:
        raise AssertionError("a filter compiled to something other than one SELECT")
    return statements[0]


def _run_statement(store: Store, statement: Statement, text: str) -> Iterator[pa.Table]:
    """Yield the result of `text`, which reads the tables of the statement, for each part of the store."""
    return run_in_parts(store, statement.features, statement.tables, lambda connection: run_select(connection, text))


def _split_part(store: Store, chunks: Sequence[int], sids: range | None) -> list[_Part]:
    """Return smaller parts in reverse order: the chunks of a part, the halves of a chunk, or [] for one sentence."""
    if len(chunks) > 1:
        return [([chunk], None) for chunk in reversed(chunks)]
    sids = store.sids(chunks) if sids is None else sids
    middle = sids.start + len(sids) // 2
    return [(chunks, range(middle, sids.stop)), (chunks, range(sids.start, middle))] if len(sids) > 1 else []
