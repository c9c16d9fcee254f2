"""A store's sentences as arrays and lines, in corpus order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from runner.corpus.sentences.metadata_sql import OWN, valued
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import ask

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class Sentences:
    """Where each sentence stands and its words; all have shape (sentences,), index = sid."""

    sources: list[str]
    numbers: list[int]
    words: NDArray[np.int64]


def read_sentences(store: Store) -> Sentences:
    """Source label, number in the source and length in words of every sentence."""
    query = "SELECT source, number, length FROM sentences ORDER BY sid"
    table = ask(store, lambda connection: connection.sql(query).to_arrow_table(), tables=["sentences"])
    return Sentences(
        table["source"].to_pylist(), table["number"].to_pylist(), table["length"].to_numpy().astype(np.int64)
    )


def read_lines(store: Store, sids: NDArray[np.int64] | None = None) -> list[str]:
    """The text of every sentence, or of those named, as it came in; a line break inside becomes a space."""

    def work(connection: duckdb.DuckDBPyConnection) -> list[tuple[str]]:
        if sids is None:
            return connection.execute("SELECT coalesce(surface, text) FROM sentences ORDER BY sid").fetchall()
        connection.register("wanted", pa.table({"sid": sids}))
        return connection.execute(
            "SELECT coalesce(surface, text) FROM sentences WHERE sid IN (SELECT sid FROM wanted) ORDER BY sid"
        ).fetchall()

    found = ask(store, work, tables=["sentences"])
    return [" ".join(text.splitlines()) for (text,) in found]


def read_values(store: Store, key: str) -> list[str | None]:
    """The value of a comment for every sentence, as `valued` says; or its `source` or `doc`."""
    query, parameters = (f"SELECT sid, {key} AS value FROM sentences", []) if key in OWN else valued(key)  # noqa: S608
    values = f"SELECT v.value FROM sentences s LEFT JOIN ({query}) v USING (sid) ORDER BY s.sid"  # noqa: S608
    found = ask(store, lambda connection: connection.execute(values, parameters).fetchall())
    return [value for (value,) in found]


def read_tags(store: Store, columns: Sequence[str]) -> list[str]:
    """The values that occur in some of the columns upos, xpos and deprel, in the order of code points."""

    def work(connection: duckdb.DuckDBPyConnection) -> set[str | None]:
        rows = (connection.sql("FROM tokens").project(column).distinct().fetchall() for column in columns)
        return {value for found in rows for (value,) in found}

    return sorted(value for value in ask(store, work, tables=["tokens"]) if value not in (None, "_"))
