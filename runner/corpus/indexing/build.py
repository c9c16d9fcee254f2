"""A store into its index: what it will cost, and then the files, published by rename."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from runner.corpus.indexing.codes import Codes
from runner.corpus.indexing.heaps import Heaps, Order
from runner.corpus.indexing.rows import write_rows
from runner.corpus.indexing.slices import Words
from runner.corpus.store.index import FOLDER, SortedRows, tokens_key, write_description
from runner.corpus.store.opening import Store
from runner.corpus.store.verify import Expected
from runner.workspace import clean_stale, publish_dir, sha256_file

LISTED = ("form_l", "lemma_l")  # sorted copies that every index has
RARE = 0.1  # the share of words up to which a feature has a sorted copy of its own
SELDOM = 0.003  # the share from which on it is a column of every copy

# Measured: what a value costs to read, and to sort and write (seconds); what it takes on disk, then and meanwhile.
_READ, _SORTED = 24e-9, 47e-9
_BYTES, _MEANWHILE = 0.6, 1.4


@dataclass(frozen=True, slots=True)
class Estimate:
    """What an index is about to cost: columns of its sorted copies, their rows, CPU seconds, bytes of disk."""

    rows: dict[str, int]  # of the copy sorted by each column
    columns: int
    seconds: float
    size: float
    meanwhile: float  # bytes more, until it is ready


def estimate(store: Store) -> Estimate:
    """Guess from the counts in the store's description what its index will cost."""
    store.require_text()
    kinds, sorted_by = _columns(store)
    rows = {by: _rows(store, by) for by in sorted_by}
    read, values = store.info.words * (len(kinds) + len(rows)), sum(rows.values()) * len(kinds)
    return Estimate(rows, len(kinds), read * _READ + values * _SORTED, values * _BYTES, values * _MEANWHILE)


def build_index(store: Store, progress: Callable[[int, int], None] | None = None) -> None:
    """Make the index of a store, in the place of an older one; `progress` gets rows done and in all."""
    kinds, sorted_by = _columns(store)
    words = Words(store.parquet("tokens"), {**kinds, **dict.fromkeys(sorted_by, pa.string())}, Codes())
    rows = {by: _rows(store, by) for by in sorted_by}
    meter = _Meter(2 * store.info.words + sum(rows.values()), progress)
    clean_stale(store.path)
    with publish_dir(store.path / FOLDER, replace=True) as folder, store.reading(), ExitStack() as stack:
        heaps: dict[str, Heaps] = {}
        for order in _orders(words, sorted_by, store.info.sentences, meter):
            columns = list(dict.fromkeys([*kinds, order.by]))
            heaps[order.by] = stack.enter_context(Heaps(folder / f"{len(heaps):03d}.heaps", order, columns))
        for columns_of_slice in words.slices(list(words.types)):
            for heap in heaps.values():
                heap.add(columns_of_slice)
            meter.advance(len(columns_of_slice["sid"]))
        found, files = [], {}
        for number, (by, heap) in enumerate(heaps.items()):
            name = f"{number:03d}.parquet"
            types = {column: words.types[column] for column in dict.fromkeys([*kinds, by])}
            write_rows(folder / name, heap, types, words.codes.values(), meter.advance)
            heap.close()
            files[name] = Expected((folder / name).stat().st_size, sha256_file(folder / name))
            found.append(SortedRows(by, name, heap.order.rows, tuple(types)))
        write_description(folder, tokens_key(store.files), found, files)


def _columns(store: Store) -> tuple[dict[str, pa.DataType], list[str]]:
    """The columns of every sorted copy with their types, and the columns that the copies are sorted by."""
    kinds: dict[str, pa.DataType] = {}
    with store.reading():
        for path in store.parquet("tokens"):
            for field in pq.read_schema(path):
                kinds.setdefault(field.name, field.type)
    added = {column for layer in store.info.layers for column in layer.columns.values()}
    features = [column for column in store.info.features.values() if column not in added]
    shares = {column: _rows(store, column) / store.info.words for column in features}
    kept = {name: kind for name, kind in kinds.items() if shares.get(name, 1) >= SELDOM}
    return kept, [*LISTED, *(column for column in features if shares[column] <= RARE)]


def _rows(store: Store, column: str) -> int:
    """About how many words have a value in a column."""
    feature = next((name for name, physical in store.info.features.items() if physical == column), None)
    return store.info.words if feature is None else sum(store.info.values.get(feature, {}).values())


def _orders(words: Words, sorted_by: Sequence[str], sentences: int, meter: _Meter) -> list[Order]:
    counts = {by: np.zeros(0, np.int64) for by in sorted_by}
    for columns in words.slices(sorted_by):
        for by, numbers in columns.items():
            counts[by] = _sum(counts[by], np.bincount(numbers + 1, minlength=1)[1:])
        meter.advance(len(columns[sorted_by[0]]))
    values = words.codes.values().to_pylist()
    return [Order.of(by, values, counts[by], sentences) for by in sorted_by]


def _sum(some: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
    longer, shorter = (some, others) if len(some) > len(others) else (others, some)
    total = longer.copy()
    total[: len(shorter)] += shorter
    return total


class _Meter:
    """Rows done so far, told to whoever shows progress."""

    def __init__(self, total: int, progress: Callable[[int, int], None] | None) -> None:
        self._total, self._progress, self._done = total, progress, 0

    def advance(self, rows: int) -> None:
        self._done += rows
        if self._progress is not None:
            self._progress(min(self._done, self._total), self._total)
