"""Look up the location, document and words of sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fictdsl.draw.tree import Word, words
from runner.corpus.sentences.export import conllu_blocks
from runner.corpus.sentences.texts import read_batches
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, slots=True)
class SentenceLocation:
    """A sentence's location: the label of its source, its 1-based number there, its `sent_id` and document, if any."""

    sid: int
    source: str
    number: int
    sent_id: str | None
    doc: str | None = None


def locate(store: Store, sids: Any) -> Iterator[SentenceLocation]:
    """Yield the location of each sentence of `sids` (a sorted array of integers), in corpus order."""
    for rows in read_batches(store, "sentences", ("source", "number", "sent_id", "doc"), sids):
        for row in zip(*(column.to_pylist() for column in rows.columns), strict=True):
            yield SentenceLocation(*row)


def locate_by_name(store: Store, name: str) -> list[SentenceLocation]:
    """Return the sentences with this `sent_id`. If there are none, return the sentence SOURCE:NUMBER, or [].

    `doc` is always None; use `document_of`.
    """
    columns = "SELECT sid, source, number, sent_id FROM sentences WHERE "
    source, _, number = name.rpartition(":")

    def work(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
        rows = connection.execute(f"{columns} sent_id = ? ORDER BY sid", [name]).fetchall()
        if not rows and number.isascii() and number.isdigit():
            rows = connection.execute(f"{columns} source = ? AND number = ?", [source, int(number[:18])]).fetchall()
        return rows

    return [SentenceLocation(*row) for row in run_query(store, work, tables=["sentences"])]


def document_of(store: Store, sid: int) -> str | None:
    """Return the document of a sentence, or None if it has none."""
    query = "SELECT doc FROM sentences WHERE sid = ?"
    ((doc,),) = run_query(store, lambda connection: connection.execute(query, [sid]).fetchall(), tables=["sentences"])
    return None if doc is None else str(doc)


def sentence_words(store: Store, sids: Any) -> Iterator[list[Word]]:
    """Yield the words of each sentence of `sids` (sorted), in corpus order."""
    for block in conllu_blocks(store, sids):
        yield words(block)
