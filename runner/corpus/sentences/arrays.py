"""Read a store's sentences as arrays and lists in corpus order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from runner.corpus.sentences.metadata_sql import SENTENCE_COLUMNS, metadata_query
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query

if TYPE_CHECKING:
    import duckdb


_MULTIWORD_TOKENS = (
    "SELECT sid, split_part(ids, '-', 1)::INTEGER, split_part(ids, '-', 2)::INTEGER FROM "
    r"(SELECT sid, unnest(regexp_extract_all(conllu, '(?m)^([0-9]+-[0-9]+)\t', 1)) AS ids FROM raw)"
)


@dataclass(frozen=True)
class Sentences:
    """The source, number in the source and length in words of each sentence, indexed by sid."""

    sources: list[str]
    numbers: list[int]
    words: NDArray[np.int64]


def read_sentences(store: Store) -> Sentences:
    """Read the source, number and length in words of every sentence."""
    query = "SELECT source, number, length FROM sentences ORDER BY sid"
    table = run_query(store, lambda connection: connection.sql(query).to_arrow_table(), tables=["sentences"])
    return Sentences(
        table["source"].to_pylist(), table["number"].to_pylist(), table["length"].to_numpy().astype(np.int64)
    )


def read_lines(store: Store, sids: NDArray[np.int64] | None = None) -> list[str]:
    """Return the original text of every sentence, or of `sids`, with line breaks replaced by spaces."""

    def work(connection: duckdb.DuckDBPyConnection) -> list[tuple[str]]:
        if sids is None:
            return connection.execute("SELECT coalesce(surface, text) FROM sentences ORDER BY sid").fetchall()
        connection.register("wanted", pa.table({"sid": sids}))
        return connection.execute(
            "SELECT coalesce(surface, text) FROM sentences WHERE sid IN (SELECT sid FROM wanted) ORDER BY sid"
        ).fetchall()

    rows = run_query(store, work, tables=["sentences"])
    return [" ".join(text.splitlines()) for (text,) in rows]


def read_values(store: Store, key: str) -> list[str | None]:
    """Return the value of a key for every sentence. The key is `source`, `doc`, or a comment (see `metadata_query`)."""
    query, parameters = (
        (f"SELECT sid, {key} AS value FROM sentences", [])  # noqa: S608
        if key in SENTENCE_COLUMNS
        else metadata_query(key)
    )
    values = f"SELECT v.value FROM sentences s LEFT JOIN ({query}) v USING (sid) ORDER BY s.sid"  # noqa: S608
    rows = run_query(
        store, lambda connection: connection.execute(values, parameters).fetchall(), tables=["sentences", "meta"]
    )
    return [value for (value,) in rows]


def read_tags(store: Store, columns: Sequence[str]) -> list[str]:
    """Return the distinct values except `_` of some of the columns upos, xpos and deprel, sorted by code point."""

    def work(connection: duckdb.DuckDBPyConnection) -> set[str | None]:
        rows = (connection.sql("FROM tokens").project(column).distinct().fetchall() for column in columns)
        return {value for column_rows in rows for (value,) in column_rows}

    return sorted(value for value in run_query(store, work, tables=["tokens"]) if value not in (None, "_"))


def read_trees(store: Store) -> list[NDArray[np.int64]]:
    """Return four arrays of shape (words,): sid, head, and the positions `pre` and `last` in preorder of each word."""
    query = "SELECT sid, head, pre, last FROM tokens ORDER BY sid, id"
    table = run_query(store, lambda connection: connection.sql(query).to_arrow_table(), tables=["tokens"])
    return [column.to_numpy() for column in table.columns]


def read_multiword_tokens(store: Store) -> list[tuple[int, int, int]]:
    """Return the sid, the first and the last word of every multiword token."""
    return run_query(store, lambda connection: connection.sql(_MULTIWORD_TOKENS).fetchall(), tables=["raw"])
