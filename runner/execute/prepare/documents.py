"""Find the first lines of documents in the texts that models read."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path

import numpy as np

from runner.corpus.sentences.arrays import read_values
from runner.corpus.sentences.common_size import Indices
from runner.corpus.store.opening import Store
from runner.intervene.inserts import read_units


def text_documents(store: Store, kept: Indices) -> Indices:
    """Return the indices of the first lines of documents among the sentences `kept` of a store.

    A document begins where `source` or `doc` changes. A sentence outside any document is a document by itself.
    """
    keys = _document_keys(store)
    return _starts([keys[sid] for sid in kept.tolist()])


def condition_documents(store: Store, sids: Indices, units: Path | None) -> Indices:
    """Return the indices of the first lines of documents of a condition with the lines `sids` and injected `units`.

    Adjacent sentences of one document in the base corpus form a document, and so does each injected unit.
    """
    keys = _document_keys(store)
    first_lines = np.zeros(1, dtype=np.int64) if units is None else np.array(read_units(units)[1])

    def document_key(sid: int) -> Hashable:
        return keys[sid] if sid >= 0 else ("injected", int(np.searchsorted(first_lines, ~sid, "right")))

    return _starts([document_key(sid) for sid in sids.tolist()])


def _document_keys(store: Store) -> list[Hashable]:
    sources, documents = read_values(store, "source"), read_values(store, "doc")
    return [
        sid if document is None else (source, document)
        for sid, (source, document) in enumerate(zip(sources, documents, strict=True))
    ]


def _starts(keys: Sequence[Hashable]) -> Indices:
    starts = [index for index, key in enumerate(keys) if index == 0 or key != keys[index - 1]]
    return np.array(starts, dtype=np.int64)
