"""Read the words of a store in slices of integer columns, in the order of its files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from runner.corpus.indexing.codes import StringCodes

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
        """The names of the string columns."""
        return [name for name, dtype in self.types.items() if pa.types.is_string(dtype)]

    def slices(self, columns: Sequence[str]) -> Iterator[Columns]:
        """Yield slices of the columns, each with about `SLICE_ROWS` words."""
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
    """Yield consecutive row groups that together have about the size of a slice."""
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
