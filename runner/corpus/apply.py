"""A compiled statement and a store to the matches it finds: the one place where a filter's SQL is run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.sql.emit import Statement
from runner.corpus.store import Store
from runner.errors import InputError

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import pyarrow as pa

_FEW = 2_000  # sentences that a query is given one by one


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
    with store.connect(statement.features, sids=sids.tolist()) as connection:
        return ask(store, connection, statement.text)


def matching_sids(store: Store, statements: Iterable[Statement], timeout: float = 0.0) -> np.ndarray:
    """The numbers of the sentences that match at least one of the statements: int64, ascending, none twice.

    Raises InputError if a query takes longer than `timeout` seconds; 0 is no limit.
    """
    import numpy as np

    found = [np.empty(0, np.int64)]
    for statement in statements:
        for table in _run(store, statement, statement.sentences, timeout):
            found.append(table.column("sid").to_numpy())
    return np.unique(np.concatenate(found))


def _run(store: Store, statement: Statement, text: str, timeout: float = 0.0) -> Iterator[pa.Table]:
    """One table a chunk; filters judge a sentence by itself, so chunks can be asked one by one."""
    _check_dialect(statement)
    for chunk in range(store.info.chunks):
        with store.connect(statement.features, chunks=[chunk], timeout=timeout) as connection:
            yield ask(store, connection, text)


def _check_dialect(statement: Statement) -> None:
    if statement.dialect != "duckdb":
        raise AssertionError(f"a statement in {statement.dialect} cannot run here")


def ask(store: Store, connection: duckdb.DuckDBPyConnection, text: str) -> pa.Table:
    """The result of one SELECT on a connection to the store; InputError where the machine is too small for it."""
    import duckdb

    try:
        return run_select(connection, text)
    except (duckdb.OutOfMemoryException, duckdb.IOException, duckdb.InterruptException) as error:
        reason = str(error).strip().splitlines()[0]
        raise InputError(diagnostic("FICT746", path=store.path, reason=reason)) from error


def run_select(connection: duckdb.DuckDBPyConnection, text: str) -> pa.Table:
    """Run one SELECT, having made sure that it is one."""
    import duckdb

    statements = connection.extract_statements(text)
    if [statement.type for statement in statements] != [duckdb.StatementType.SELECT]:
        raise AssertionError("a filter compiled to something other than one SELECT")
    return connection.sql(text).to_arrow_table()
