"""Run queries on a store's database with a timeout, in a thread that Ctrl-C can interrupt."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.schema import TABLES
from runner.corpus.store import Store
from runner.errors import InputError
from runner.machine import QUERY_THREAD

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa


T = TypeVar("T")
Work = Callable[["duckdb.DuckDBPyConnection"], T]

_INTERRUPT_TIMEOUT = 2.0  # seconds that an interrupted query has to end


class OutOfTimeError(InputError):
    """A query did not finish within its time limit."""


def run_query(
    store: Store,
    work: Work[T],
    *,
    features: Iterable[str] = (),
    sids: Sequence[int] | None = None,
    tables: Iterable[str] = TABLES,
    seconds: float | None = None,
) -> T:
    """Run `work` on a connection to the store for at most `seconds` (default: the limit of the store; 0: no limit)."""
    import duckdb

    with store.reading():
        try:
            limit = store.limits.timeout if seconds is None else seconds
            return run_with_timeout(store, work, limit, features=features, sids=sids, tables=tables)
        except duckdb.OutOfMemoryException as error:
            raise resource_error(store, error) from error


def fetch_rows(
    store: Store, query: str, parameters: Sequence[object] = (), tables: Iterable[str] = TABLES
) -> list[Any]:
    return run_query(store, lambda connection: connection.execute(query, parameters).fetchall(), tables=tables)


def fetch_table(store: Store, query: str, tables: Iterable[str] = TABLES) -> pa.Table:
    return run_query(store, lambda connection: connection.sql(query).to_arrow_table(), tables=tables)


def run_with_timeout(
    store: Store,
    work: Work[T],
    seconds: float,
    *,
    features: Iterable[str] = (),
    chunks: Sequence[int] | None = None,
    sids: Sequence[int] | None = None,
    tables: Iterable[str] = TABLES,
) -> T:
    """Run `work` in a thread with its own connection. Raises OutOfTimeError after `seconds` (0: no limit).

    A query that does not end within `_INTERRUPT_TIMEOUT` seconds after its interruption is abandoned. Its thread is a
    daemon, which does not keep the process alive.
    """
    import duckdb

    connection = store.connect(features, chunks=chunks, sids=sids, tables=tables)
    future: Future[T] = Future()
    Thread(target=_run_work, args=(future, connection, work), name=QUERY_THREAD, daemon=True).start()
    try:
        return future.result(seconds or None)
    except BaseException as error:
        if isinstance(error, TimeoutError) and future.done():
            return future.result()  # it ended after the timeout, but before this line
        timed_out = isinstance(error, TimeoutError)
        _interrupt(connection, future)
        if isinstance(error, duckdb.BinderException):
            store.require_text()  # a store without text lacks some columns
        if timed_out:
            reason = f"there is no answer after {seconds:g} s"
            hint = "`--timeout SECONDS` raises the limit, and 0 removes it"
            raise OutOfTimeError(diagnostic("FICT746", path=store.path, reason=reason, hint=hint)) from error
        raise


def resource_error(store: Store, error: Exception) -> InputError:
    reason = str(error).strip().splitlines()[0]
    hint = "`--memory` raises the limit, and `--spill` names a folder for temporary files"
    return InputError.of("FICT746", path=store.path, reason=reason, hint=hint)


def _run_work(future: Future[T], connection: duckdb.DuckDBPyConnection, work: Work[T]) -> None:
    """Run `work` and close the connection in this thread: another thread cannot close it while a query runs."""
    try:
        with connection:
            result = work(connection)
    except BaseException as error:  # noqa: BLE001 - raised again where the result is awaited
        future.set_exception(error)
    else:
        future.set_result(result)


def _interrupt(connection: duckdb.DuckDBPyConnection, future: Future[T]) -> None:
    import duckdb

    deadline = time.monotonic() + _INTERRUPT_TIMEOUT
    while not future.done() and time.monotonic() < deadline:
        with suppress(duckdb.Error):  # the connection may be closed already
            connection.interrupt()  # repeated, because an interruption between two queries is lost
        wait([future], 0.05)
