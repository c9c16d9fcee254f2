"""A compiled statement and a store to the matches it finds: the one place where a filter's SQL is run."""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from fictdsl.sql.statement import Statement
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import resource_error, run_query, run_with_timeout
from runner.corpus.store.schema import TABLES

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import pyarrow as pa

T = TypeVar("T")

_FEW = 2_000  # sentences that a query is given one by one
_TOGETHER = 8  # chunks that are asked at once: each part is planned anew, and larger ones take more memory
_Part = tuple[Sequence[int], range | None]  # chunks, and of a single one the sentences, where not all of them


def match(store: Store, statement: Statement) -> pa.Table:
    """Every match: columns `sid` and `m0, m1, …` (word ids, NULL where unbound), in order, none twice."""
    import pyarrow as pa

    return pa.concat_tables(match_chunks(store, statement))


def match_chunks(store: Store, statement: Statement) -> Iterator[pa.Table]:
    """`match`, a chunk of the store at a time and in corpus order, so that memory stays bounded."""
    return _run(store, statement, statement.text)


def match_in(store: Store, statement: Statement, sids: np.ndarray) -> pa.Table:
    """The matches in some sentences only; `sids` are their numbers. If they are few, only these are read."""
    import pyarrow as pa
    import pyarrow.compute as pc

    _check_dialect(statement)
    if len(sids) > _FEW:
        wanted = pa.array(sids, pa.int64())
        parts = [part.filter(pc.is_in(part.column("sid"), value_set=wanted)) for part in match_chunks(store, statement)]
        return pa.concat_tables(parts)
    return run_query(
        store,
        lambda connection: run_select(connection, statement.text),
        features=statement.features,
        sids=sids.tolist(),
        tables=named(statement.text),
    )


def matching_sids(store: Store, statements: Iterable[Statement]) -> np.ndarray:
    """The numbers of the sentences that match at least one of the statements: int64, ascending, none twice."""
    import numpy as np

    found = [np.empty(0, np.int64)]
    for statement in statements:
        for table in _run(store, statement, statement.sentences):
            found.append(table.column("sid").to_numpy())
    return np.unique(np.concatenate(found))


def in_parts(
    store: Store,
    features: Iterable[str],
    tables: Iterable[str],
    work: Callable[[duckdb.DuckDBPyConnection], T],
    chunks: Sequence[int] | None = None,
) -> Iterator[T]:
    """What `work` makes of each part of a store, in corpus order, given a connection to it with some tables.

    A part is a few chunks, a single one where memory does not suffice, and then half of one (and so on): filters judge
    a sentence by itself.
    InputError where the machine is too small for it even so, or the time that the limits of the store allow is up.
    """
    import duckdb

    features, tables = tuple(features), tuple(tables)
    left = store.limits.timeout
    numbers = range(store.info.chunks) if chunks is None else chunks
    starts = range(0, len(numbers), _TOGETHER)
    waiting: list[_Part] = [(numbers[at : at + _TOGETHER], None) for at in reversed(starts)]
    while waiting:
        (part, sids), began = waiting.pop(), time.monotonic()
        some = None if len(part) == store.info.chunks else part
        with store.reading():
            try:
                found = run_with_timeout(store, work, left, features=features, chunks=some, sids=sids, tables=tables)
            except duckdb.OutOfMemoryException as error:
                smaller = _smaller(store, part, sids)
                if not smaller:
                    raise resource_error(store, error) from error
                waiting += smaller
                continue
        if left:
            left = max(0.001, left - (time.monotonic() - began))
        yield found


def named(text: str) -> tuple[str, ...]:
    """The tables of a store, and the sorted copies, that a query may read: those whose names occur in its text."""
    copies = {name.replace('""', '"') for name in re.findall(r'"(tokens_by_(?:[^"]|"")+)"', text)}
    return (*(table for table in TABLES if re.search(rf"\b{table}\b", text)), *sorted(copies))


def run_select(connection: duckdb.DuckDBPyConnection, text: str) -> pa.Table:
    """Run one SELECT, having made sure that it is one."""
    with warnings.catch_warnings():  # it says that rows are copied; to plan the query twice would cost more
        warnings.simplefilter("ignore", UserWarning)
        return connection.execute(_select(connection, text)).to_arrow_table()


def checked(connection: duckdb.DuckDBPyConnection, text: str) -> str:
    """The text, if it is one SELECT."""
    _select(connection, text)
    return text


def _select(connection: duckdb.DuckDBPyConnection, text: str) -> duckdb.Statement:
    import duckdb

    statements = connection.extract_statements(text)
    if [statement.type for statement in statements] != [duckdb.StatementType.SELECT]:
        raise AssertionError("a filter compiled to something other than one SELECT")
    return statements[0]


def _run(store: Store, statement: Statement, text: str) -> Iterator[pa.Table]:
    """One table a part of the store."""
    _check_dialect(statement)
    return in_parts(store, statement.features, named(text), lambda connection: run_select(connection, text))


def _check_dialect(statement: Statement) -> None:
    if statement.dialect != "duckdb":
        raise AssertionError(f"a statement in {statement.dialect} cannot run here")


def _smaller(store: Store, part: Sequence[int], sids: range | None) -> list[_Part]:
    """A part cut up, the last piece first: into chunks, or into halves of one; not if it is a single sentence."""
    if len(part) > 1:
        return [([chunk], None) for chunk in reversed(part)]
    sids = store.sids(part) if sids is None else sids
    middle = sids.start + len(sids) // 2
    return [(part, range(middle, sids.stop)), (part, range(sids.start, middle))] if len(sids) > 1 else []
