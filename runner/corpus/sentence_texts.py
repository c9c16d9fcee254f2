"""Read the texts, CoNLL-U, words and locations of sentences in batches, and export them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Literal

from runner.corpus.run_query import fetch_rows
from runner.corpus.store import Store
from runner.corpus.store_files import LINES
from runner.errors import InputError
from runner.readers import parse_json

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa


TextFormat = Literal["text", "conllu"]
_BATCH_ROWS = 16_384  # sentences per batch


def formatted_texts(
    store: Store, text_format: TextFormat, chunks: Sequence[int] | None = None, sids: Any = None
) -> Iterator[tuple[pa.Array, pa.Array]]:
    if text_format == "text":
        for batch in read_batches(store, "sentences", ("surface", "text"), sids, chunks):
            yield batch.column("sid"), as_lines(exact_texts(batch))
    else:
        for batch in read_batches(store, "raw", ("conllu",), sids, chunks):
            yield batch.column("sid"), as_conllu_blocks(batch.column("conllu"))


def exact_texts(sentences: Any) -> Any:
    import pyarrow.compute as pc

    return pc.coalesce(sentences.column("surface"), sentences.column("text"))


def as_lines(texts: Any) -> Any:
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(texts, "", "\n")


def as_conllu_blocks(trees: Any) -> Any:
    """Append an empty line, with the line end of its other lines, to each tree."""
    import pyarrow.compute as pc

    line_ends = pc.if_else(pc.ends_with(trees, "\r"), "\n\r\n", "\n\n")
    return pc.binary_join_element_wise(trees, line_ends, "")


def as_bytes(texts: pa.StringArray) -> memoryview:
    offsets, data = text_offsets(texts), texts.buffers()[2]
    return memoryview(b"") if data is None or not len(texts) else memoryview(data)[offsets[0] : offsets[-1]]


def text_offsets(texts: pa.StringArray) -> np.ndarray:
    import numpy as np

    return np.frombuffer(texts.buffers()[1], np.int32)[texts.offset : texts.offset + len(texts) + 1]


def drop_rows(sids: pa.Array, texts: pa.StringArray, dropped: np.ndarray) -> tuple[memoryview, int]:
    """Return the bytes and the number of the texts that are not dropped. `sids` are consecutive, `dropped` sorted."""
    import numpy as np
    import pyarrow as pa

    first = sids[0].as_py()
    dropped_rows = dropped[slice(*np.searchsorted(dropped, (first, first + len(sids))))] - first
    if not len(dropped_rows):
        return as_bytes(texts), len(texts)
    mask = np.ones(len(texts), bool)
    mask[dropped_rows] = False
    return as_bytes(texts.filter(pa.array(mask))), len(texts) - len(dropped_rows)


def read_batches(
    store: Store,
    table: str,
    columns: Sequence[str],
    sids: Any = None,
    chunks: Sequence[int] | None = None,
    *,
    rows: int = _BATCH_ROWS,
) -> Iterator[Any]:
    """Yield batches of `sid` and some other columns of a table with one row per sentence, in corpus order.

    `sids` (sorted integers) selects sentences, and `chunks` selects chunks. At most `rows` rows are read per batch;
    with `sids`, a batch has only the selected ones, possibly none. The column `source` is a dictionary array. Raises
    InputError (FICT749) if a column needs text and the store has none.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    if "text" in columns:
        store.require_text()
    if sids is not None and chunks is None:
        chunks = store.chunks_with(sids)
    # so that the label of a source is not copied for each of its sentences
    dictionary_columns = [column for column in columns if column == "source"]
    for path in store.parquet(table, chunks):
        with (
            store.reading(),
            pq.ParquetFile(path, page_checksum_verification=True, read_dictionary=dictionary_columns) as file,
        ):
            groups = None if sids is None else groups_with(file, sids)
            for batch in file.iter_batches(rows, row_groups=groups, columns=["sid", *columns], use_threads=False):
                if sids is None:
                    yield batch
                else:
                    yield batch.take(pa.array(rows_among(batch.column(0).to_numpy(), np.asarray(sids))))


def rows_among(batch_sids: np.ndarray, sids: np.ndarray) -> np.ndarray:
    """Return the indices of the elements of `batch_sids` that are in `sids`. Both are ascending sentence ids."""
    import numpy as np

    if not len(batch_sids):
        return batch_sids
    candidates = sids[slice(*np.searchsorted(sids, (batch_sids[0], batch_sids[-1] + 1)))]
    rows = np.searchsorted(batch_sids, candidates)
    matching: np.ndarray = rows[batch_sids[rows] == candidates]
    return matching


def aligned(
    lefts: Iterator[pa.RecordBatch], rights: Iterator[pa.RecordBatch]
) -> Iterator[tuple[pa.RecordBatch, pa.RecordBatch]]:
    """Yield pairs of batches of equal length for two tables with the same rows, whose batches may differ in length."""
    left, right = next(lefts, None), next(rights, None)
    while left is not None and right is not None:
        count = min(len(left), len(right))
        if count:
            yield left.slice(0, count), right.slice(0, count)
        left = left.slice(count) if count < len(left) else next(lefts, None)
        right = right.slice(count) if count < len(right) else next(rights, None)


def groups_with(file: Any, sids: Any) -> list[int]:
    """Return the row groups that may contain some of `sids` (ascending), whose column is the first of the file."""
    import numpy as np

    groups = []
    for index in range(file.metadata.num_row_groups):
        statistics = file.metadata.row_group(index).column(0).statistics
        if statistics is not None and statistics.has_min_max:
            first, end = np.searchsorted(sids, statistics.min), np.searchsorted(sids, statistics.max, "right")
            if first == end:
                continue
        groups.append(index)
    return groups


Format = Literal["text", "conllu", "original"]


def sentence_texts(store: Store, sids: Any = None) -> Iterator[str]:
    """Yield the original text of each sentence, or of `sids` (sorted), in corpus order. It contains no line feed."""
    for batch in read_batches(store, "sentences", ("surface", "text"), sids):
        yield from exact_texts(batch).to_pylist()


def conllu_blocks(store: Store, sids: Any = None) -> Iterator[str]:
    """Yield the CoNLL-U of each sentence, or of `sids` (sorted), as it was read, followed by an empty line."""
    for batch in read_batches(store, "raw", ("conllu",), sids):
        yield from as_conllu_blocks(batch.column("conllu")).to_pylist()


def write_sentences(store: Store, output_format: Format, out: IO[bytes], sids: Any = None) -> int:
    """Return the number of sentences or, in the format "original", of units; these are all written, whatever `sids`."""
    count = 0
    if output_format == "original":
        for unit in original_texts(store):
            out.write(unit.encode())
            count += 1
        return count
    for _, texts in formatted_texts(store, output_format, sids=sids):
        out.write(as_bytes(texts))
        count += len(texts)
    return count


def original_texts(store: Store) -> Iterator[str]:
    """Yield the units of raw text. Raises InputError (FICT745) if the store was not made from raw text."""
    if LINES not in store.files:
        raise InputError.of("FICT745", path=store.path)
    from runner.corpus.raw_text import escape_json

    for text, _, row in _units(store):
        quoting = row.get("quoting")
        yield text + row["end"] if quoting is None else row["before"] + escape_json(text, quoting) + row["end"]


def unit_texts(store: Store) -> Iterator[tuple[str, range]]:
    """Yield each unit of raw text, or else each sentence, with the ids of its sentences."""
    if LINES in store.files:
        yield from ((text, sids) for text, sids, _ in _units(store))
    else:
        yield from ((text, range(sid, sid + 1)) for sid, text in enumerate(sentence_texts(store)))


def sids_by_text(store: Store) -> dict[str, set[int]]:
    """Return the ids of the sentences of each unit of raw text, or else of each sentence, by its normalized text."""
    sids_of_texts: dict[str, set[int]] = {}
    for text, sids in unit_texts(store):
        sids_of_texts.setdefault(normalized(text), set()).update(sids)
    return {text: sids for text, sids in sids_of_texts.items() if sids}


def normalized(text: str) -> str:
    """Return a text in NFC with any white space as one space."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def _units(store: Store) -> Iterator[tuple[str, range, dict[str, Any]]]:
    import pyarrow.parquet as pq

    texts = sentence_texts(store)
    with store.reading(), pq.ParquetFile(store.file(LINES), page_checksum_verification=True) as file:
        for batch in file.iter_batches(8192):
            for row in batch.to_pylist():
                sids = range(0) if row["first"] is None else range(row["first"], row["last"] + 1)
                yield _unit_text(row, texts), sids, row


def _unit_text(row: dict[str, Any], texts: Iterator[str]) -> str:
    """Return the text of a unit. The texts of its sentences are always consumed from `texts`."""
    from runner.corpus.raw_text import join_with_gaps

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

    @property
    def place(self) -> str:
        return f"{self.source}:{self.number}"

    @property
    def name(self) -> str:
        return self.sent_id or self.place

    @property
    def record(self) -> dict[str, Any]:
        return {"source": self.source, "number": self.number, "sent_id": self.sent_id}


def locate(store: Store, sids: Any) -> Iterator[SentenceLocation]:
    for rows in read_batches(store, "sentences", ("source", "number", "sent_id", "doc"), sids):
        for row in zip(*(column.to_pylist() for column in rows.columns), strict=True):
            yield SentenceLocation(*row)


def locate_by_name(store: Store, name: str) -> list[SentenceLocation]:
    """Return the sentences with this `sent_id`, or else SOURCE:NUMBER, without `doc` (see `document_of`)."""
    columns = "SELECT sid, source, number, sent_id FROM sentences WHERE "
    source, _, number = name.rpartition(":")
    rows = fetch_rows(store, f"{columns} sent_id = ? ORDER BY sid", [name], ["sentences"])
    if not rows and number.isascii() and number.isdigit():
        position = [source, int(number[:18])]
        rows = fetch_rows(store, f"{columns} source = ? AND number = ?", position, ["sentences"])
    return [SentenceLocation(*row) for row in rows]


def document_of(store: Store, sid: int) -> str | None:
    ((doc,),) = fetch_rows(store, "SELECT doc FROM sentences WHERE sid = ?", [sid], ["sentences"])
    return None if doc is None else str(doc)
