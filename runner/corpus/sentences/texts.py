"""A store's sentences into the bytes that go out, line ends and all, many sentences at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, assert_never

from runner.corpus.store.opening import Store

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

Written = Literal["text", "conllu"]
_ROWS = 16_384  # sentences that are held at a time


def written(store: Store, kind: Written, chunks: Sequence[int] | None = None) -> Iterator[tuple[pa.Array, pa.Array]]:
    """The numbers and the texts of sentences as they are written, in corpus order; `chunks` are some of the store's."""
    match kind:
        case "text":
            for batch in batches(store, "sentences", ("surface", "text"), chunks=chunks):
                yield batch.column("sid"), lines(spelling(batch))
        case "conllu":
            for batch in batches(store, "raw", ("conllu",), chunks=chunks):
                yield batch.column("sid"), blocks(batch.column("conllu"))
        case _:
            assert_never(kind)


def spelling(sentences: Any) -> Any:
    """The text of each row of `sentences` to the byte."""
    import pyarrow.compute as pc

    return pc.coalesce(sentences.column("surface"), sentences.column("text"))


def lines(texts: Any) -> Any:
    """Each text as a line."""
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(texts, "", "\n")


def blocks(trees: Any) -> Any:
    """The CoNLL-U of each sentence with the empty line after it, which ends as its other lines do."""
    import pyarrow.compute as pc

    ends = pc.if_else(pc.ends_with(trees, "\r"), "\n\r\n", "\n\n")
    return pc.binary_join_element_wise(trees, ends, "")


def as_bytes(texts: pa.StringArray) -> memoryview:
    """All texts one after the other, not copied."""
    import numpy as np

    offsets = np.frombuffer(texts.buffers()[1], np.int32)[texts.offset : texts.offset + len(texts) + 1]
    data = texts.buffers()[2]
    return memoryview(b"") if data is None or not len(texts) else memoryview(data)[offsets[0] : offsets[-1]]


def without(sids: pa.Array, texts: pa.StringArray, dropped: np.ndarray) -> tuple[memoryview, int]:
    """The bytes of the sentences that are not dropped, and how many sentences these are.

    `sids` are successive numbers; `dropped` is sorted.
    """
    import numpy as np
    import pyarrow as pa

    first = sids[0].as_py()
    here = dropped[slice(*np.searchsorted(dropped, (first, first + len(sids))))] - first
    if not len(here):
        return as_bytes(texts), len(texts)
    kept = np.ones(len(texts), bool)
    kept[here] = False
    return as_bytes(texts.filter(pa.array(kept))), len(texts) - len(here)


def batches(
    store: Store, table: str, columns: Sequence[str], sids: Any = None, chunks: Sequence[int] | None = None
) -> Iterator[Any]:
    """Some columns of a table that has a row for each sentence, a batch at a time, in corpus order.

    `sids` (sorted integers) chooses sentences, `chunks` chunks.
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    if "text" in columns:
        store.need_text()
    wanted = None if sids is None else pa.array(sids, pa.int64())
    for path in store.parquet(table, chunks):
        with store.reading(), pq.ParquetFile(path, page_checksum_verification=True) as file:
            for batch in file.iter_batches(_ROWS, columns=["sid", *columns], use_threads=False):
                yield batch if wanted is None else batch.filter(pc.is_in(batch.column(0), value_set=wanted))
