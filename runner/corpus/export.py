"""Export a store's sentences as text, CoNLL-U or the original raw text, and look up their locations and words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Literal

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.draw.tree import Word, words
from runner.corpus.raw_text import LINES, escape_json, join_with_gaps
from runner.corpus.run_query import run_query
from runner.corpus.sentence_texts import (
    TextFormat,
    as_bytes,
    as_conllu_blocks,
    exact_texts,
    formatted_texts,
    read_batches,
)
from runner.corpus.store import Store
from runner.errors import InputError
from runner.readers import parse_json

if TYPE_CHECKING:
    import duckdb


Format = Literal["text", "conllu", "original"]


def sentence_texts(store: Store, sids: Any = None) -> Iterator[str]:
    """Yield the original text of each sentence, or of the sentences `sids` (sorted), in corpus order.

    The text of a sentence never contains a line feed.
    """
    for batch in read_batches(store, "sentences", ("surface", "text"), sids):
        yield from exact_texts(batch).to_pylist()


def conllu_blocks(store: Store, sids: Any = None) -> Iterator[str]:
    """Yield the CoNLL-U of each sentence, or of the sentences `sids` (sorted), in corpus order.

    Each block is as it was read, followed by an empty line.
    """
    for batch in read_batches(store, "raw", ("conllu",), sids):
        yield from as_conllu_blocks(batch.column("conllu")).to_pylist()


def write_sentences(store: Store, output_format: Format, out: IO[bytes], sids: Any = None) -> int:
    """Write all sentences, or those of `sids`, to a binary file. Return the number of sentences or units.

    In the format "original", the units are lines or paragraphs. All of them are written, and `sids` is ignored.
    """
    count = 0
    if output_format == "original":
        for unit in original_texts(store):
            out.write(unit.encode())
            count += 1
        return count
    for texts in _selected_texts(store, output_format, sids):
        out.write(as_bytes(texts))
        count += len(texts)
    return count


def _selected_texts(store: Store, text_format: TextFormat, sids: Any) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.compute as pc

    selected_sids = None if sids is None else pa.array(sids, pa.int64())
    for batch_sids, texts in formatted_texts(store, text_format):
        yield texts if selected_sids is None else texts.filter(pc.is_in(batch_sids, value_set=selected_sids))


def original_texts(store: Store) -> Iterator[str]:
    """Yield the units of the raw text that the store was made from.

    Raises InputError (FICT745) if the store was not made from raw text.
    """
    if LINES not in store.files:
        raise InputError(diagnostic("FICT745", path=store.path))
    for text, _, row in _units(store):
        quoting = row.get("quoting")
        yield text + row["end"] if quoting is None else row["before"] + escape_json(text, quoting) + row["end"]


def unit_texts(store: Store) -> Iterator[tuple[str, range]]:
    """Yield each unit of raw text with the ids of its sentences.

    In a store that was not made from raw text, each sentence is a unit.
    """
    if LINES in store.files:
        yield from ((text, sids) for text, sids, _ in _units(store))
    else:
        yield from ((text, range(sid, sid + 1)) for sid, text in enumerate(sentence_texts(store)))


def _units(store: Store) -> Iterator[tuple[str, range, dict[str, Any]]]:
    """Yield the text of each unit, the ids of its sentences, and its row of `lines.parquet`."""
    import pyarrow.parquet as pq

    texts = sentence_texts(store)
    with store.reading(), pq.ParquetFile(store.file(LINES), page_checksum_verification=True) as file:
        for batch in file.iter_batches(8192):
            for row in batch.to_pylist():
                sids = range(0) if row["first"] is None else range(row["first"], row["last"] + 1)
                yield _unit_text(row, texts), sids, row


def _unit_text(row: dict[str, Any], texts: Iterator[str]) -> str:
    """Return the text of a unit. The texts of its sentences are always consumed from `texts`."""
    count = 0 if row["first"] is None else row["last"] - row["first"] + 1
    sentences = [next(texts) for _ in range(count)]
    if row["text"] is not None:
        return str(row["text"])
    return join_with_gaps(sentences, None if row["gaps"] is None else parse_json(row["gaps"]))


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
