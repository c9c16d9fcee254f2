"""Check that no two sentences have the same source and number."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.store.opening import Store
from runner.counted import counted
from runner.errors import InputError

Numbers = dict[str, NDArray[np.int64]]  # source → numbers of its sentences, in corpus order


def sentence_numbers(store: Store) -> Numbers:
    """Return the numbers of the sentences of each source."""
    numbers_by_label: dict[str, list[NDArray[np.int64]]] = {}
    for path in store.parquet("sentences"):
        with store.reading():
            table = pq.read_table(path, columns=["source", "number"], page_checksum_verification=True)
        for label in pc.unique(table["source"]).to_pylist():
            source_numbers = table.filter(pc.equal(table["source"], label))["number"]
            numbers_by_label.setdefault(label, []).append(source_numbers.to_numpy().astype(np.int64))
    return {label: np.concatenate(chunk_numbers) for label, chunk_numbers in numbers_by_label.items()}


def check_numbers(store: Store, numbers: Numbers | None = None) -> None:
    """Raise InputError (FICT778) if two sentences of a store have the same source and number.

    `numbers` are the numbers of the sentences of the store. They are read if None.
    """
    problems = []
    for label, source_numbers in (sentence_numbers(store) if numbers is None else numbers).items():
        if repeated := len(source_numbers) - len(np.unique(source_numbers)):
            problems.append(diagnostic("FICT778", path=store.path, label=label, count=counted(repeated, "sentence")))
    if problems:
        raise InputError(problems)


def check_disjoint(stores: Iterable[tuple[Store, Numbers]]) -> None:
    """Raise InputError (FICT779) if two stores have a sentence with the same source and number."""
    seen: Numbers = {}
    for store, numbers in stores:
        for label, source_numbers in numbers.items():
            earlier_numbers = seen.get(label, source_numbers[:0])
            if len(common_numbers := np.intersect1d(source_numbers, earlier_numbers)):
                count = counted(len(common_numbers), "sentence")
                raise InputError(diagnostic("FICT779", path=store.path, label=label, count=count))
            seen[label] = np.concatenate([earlier_numbers, source_numbers])
