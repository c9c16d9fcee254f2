"""Hand-written SQL and fictc's SQL over the columns of CoNLL-U, and a query that only reads the columns of a filter."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import numpy.typing as npt

from benchmarks.cases import Case
from benchmarks.flat import SCHEMA
from fictdsl.schema import RAW


def connect(flat: Path, threads: int) -> duckdb.DuckDBPyConnection:
    """Return a connection with the file as the view `words`, and as `tokens` for fictc's SQL."""
    connection = duckdb.connect()
    connection.execute(f"SET threads = {threads}")
    connection.execute("SET enable_progress_bar = false")
    for name in ("words", "tokens"):
        connection.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet('{flat}')")  # noqa: S608
    return connection


def naive(case: Case, flat: Path, threads: int = 1) -> npt.NDArray[np.int64]:
    """Return the sentences that the hand-written query matches."""
    return sentences(case.naive, flat, threads)


def raw(case: Case, flat: Path, threads: int = 1) -> npt.NDArray[np.int64]:
    """Return the sentences that fictc's SQL matches on the same columns (`fictc compile --columns conllu`)."""
    return sentences(case.compiled.statement("duckdb", RAW).sentences_text, flat, threads)


def sentences(query: str, flat: Path, threads: int = 1) -> npt.NDArray[np.int64]:
    """Return the first column of a query's result."""
    with connect(flat, threads) as connection:
        return connection.sql(query).to_arrow_table().column(0).to_numpy()


def decode(case: Case, flat: Path, threads: int = 1) -> None:
    """Read each column that the filter names, once and with as little computation as possible."""
    reads = [
        f"sum({column})" if SCHEMA.field(column).type != "string" else f"count(*) FILTER ({column} = '\x01')"
        for column in case.columns
    ]
    with connect(flat, threads) as connection:
        connection.sql(f"SELECT {', '.join(reads)} FROM words").fetchall()  # noqa: S608
