"""Find the first lines of documents in the texts that models read."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path

import numpy as np

from runner.corpus.sentence_arrays import Indices, read_values
from runner.corpus.store import Store
from runner.intervene.inserts import read_units


def document_numbers(store: Store) -> Indices:
    """Return the number of each sentence's document in a store, (sentences,).

    A document consists of the sentences with the same `source` and `doc`. A sentence outside any document is a
    document by itself.
    """
    sources, documents = read_values(store, "source"), read_values(store, "doc")
    numbers: dict[Hashable, int] = {}
    keys = (
        sid if document is None else (source, document)
        for sid, (source, document) in enumerate(zip(sources, documents, strict=True))
    )
    return np.fromiter((numbers.setdefault(key, len(numbers)) for key in keys), np.int64, len(sources))


def text_documents(numbers: Indices, kept: Indices) -> Indices:
    """Return the indices of the first lines of documents among the sentences `kept` of a text.

    `numbers` has the number of each sentence's document in the text.
    """
    return _starts(numbers[kept])


def condition_documents(numbers: Indices, sids: Indices, units: Path | None) -> Indices:
    """Return the indices of the first lines of documents in the corpus of a condition.

    `sids` has the sentence id of each line, or −k − 1 for line k of the injected text. `units` is the file of the
    injected units, or None. `numbers` has the number of each sentence's document in the base corpus. Adjacent sentences
    of one document form a document, and so does each injected unit.
    """
    first_lines = np.zeros(1, dtype=np.int64) if units is None else np.array(read_units(units)[1])
    is_base = sids >= 0
    documents = np.empty(len(sids), dtype=np.int64)
    documents[is_base] = numbers[sids[is_base]]
    documents[~is_base] = -np.searchsorted(first_lines, ~sids[~is_base], "right")
    return _starts(documents)


def _starts(documents: Indices) -> Indices:
    is_first = np.ones(len(documents), dtype=bool)
    is_first[1:] = documents[1:] != documents[:-1]
    return np.flatnonzero(is_first)
