"""The lines of a text to the places where its documents begin."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path

import numpy as np

from runner.corpus.sentences.arrays import read_values
from runner.corpus.sentences.common_size import Indices
from runner.corpus.store.opening import Store
from runner.intervene.inserts import read_units


def text_documents(store: Store) -> Indices:
    """Where documents begin in a store: at each sentence with another `source` or `doc` than the one before.

    A sentence that stands in no document is one by itself.
    """
    return _begins(_names(store))


def condition_documents(store: Store, sids: Indices, units: Path | None) -> Indices:
    """Where documents begin among the lines of a condition, as its sentences `sids` say, with injected `units`.

    Neighbours that are of one document in the base corpus are of one here; an injected unit is one by itself.
    """
    names = _names(store)
    firsts = np.zeros(1, dtype=np.int64) if units is None else np.array(read_units(units)[1])

    def name(sid: int) -> Hashable:
        return names[sid] if sid >= 0 else ("injected", int(np.searchsorted(firsts, ~sid, "right")))

    return _begins([name(sid) for sid in sids.tolist()])


def _names(store: Store) -> list[Hashable]:
    sources, documents = read_values(store, "source"), read_values(store, "doc")
    return [
        sid if document is None else (source, document)
        for sid, (source, document) in enumerate(zip(sources, documents, strict=True))
    ]


def _begins(names: Sequence[Hashable]) -> Indices:
    places = [place for place, name in enumerate(names) if place == 0 or name != names[place - 1]]
    return np.array(places, dtype=np.int64)
