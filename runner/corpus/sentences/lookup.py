"""Numbers of sentences to where they stand and what they hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fictdsl.draw.tree import Word, words
from runner.corpus.sentences.export import conllu
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import ask

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence stands: its source's label, its number there from 1, its `sent_id` and document, if any."""

    sid: int
    source: str
    number: int
    sent_id: str | None
    doc: str | None = None


def places(store: Store, sids: Any) -> Iterator[Place]:
    """Where each of the sentences stands, in corpus order; `sids` is a sorted array of integers."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    wanted = pa.array(sids, pa.int64())
    for path in store.parquet("sentences"):
        with store.reading(), pq.ParquetFile(path, page_checksum_verification=True) as file:
            for batch in file.iter_batches(columns=["sid", "source", "number", "sent_id", "doc"]):
                rows = batch.filter(pc.is_in(batch.column(0), value_set=wanted))
                for row in zip(*(column.to_pylist() for column in rows.columns), strict=True):
                    yield Place(*row)


def places_called(store: Store, name: str) -> list[Place]:
    """The sentences with this `sent_id`; if there is none, the one at SOURCE:NUMBER."""
    columns = "SELECT sid, source, number, sent_id FROM sentences WHERE "
    source, _, number = name.rpartition(":")

    def work(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
        found = connection.execute(f"{columns} sent_id = ? ORDER BY sid", [name]).fetchall()
        if not found and number.isascii() and number.isdigit():
            found = connection.execute(f"{columns} source = ? AND number = ?", [source, int(number[:18])]).fetchall()
        return found

    return [Place(*row) for row in ask(store, work, tables=["sentences"])]


def document_of(store: Store, sid: int) -> str | None:
    """The document that a sentence stands in."""
    query = "SELECT doc FROM sentences WHERE sid = ?"
    (found,) = ask(store, lambda connection: connection.execute(query, [sid]).fetchall(), tables=["sentences"])
    return None if found[0] is None else str(found[0])


def trees(store: Store, sids: Any) -> Iterator[list[Word]]:
    """The words of each of the sentences, in corpus order."""
    for block in conllu(store, sids):
        yield words(block)
