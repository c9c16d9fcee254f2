"""Build the index of a store, publish it by rename, and estimate its cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from fictdsl.schema import LOWERED
from runner.corpus.store import Store
from runner.corpus.store_files import Expected
from runner.corpus.store_index import FOLDER, tokens_key, write_description
from runner.workspace import clean_stale, publish_dir

Numbers = NDArray[np.int32]


class StringCodes:
    """The codes of strings, assigned in order of appearance. The code of NULL is -1."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._codes)

    def encode(self, column: pa.ChunkedArray) -> Numbers:
        return np.concatenate([np.empty(0, np.int32), *map(self._encode_chunk, column.chunks)])

    def values(self) -> pa.Array:
        return pa.array(self._codes, pa.string())

    def _encode_chunk(self, chunk: pa.DictionaryArray) -> Numbers:
        codes = self._codes
        chunk_codes = [codes.setdefault(value, len(codes)) for value in chunk.dictionary.to_pylist()]
        lookup = np.array([*chunk_codes, -1], np.int32)
        encoded: Numbers = lookup[chunk.indices.fill_null(-1).to_numpy()]
        return encoded


def _packed(numbers: Numbers, values: pa.Array | None) -> pa.DictionaryArray:
    """Return small numbers, or the values of codes, as a dictionary column with only the values that occur.

    -1 becomes NULL. Parquet writes a dictionary column without encoding it again.
    """
    size = int(numbers.max(initial=-1)) + 1 if values is None else len(values)
    occurs = np.zeros(size + 1, bool)  # the last entry is for NULL
    occurs[numbers] = True
    has_null = bool(occurs[-1])
    used = np.flatnonzero(occurs[:-1]).astype(np.int32)
    index_by_number = np.zeros(size + 1, np.int32)
    index_by_number[used] = np.arange(len(used), dtype=np.int32)
    indices = pa.array(index_by_number[numbers], mask=numbers < 0 if has_null else None)
    return pa.DictionaryArray.from_arrays(indices, pa.array(used) if values is None else values.take(pa.array(used)))


SLICE_ROWS = 240_000

Columns = Mapping[str, NDArray[np.signedinteger]]


@dataclass(frozen=True, slots=True)
class Words:
    """Some columns of the files of `tokens`, read as integers. Strings are encoded by `codes`, and NULL is -1."""

    files: Sequence[Path]
    types: Mapping[str, pa.DataType]
    codes: StringCodes

    @property
    def string_columns(self) -> list[str]:
        return [name for name, dtype in self.types.items() if pa.types.is_string(dtype)]

    def slices(self, columns: Sequence[str]) -> Iterator[Columns]:
        for path in self.files:
            stored_columns = set(pq.read_schema(path).names)  # a file has no columns for absent features
            string_columns = [name for name in self.string_columns if name in stored_columns]
            with pq.ParquetFile(path, read_dictionary=string_columns, page_checksum_verification=True) as file:
                for groups in _groups(file.metadata):
                    rows = sum(file.metadata.row_group(group).num_rows for group in groups)
                    yield {
                        name: self._numbers(file.read_row_groups(groups, [name], use_threads=False).column(0))
                        if name in stored_columns
                        else np.full(rows, -1, np.int32)
                        for name in columns
                    }

    def _numbers(self, column: pa.ChunkedArray) -> NDArray[np.signedinteger]:
        if pa.types.is_dictionary(column.type):
            return self.codes.encode(column)
        numbers: NDArray[np.signedinteger] = (column.fill_null(-1) if column.null_count else column).to_numpy()
        return numbers


def _groups(metadata: pq.FileMetaData) -> Iterator[list[int]]:
    groups: list[int] = []
    rows = 0
    for group in range(metadata.num_row_groups):
        groups.append(group)
        rows += metadata.row_group(group).num_rows
        if rows >= SLICE_ROWS:
            yield groups
            groups, rows = [], 0
    if groups:
        yield groups


PARTITION_ROWS = 491_520  # two row groups

_OPTIONS = pa.ipc.IpcWriteOptions(compression="lz4")


@dataclass(frozen=True, slots=True)
class SortOrder:
    """The order of a sorted copy. `ranks` has the rank of each value by its code.

    `starts` has the first key of each partition except the first, which begins with the lowest key. The key of a word
    is the rank of its value times the number of sentences, plus its sentence id.
    """

    by: str
    ranks: NDArray[np.int64]
    sentences: int
    starts: NDArray[np.int64]
    rows: int

    @classmethod
    def build(cls, by: str, values: Sequence[str], counts: NDArray[np.int64], sentences: int) -> SortOrder:
        occurring = np.flatnonzero(counts)
        ascending = sorted(occurring.tolist(), key=lambda code: values[code].encode())
        ranks = np.full(len(counts), -1, np.int64)
        ranks[ascending] = np.arange(len(ascending))
        return cls(by, ranks, sentences, _partition_starts(counts[ascending], sentences), int(counts.sum()))

    def keys(self, columns: Columns) -> NDArray[np.int64]:
        keys: NDArray[np.int64] = self.ranks[columns[self.by]] * self.sentences + columns["sid"]
        return keys


def _partition_starts(counts: NDArray[np.int64], sentences: int) -> NDArray[np.int64]:
    end_rows = np.cumsum(counts)
    total = int(end_rows[-1]) if len(end_rows) else 0
    partitions = -(-total // PARTITION_ROWS)
    boundary_rows = np.arange(1, partitions) * total // max(partitions, 1)
    ranks = np.searchsorted(end_rows, boundary_rows, side="right")
    fractions = (boundary_rows - (end_rows[ranks] - counts[ranks])) / counts[ranks]
    starts: NDArray[np.int64] = ranks * sentences + (fractions * sentences).astype(np.int64)
    return starts


class Partitions:
    """The partitions of a sorted copy in a file of compressed batches. `add` all slices, then `read` each partition."""

    def __init__(self, path: Path, order: SortOrder, columns: Sequence[str]) -> None:
        self.order = order
        self._path = path
        self._columns = columns
        self._file = path.open("w+b")
        self._offsets: Mapping[int, list[int]] = defaultdict(list)  # of the batches of each partition

    def add(self, columns: Columns) -> None:
        rows = np.flatnonzero(columns[self.order.by] >= 0)
        keys = self.order.keys({name: columns[name][rows] for name in ("sid", self.order.by)})
        by_key = np.argsort(keys)
        rows, keys = rows[by_key], keys[by_key]
        batch = pa.RecordBatch.from_pydict({name: columns[name][rows] for name in self._columns})
        boundaries = [0, *np.searchsorted(keys, self.order.starts).tolist(), len(rows)]
        for partition, (start, end) in enumerate(pairwise(boundaries)):
            if start < end:
                self._offsets[partition].append(self._file.tell())
                with pa.ipc.new_stream(self._file, batch.schema, options=_OPTIONS) as stream:
                    stream.write_batch(batch.slice(start, end - start))

    def read(self, index: int) -> Columns:
        tables = []
        for offset in self._offsets[index]:
            self._file.seek(offset)
            with pa.ipc.open_stream(self._file) as stream:
                tables.append(stream.read_all())
        table = pa.concat_tables(tables)
        return {name: table[name].to_numpy() for name in self._columns}

    @property
    def indices(self) -> list[int]:
        return sorted(self._offsets)

    def close(self) -> None:
        self._file.close()
        self._path.unlink(missing_ok=True)


ROW_GROUP = 245_760


def write_rows(
    path: Path,
    partitions: Partitions,
    types: Mapping[str, pa.DataType],
    values: pa.Array,
    advance: Callable[[int], None],
) -> None:
    schema = pa.schema(
        [(name, dtype if name == "sid" else pa.dictionary(pa.int32(), dtype)) for name, dtype in types.items()]
    )
    with pq.ParquetWriter(
        path,
        schema,
        compression="lz4",
        write_page_checksum=True,
        write_statistics=[partitions.order.by],  # other columns are not sorted, so statistics cannot skip rows
        use_dictionary=[name for name in types if name != "sid"],
        column_encoding={"sid": "DELTA_BINARY_PACKED"},
        store_schema=False,
    ) as writer:
        for index in partitions.indices:
            columns = partitions.read(index)
            sorted_rows = _sorted_rows(partitions.order.keys(columns), columns["id"])
            # row groups of equal size, at most `ROW_GROUP`
            size = -(-len(sorted_rows) // -(-len(sorted_rows) // ROW_GROUP))
            for start in range(0, len(sorted_rows), size):
                rows = sorted_rows[start : start + size]
                writer.write_table(_table({name: columns[name][rows] for name in types}, schema, values), size)
            advance(len(sorted_rows))


def _sorted_rows(keys: NDArray[np.int64], ids: NDArray[np.signedinteger]) -> NDArray[np.int64]:
    first = int(keys.min(initial=0))
    width = int(ids.max(initial=0)) + 1
    if (int(keys.max(initial=0)) - first + 1) * width < 1 << 63:  # sorting single integers is the fastest
        return np.argsort((keys - first) * width + ids)
    return np.lexsort((ids, keys))


def _table(columns: Columns, schema: pa.Schema, values: pa.Array) -> pa.Table:
    arrays = []
    for field in schema:
        numbers = columns[field.name]
        if not pa.types.is_dictionary(field.type):
            arrays.append(pa.array(numbers, field.type))
        else:
            arrays.append(_packed(numbers, values if pa.types.is_string(field.type.value_type) else None))
    return pa.Table.from_arrays(arrays, schema=schema)


ALWAYS_SORTED = tuple(LOWERED.values())  # the columns that every index sorts by
MAX_SORTED_SHARE = 0.1  # the index sorts by a feature if at most this share of words has it
MIN_COPIED_SHARE = 0.003  # sorted copies contain a feature if at least this share of words has it

# Measured per value: seconds to read, seconds to sort and write, bytes in the index, and bytes in temporary files.
_READ_SECONDS, _WRITE_SECONDS = 24e-9, 47e-9
_INDEX_BYTES, _TEMPORARY_BYTES = 0.6, 1.4


@dataclass(frozen=True, slots=True)
class Estimate:
    rows: dict[str, int]  # rows of each copy, by the column that it is sorted by
    columns: int
    seconds: float
    size: float
    temporary: float  # bytes of temporary files while it is built


def estimate(store: Store) -> Estimate:
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
    copied, sorted_by = _columns(store)
    words = Words(store.parquet("tokens"), {**copied, **dict.fromkeys(sorted_by, pa.string())}, StringCodes())
    rows = {by: _row_count(store, by) for by in sorted_by}
    done, total = 0, 2 * store.info.words + sum(rows.values())

    def advance(new_rows: int) -> None:
        nonlocal done
        done += new_rows
        if progress is not None:
            progress(min(done, total), total)

    clean_stale(store.path)
    with publish_dir(store.path / FOLDER, replace=True) as folder, store.reading(), ExitStack() as stack:
        partitions_by_column: dict[str, Partitions] = {}
        for order in _sort_orders(words, sorted_by, store.info.sentences, advance):
            columns = list(dict.fromkeys([*copied, order.by]))
            path = folder / f"{len(partitions_by_column):03d}.partitions"
            partitions_by_column[order.by] = stack.enter_context(closing(Partitions(path, order, columns)))
        for columns_of_slice in words.slices(list(words.types)):
            for partitions in partitions_by_column.values():
                partitions.add(columns_of_slice)
            advance(len(columns_of_slice["sid"]))
        copies, files = [], {}
        for number, (by, partitions) in enumerate(partitions_by_column.items()):
            name = f"{number:03d}.parquet"
            types = {column: words.types[column] for column in dict.fromkeys([*copied, by])}
            write_rows(folder / name, partitions, types, words.codes.values(), advance)
            partitions.close()
            files[name] = Expected.of(folder / name)
            copies.append({"by": by, "file": name, "rows": partitions.order.rows, "columns": list(types)})
        write_description(folder, tokens_key(store.files), copies, files)


def _columns(store: Store) -> tuple[dict[str, pa.DataType], list[str]]:
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
    feature = next((name for name, feature_column in store.info.features.items() if feature_column == column), None)
    return store.info.words if feature is None else sum(store.info.values.get(feature, {}).values())


def _sort_orders(
    words: Words, sorted_by: Sequence[str], sentences: int, advance: Callable[[int], None]
) -> list[SortOrder]:
    counts = {by: np.zeros(0, np.int64) for by in sorted_by}
    for columns in words.slices(sorted_by):
        for by, codes in columns.items():
            total = np.bincount(codes + 1, minlength=len(counts[by]) + 1)[1:]
            total[: len(counts[by])] += counts[by]
            counts[by] = total
        advance(len(columns[sorted_by[0]]))
    values = words.codes.values().to_pylist()
    return [SortOrder.build(by, values, counts[by], sentences) for by in sorted_by]
