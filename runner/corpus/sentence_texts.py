"""Read the texts and CoNLL-U of sentences in batches, in the format of output files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, assert_never

from runner.corpus.store import Store

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from runner.corpus.sentence_arrays import Indices


TextFormat = Literal["text", "conllu"]
_BATCH_ROWS = 16_384  # sentences per batch


def formatted_texts(
    store: Store, text_format: TextFormat, chunks: Sequence[int] | None = None
) -> Iterator[tuple[pa.Array, pa.Array]]:
    """Yield the sids and formatted texts of the sentences in all chunks, or in `chunks`, in corpus order."""
    match text_format:
        case "text":
            for batch in read_batches(store, "sentences", ("surface", "text"), chunks=chunks):
                yield batch.column("sid"), as_lines(exact_texts(batch))
        case "conllu":
            for batch in read_batches(store, "raw", ("conllu",), chunks=chunks):
                yield batch.column("sid"), as_conllu_blocks(batch.column("conllu"))
        case _:
            assert_never(text_format)


def exact_texts(sentences: Any) -> Any:
    """Return the original text of each row of `sentences`."""
    import pyarrow.compute as pc

    return pc.coalesce(sentences.column("surface"), sentences.column("text"))


def as_lines(texts: Any) -> Any:
    """Append a line end to each text."""
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(texts, "", "\n")


def as_conllu_blocks(trees: Any) -> Any:
    """Append an empty line to the CoNLL-U of each sentence, with the line end of its other lines."""
    import pyarrow.compute as pc

    line_ends = pc.if_else(pc.ends_with(trees, "\r"), "\n\r\n", "\n\n")
    return pc.binary_join_element_wise(trees, line_ends, "")


def as_bytes(texts: pa.StringArray) -> memoryview:
    """Return the concatenation of all texts, without a copy."""
    offsets, data = _offsets(texts), texts.buffers()[2]
    return memoryview(b"") if data is None or not len(texts) else memoryview(data)[offsets[0] : offsets[-1]]


def text_ends(texts: pa.StringArray) -> np.ndarray:
    """Return the offset in `as_bytes(texts)` after each text."""
    offsets = _offsets(texts)
    ends: np.ndarray = offsets[1:] - offsets[:1]
    return ends


def _offsets(texts: pa.StringArray) -> np.ndarray:
    import numpy as np

    return np.frombuffer(texts.buffers()[1], np.int32)[texts.offset : texts.offset + len(texts) + 1]


def drop_rows(sids: pa.Array, texts: pa.StringArray, dropped: np.ndarray) -> tuple[memoryview, int]:
    """Return, as bytes, the texts of the sentences that are not dropped, and the number of these sentences.

    `sids` are consecutive, and `dropped` has sorted sids.
    """
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


def rows_among(batch_sids: Indices, sids: Indices) -> Indices:
    """Return the indices of the elements of `batch_sids` that are in `sids`. Both are ascending sentence ids."""
    import numpy as np

    if not len(batch_sids):
        return batch_sids
    candidates = sids[slice(*np.searchsorted(sids, (batch_sids[0], batch_sids[-1] + 1)))]
    rows = np.searchsorted(batch_sids, candidates)
    matching: Indices = rows[batch_sids[rows] == candidates]
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
    """Return the row groups of a Parquet file that may contain some of `sids`, which are ascending.

    `sid` is the first column of the file. A row group without statistics may contain any sentence.
    """
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
