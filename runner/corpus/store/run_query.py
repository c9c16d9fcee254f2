"""Run queries on a store's database: in a thread, so that the clock and Ctrl-C end them, with failures explained."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.store.opening import Store
from runner.corpus.store.schema import TABLES
from runner.errors import InputError

if TYPE_CHECKING:
    import duckdb

T = TypeVar("T")
Work = Callable[["duckdb.DuckDBPyConnection"], T]

_PATIENCE = 2.0  # seconds that a query has to end after an interruption


class OutOfTimeError(InputError):
    """A query has found no answer within the time that the limits of its store allow."""


def ask(
    store: Store,
    work: Work[T],
    *,
    features: Iterable[str] = (),
    sids: Sequence[int] | None = None,
    tables: Iterable[str] = TABLES,
    seconds: float | None = None,
) -> T:
    """Return what `work` makes of a connection to the store, opened as `Store.connect` says.

    It may take `seconds` (0: no limit), by default those of the store's limits.
    Raises InputError if it fails for lack of memory or time, or because the store is damaged or was replaced.
    """
    import duckdb

    with store.reading():
        try:
            limit = store.limits.timeout if seconds is None else seconds
            return run(store, work, limit, features=features, sids=sids, tables=tables)
        except duckdb.OutOfMemoryException as error:
            raise failed(store, error) from error


def run(
    store: Store,
    work: Work[T],
    seconds: float,
    *,
    features: Iterable[str] = (),
    chunks: Sequence[int] | None = None,
    sids: Sequence[int] | None = None,
    tables: Iterable[str] = TABLES,
) -> T:
    """Do `work` in a thread with a connection of its own, for at most `seconds` (0: no limit).

    Raises OutOfTimeError when the time is up. A query that does not end `_PATIENCE` seconds after it was interrupted is
    left behind: its thread is a daemon, which does not keep the process alive.
    """
    import duckdb

    connection = store.connect(features, chunks=chunks, sids=sids, tables=tables)
    answer: Future[T] = Future()
    Thread(target=_answer, args=(answer, connection, work), daemon=True).start()
    try:
        return answer.result(seconds or None)
    except BaseException as error:
        late = isinstance(error, TimeoutError) and not answer.done()
        _interrupt(connection, answer)
        if isinstance(error, duckdb.BinderException):
            store.need_text()  # what a store without forms cannot answer is refused before it is run
        if late:
            reason = f"there is no answer after {seconds:g} s"
            hint = "`--timeout` gives it more, and 0 all that it needs"
            raise OutOfTimeError(diagnostic("FICT746", path=store.path, reason=reason, hint=hint)) from error
        raise


def failed(store: Store, error: Exception) -> InputError:
    """A query that the machine was too small for."""
    reason = str(error).strip().splitlines()[0]
    hint = "`--memory` gives it more memory, and `--spill` names a folder with room for what does not fit"
    return InputError(diagnostic("FICT746", path=store.path, reason=reason, hint=hint))


def _answer(answer: Future[T], connection: duckdb.DuckDBPyConnection, work: Work[T]) -> None:
    """Close the connection here: another thread could not while a query runs."""
    try:
        with connection:
            result = work(connection)
    except BaseException as error:  # noqa: BLE001 - it is raised where the answer is awaited
        answer.set_exception(error)
    else:
        answer.set_result(result)


def _interrupt(connection: duckdb.DuckDBPyConnection, answer: Future[T]) -> None:
    import duckdb

    until = time.monotonic() + _PATIENCE
    while not answer.done() and time.monotonic() < until:
        with suppress(duckdb.Error):  # it may be closed by now
            connection.interrupt()  # repeatedly: an interruption between two queries is lost
        wait([answer], 0.05)
