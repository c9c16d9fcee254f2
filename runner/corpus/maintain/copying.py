"""Copy sentences of published stores to a new store, with their sources, numbers and documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.conllu.tables_of_pieces import parse_piece
from runner.corpus.files.pieces import Piece
from runner.corpus.ingest.writer import StoreWriter
from runner.corpus.sentences.texts import as_conllu_blocks
from runner.corpus.store.opening import SourceInfo, Store
from runner.errors import InputError

Flags = NDArray[np.bool_]
Advance = Callable[[int], None]  # receives the number of sentences processed since the last call

_BATCH = 4096  # sentences


class Copier:
    """Copies sentences to a new store. Call `copy` for each store in order, and then `finish`.

    Consecutive sentences of one source remain one source, even if they come from several stores.
    """

    def __init__(self, writer: StoreWriter) -> None:
        self._writer = writer
        self._source: SourceInfo | None = None

    def copy(
        self,
        store: Store,
        mask: Flags | None = None,
        advance: Advance | None = None,
        labels: Mapping[str, str] | None = None,
    ) -> None:
        """Append the sentences of a store, or only those that a `mask` of shape (sentences,) selects.

        The trees are parsed from their CoNLL-U in batches, so memory does not grow with the store. `labels` maps labels
        of sources to new labels. Raises InputError if the store has layers (FICT768) or no text (FICT749).
        """
        if store.info.layers:
            layers = ", ".join(layer.name for layer in store.info.layers)
            raise InputError(diagnostic("FICT768", path=store.path, layers=layers))
        new_labels = labels or {}
        sources = [replace(source, label=new_labels.get(source.label, source.label)) for source in store.info.sources]
        next_source = 0
        for run in _runs(store, mask, advance):
            for index in range(next_source, run.source + 1):
                if mask is None or index == run.source:  # a whole copy keeps sources without sentences
                    self._begin(sources[index])
            next_source = run.source + 1
            parsed = parse_piece(Piece(1, run.text), sources[run.source].label).tables
            assert parsed is not None
            self._writer.write(parsed, run.numbers, run.docs)
        for source in sources[next_source:] if mask is None else ():
            self._begin(source)

    def finish(self) -> None:
        """End the last source."""
        if self._source is not None:
            self._writer.end(self._source.sha256, self._source.rejected)

    def _begin(self, source: SourceInfo) -> None:
        if self._source is None or (source.label, source.sha256) != (self._source.label, self._source.sha256):
            self.finish()
            self._source = source
            self._writer.begin(source.label)


@dataclass(frozen=True, slots=True)
class _Run:
    """Consecutive sentences of one source: its index, their CoNLL-U, their numbers in the source, their documents."""

    source: int
    text: bytes
    numbers: Any
    docs: Any


def _runs(store: Store, mask: Flags | None, advance: Advance | None) -> Iterator[_Run]:
    source_ends = np.cumsum([source.sentences for source in store.info.sources])
    for sentence_file, raw_file in zip(store.parquet("sentences"), store.parquet("raw"), strict=True):
        with store.reading():
            sentences = pq.read_table(sentence_file, columns=["sid", "number", "doc"], page_checksum_verification=True)
        first, count = sentences["sid"][0].as_py(), sentences.num_rows
        if mask is not None and not mask[first : first + count].any():
            _report(advance, count)
            continue
        with store.reading(), pq.ParquetFile(raw_file, page_checksum_verification=True) as file:
            for batch in file.iter_batches(_BATCH, columns=["sid", "conllu"]):
                start = batch["sid"][0].as_py()
                if not first <= start <= first + count - batch.num_rows:  # never in a store that fictc wrote
                    raise InputError(
                        diagnostic("FICT742", path=raw_file, reason=f"sentence {start} is in the wrong chunk")
                    )
                rows = sentences.slice(start - first, batch.num_rows).append_column("conllu", batch["conllu"])
                if mask is not None:
                    rows = rows.filter(pa.array(mask[start : start + batch.num_rows]))
                yield from _runs_by_source(rows, source_ends)
                _report(advance, batch.num_rows)


def _runs_by_source(rows: pa.Table, ends: NDArray[np.int64]) -> Iterator[_Run]:
    sources = np.searchsorted(ends, rows["sid"].to_numpy(), side="right")
    boundaries = [0, *(np.flatnonzero(np.diff(sources)) + 1).tolist(), len(sources)]
    for start, end in pairwise(boundaries):
        if start < end:
            run = rows.slice(start, end - start)
            text = "".join(as_conllu_blocks(run["conllu"]).to_pylist()).encode()
            yield _Run(int(sources[start]), text, run["number"].combine_chunks(), run["doc"].combine_chunks())


def _report(advance: Advance | None, sentences: int) -> None:
    if advance is not None:
        advance(sentences)
