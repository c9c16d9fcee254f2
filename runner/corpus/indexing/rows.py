"""Write the Parquet file of a sorted copy from its partitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from runner.corpus.indexing.codes import pack_numbers, pack_strings
from runner.corpus.indexing.partitions import Partitions
from runner.corpus.indexing.slices import Columns

ROW_GROUP = 245_760


def write_rows(
    path: Path,
    partitions: Partitions,
    types: Mapping[str, pa.DataType],
    values: pa.Array,
    advance: Callable[[int], None],
) -> None:
    """Write all partitions in order. `values` has the strings by code, and `advance` receives the rows written."""
    schema = pa.schema([(name, _type(name, dtype)) for name, dtype in types.items()])
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
    """Return the row indices sorted by key, then by id."""
    first = int(keys.min(initial=0))
    width = int(ids.max(initial=0)) + 1
    if (int(keys.max(initial=0)) - first + 1) * width < 1 << 63:  # sorting single integers is the fastest
        return np.argsort((keys - first) * width + ids)
    return np.lexsort((ids, keys))


def _type(name: str, dtype: pa.DataType) -> pa.DataType:
    return dtype if name == "sid" else pa.dictionary(pa.int32(), dtype)


def _table(columns: Columns, schema: pa.Schema, values: pa.Array) -> pa.Table:
    arrays = []
    for field in schema:
        numbers = columns[field.name]
        if not pa.types.is_dictionary(field.type):
            arrays.append(pa.array(numbers, field.type))
        elif pa.types.is_string(field.type.value_type):
            arrays.append(pack_strings(numbers, values))
        else:
            arrays.append(pack_numbers(numbers))
    return pa.Table.from_arrays(arrays, schema=schema)
