"""A store's sentences back into files: the text as it came in, or the CoNLL-U to the byte."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO, Any, Literal

from runner.corpus.store import Store

Format = Literal["text", "conllu"]


def surfaces(store: Store, sids: Any = None) -> Iterator[str]:
    """The text of each sentence as it must go out, in corpus order; `sids` (sorted integers) chooses sentences.

    A sentence is one line: its text never holds a line break.
    """
    for values in _column(store, "surface", sids):
        yield from values


def conllu(store: Store, sids: Any = None) -> Iterator[str]:
    """The CoNLL-U of each sentence as it was read, with the empty line after it, in corpus order."""
    for values in _column(store, "conllu", sids):
        for block in values:
            line_end = "\r\n" if block.endswith("\r") else "\n"
            yield f"{block}\n{line_end}"


def write(store: Store, kind: Format, out: IO[bytes], sids: Any = None) -> int:
    """Write all sentences, or those of `sids`, to a binary file; returns how many."""
    count = 0
    for sentence in surfaces(store, sids) if kind == "text" else conllu(store, sids):
        out.write((sentence + "\n" if kind == "text" else sentence).encode())
        count += 1
    return count


def _column(store: Store, name: str, sids: Any) -> Iterator[Sequence[str]]:
    """One column of `raw`, a batch at a time; the files hold sentences in corpus order."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    wanted = None if sids is None else pa.array(sids, pa.int64())
    for path in store.parquet("raw"):
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            for batch in file.iter_batches(8192, columns=["sid", name]):
                column = batch.column(1)
                if wanted is not None:
                    column = column.filter(pc.is_in(batch.column(0), value_set=wanted))
                yield column.to_pylist()
