"""The invariant that a sentence is identified by its source and its number in the source."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.conllu.reader import pluralize
from runner.corpus.store.opening import Store
from runner.errors import InputError

Numbers = dict[str, NDArray[np.int64]]  # label of a source → numbers of its sentences, in corpus order


def sentence_numbers(store: Store) -> Numbers:
    """Read the numbers that sentences have in their sources, each array of shape (sentences of the source,)."""
    parts: dict[str, list[NDArray[np.int64]]] = {}
    for path in store.parquet("sentences"):
        with store.reading():
            table = pq.read_table(path, columns=["source", "number"], page_checksum_verification=True)
        for label in pc.unique(table["source"]).to_pylist():
            of_source = table.filter(pc.equal(table["source"], label))["number"]
            parts.setdefault(label, []).append(of_source.to_numpy().astype(np.int64))
    return {label: np.concatenate(each) for label, each in parts.items()}


def check_numbers(store: Store, numbers: Numbers | None = None) -> None:
    """Raise InputError (FICT778) if two sentences of a store have the same source and number.

    `numbers` spares reading them again.
    """
    found = []
    for label, each in (sentence_numbers(store) if numbers is None else numbers).items():
        if repeated := len(each) - len(np.unique(each)):
            found.append(diagnostic("FICT778", path=store.path, label=label, count=pluralize(repeated, "sentence")))
    if found:
        raise InputError(found)


def check_disjoint(stores: Iterable[tuple[Store, Numbers]]) -> None:
    """Raise InputError (FICT779) if a sentence, given by source and number, is in two of the stores."""
    before: Numbers = {}
    for store, numbers in stores:
        for label, each in numbers.items():
            earlier = before.get(label, each[:0])
            if len(shared := np.intersect1d(each, earlier)):
                count = pluralize(len(shared), "sentence")
                raise InputError(diagnostic("FICT779", path=store.path, label=label, count=count))
            before[label] = np.concatenate([earlier, each])
