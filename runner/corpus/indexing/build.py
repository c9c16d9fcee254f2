"""Build the index of a store, publish it by rename, and estimate its cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from fictdsl.schema import LOWERED
from runner.corpus.indexing.codes import StringCodes
from runner.corpus.indexing.partitions import Partitions, SortOrder
from runner.corpus.indexing.rows import write_rows
from runner.corpus.indexing.slices import Words
from runner.corpus.store.index import FOLDER, SortedRows, tokens_key, write_description
from runner.corpus.store.opening import Store
from runner.corpus.store.verify import Expected
from runner.workspace import clean_stale, publish_dir, sha256_file

ALWAYS_SORTED = tuple(LOWERED.values())  # the columns that every index sorts by
MAX_SORTED_SHARE = 0.1  # the index sorts by a feature if at most this share of words has it
MIN_COPIED_SHARE = 0.003  # sorted copies contain a feature if at least this share of words has it

# Measured per value: seconds to read, seconds to sort and write, bytes in the index, and bytes in temporary files.
_READ_SECONDS, _WRITE_SECONDS = 24e-9, 47e-9
_INDEX_BYTES, _TEMPORARY_BYTES = 0.6, 1.4


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimated cost of an index: rows and columns of its sorted copies, CPU seconds, bytes on disk."""

    rows: dict[str, int]  # rows of each copy, by the column that it is sorted by
    columns: int
    seconds: float
    size: float
    temporary: float  # bytes of temporary files while it is built


def estimate(store: Store) -> Estimate:
    """Estimate the cost of a store's index from the counts in its description."""
    store.require_text()
    copied, sorted_by = _columns(store)
    rows = {by: _row_count(store, by) for by in sorted_by}
    values_read, values_written = store.info.words * (len(copied) + len(rows)), sum(rows.values()) * len(copied)
    return Estimate(
        rows,
        len(copied),
        values_read * _READ_SECONDS + values_written * _WRITE_SECONDS,
        values_written * _INDEX_BYTES,
        values_written * _TEMPORARY_BYTES,
    )


def build_index(store: Store, progress: Callable[[int, int], None] | None = None) -> None:
    """Build the index of a store, replacing an existing index. `progress` receives the rows done and in total."""
    copied, sorted_by = _columns(store)
    words = Words(store.parquet("tokens"), {**copied, **dict.fromkeys(sorted_by, pa.string())}, StringCodes())
    rows = {by: _row_count(store, by) for by in sorted_by}
    meter = _Meter(2 * store.info.words + sum(rows.values()), progress)
    clean_stale(store.path)
    with publish_dir(store.path / FOLDER, replace=True) as folder, store.reading(), ExitStack() as stack:
        partitions_by_column: dict[str, Partitions] = {}
        for order in _sort_orders(words, sorted_by, store.info.sentences, meter):
            columns = list(dict.fromkeys([*copied, order.by]))
            partitions_by_column[order.by] = stack.enter_context(
                Partitions(folder / f"{len(partitions_by_column):03d}.partitions", order, columns)
            )
        for columns_of_slice in words.slices(list(words.types)):
            for partitions in partitions_by_column.values():
                partitions.add(columns_of_slice)
            meter.advance(len(columns_of_slice["sid"]))
        copies, files = [], {}
        for number, (by, partitions) in enumerate(partitions_by_column.items()):
            name = f"{number:03d}.parquet"
            types = {column: words.types[column] for column in dict.fromkeys([*copied, by])}
            write_rows(folder / name, partitions, types, words.codes.values(), meter.advance)
            partitions.close()
            files[name] = Expected((folder / name).stat().st_size, sha256_file(folder / name))
            copies.append(SortedRows(by, name, partitions.order.rows, tuple(types)))
        write_description(folder, tokens_key(store.files), copies, files)


def _columns(store: Store) -> tuple[dict[str, pa.DataType], list[str]]:
    """Return the columns of every sorted copy with their types, and the columns to sort by."""
    types: dict[str, pa.DataType] = {}
    with store.reading():
        for path in store.parquet("tokens"):
            for field in pq.read_schema(path):
                types.setdefault(field.name, field.type)
    layer_columns = {column for layer in store.info.layers for column in layer.columns.values()}
    features = [column for column in store.info.features.values() if column not in layer_columns]
    shares = {column: _row_count(store, column) / store.info.words for column in features}
    copied = {name: dtype for name, dtype in types.items() if shares.get(name, 1) >= MIN_COPIED_SHARE}
    return copied, [*ALWAYS_SORTED, *(column for column in features if shares[column] <= MAX_SORTED_SHARE)]


def _row_count(store: Store, column: str) -> int:
    """Return the approximate number of words with a value in a column."""
    feature = next((name for name, feature_column in store.info.features.items() if feature_column == column), None)
    return store.info.words if feature is None else sum(store.info.values.get(feature, {}).values())


def _sort_orders(words: Words, sorted_by: Sequence[str], sentences: int, meter: _Meter) -> list[SortOrder]:
    counts = {by: np.zeros(0, np.int64) for by in sorted_by}
    for columns in words.slices(sorted_by):
        for by, codes in columns.items():
            counts[by] = _sum_padded(counts[by], np.bincount(codes + 1, minlength=1)[1:])
        meter.advance(len(columns[sorted_by[0]]))
    values = words.codes.values().to_pylist()
    return [SortOrder.build(by, values, counts[by], sentences) for by in sorted_by]


def _sum_padded(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sum of two arrays, the shorter of which is padded with zeros."""
    longer, shorter = (first, second) if len(first) > len(second) else (second, first)
    total = longer.copy()
    total[: len(shorter)] += shorter
    return total


class _Meter:
    """Counts the rows done, and reports them to `progress`."""

    def __init__(self, total: int, progress: Callable[[int, int], None] | None) -> None:
        self._total, self._progress, self._done = total, progress, 0

    def advance(self, rows: int) -> None:
        self._done += rows
        if self._progress is not None:
            self._progress(min(self._done, self._total), self._total)
