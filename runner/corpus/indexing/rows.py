"""The heaps of a sorted copy into its Parquet file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from runner.corpus.indexing.codes import packed, packed_numbers
from runner.corpus.indexing.heaps import Heaps
from runner.corpus.indexing.slices import Columns

ROW_GROUP = 245_760


def write_rows(
    path: Path,
    heaps: Heaps,
    types: Mapping[str, pa.DataType],
    values: pa.Array,
    advance: Callable[[int], None],
) -> None:
    """Write all heaps, in order; `values` are the strings by their number. `advance` gets the rows written."""
    schema = pa.schema([(name, _type(name, kind)) for name, kind in types.items()])
    with pq.ParquetWriter(
        path,
        schema,
        compression="lz4",
        write_page_checksum=True,
        write_statistics=[heaps.order.by],  # what else is there is in no order that could be skipped by
        use_dictionary=[name for name in types if name != "sid"],
        column_encoding={"sid": "DELTA_BINARY_PACKED"},
        store_schema=False,
    ) as writer:
        for number in heaps.filled:
            columns = heaps.heap(number)
            order = _ascending(heaps.order.places(columns), columns["id"])
            size = -(-len(order) // -(-len(order) // ROW_GROUP))
            for start in range(0, len(order), size):
                rows = order[start : start + size]
                writer.write_table(_table({name: columns[name][rows] for name in types}, schema, values), size)
            advance(len(order))


def _ascending(places: NDArray[np.int64], ids: NDArray[np.signedinteger]) -> NDArray[np.int64]:
    """The rows by place, then id."""
    first = int(places.min(initial=0))
    width = int(ids.max(initial=0)) + 1
    if (int(places.max(initial=0)) - first + 1) * width < 1 << 63:  # one sort of single numbers is the fastest
        return np.argsort((places - first) * width + ids)
    return np.lexsort((ids, places))


def _type(name: str, kind: pa.DataType) -> pa.DataType:
    return kind if name == "sid" else pa.dictionary(pa.int32(), kind)


def _table(columns: Columns, schema: pa.Schema, values: pa.Array) -> pa.Table:
    arrays = []
    for field in schema:
        numbers = columns[field.name]
        if not pa.types.is_dictionary(field.type):
            arrays.append(pa.array(numbers, field.type))
        elif pa.types.is_string(field.type.value_type):
            arrays.append(packed(numbers, values))
        else:
            arrays.append(packed_numbers(numbers))
    return pa.Table.from_arrays(arrays, schema=schema)
