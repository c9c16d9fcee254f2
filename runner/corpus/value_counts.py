"""Look up the number of words with a value in the sorted value counts of a store."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.schema import FEATURE_PREFIX, TABLES
from runner.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


VALUES = "values/00000.parquet"  # counts of the values of counted columns, and of features
ROW_GROUP = 122_880  # DuckDB's default: one thread reads one row group
FREQUENT = 1_000  # the number of values per column that store.json lists with their counts


_COUNTED = {column.name for column in TABLES["tokens"] if column.counted}


@dataclass(frozen=True)
class StoredCounts:
    """The value counts of the store at `path` with this `key`.

    `file` returns the path of a verified file, given its name. `reading` returns a context manager that raises
    InputError with the cause if a file cannot be read (see `runner.corpus.store`). Row groups that have been
    read are cached.
    """

    path: Path
    key: str
    file: Callable[[str], Path] = field(compare=False)
    reading: Callable[[], AbstractContextManager[None]] = field(compare=False)
    uncounted: frozenset[str] = frozenset()  # columns of layers
    # column → frequent value → number of words
    frequent_values: Mapping[str, Mapping[str, int]] = field(default_factory=dict, compare=False)
    _row_groups: dict[int, pa.Table] = field(default_factory=dict, init=False, compare=False)

    def count(self, column: str, value: str) -> int | None:
        """Return the number of words with `value` in a column (`feat_X` for a feature).

        Returns None if the column is not counted. If a word has several values of a feature, they count as one value,
        joined by commas. Raises InputError (FICT742) if the file is damaged.
        """
        if column in self.uncounted or (column not in _COUNTED and not column.startswith(FEATURE_PREFIX)):
            return None
        frequent_counts = self.frequent_values.get(column, {})
        if value in frequent_counts or 0 < len(frequent_counts) < FREQUENT:
            return frequent_counts.get(value, 0)  # a list of fewer than FREQUENT values is complete
        sought_key = column.encode(), value.encode()
        for group, first, last in self._bounds:
            if first <= sought_key <= last:
                rows = self._rows(group)
                row = bisect_left(range(rows.num_rows), sought_key, key=partial(_key, rows))
                if row < rows.num_rows and _key(rows, row) == sought_key:
                    words = rows["words"][row].as_py()
                    if words is None:
                        raise self._damaged("a value has no count")
                    return int(words)
        return 0

    @cached_property
    def _parquet_file(self) -> Any:
        import pyarrow.parquet as pq

        return pq.ParquetFile(self.file(VALUES), page_checksum_verification=True)

    @cached_property
    def _bounds(self) -> list[tuple[int, tuple[bytes, bytes], tuple[bytes, bytes]]]:
        """The index of each row group, with the lower and upper bounds of its (column, value) pairs."""
        bounds = []
        with self.reading():
            metadata = self._parquet_file.metadata
        for index in range(metadata.num_row_groups):
            group = metadata.row_group(index)
            columns, values = group.column(0).statistics, group.column(1).statistics
            if columns is None or not columns.has_min_max or values is None:
                raise self._damaged("its row groups have no bounds")
            has_value_bounds = columns.min == columns.max and values.has_min_max  # very long values have no bounds
            first = columns.min.encode(), values.min.encode() if has_value_bounds else b""
            last = columns.max.encode(), values.max.encode() if has_value_bounds else b"\xff"
            bounds.append((index, first, last))
        return bounds

    def _damaged(self, reason: str) -> InputError:
        return InputError(diagnostic("FICT742", path=self.file(VALUES), reason=reason))

    def _rows(self, group: int) -> pa.Table:
        if group not in self._row_groups:
            with self.reading():
                self._row_groups[group] = self._parquet_file.read_row_group(group)
        return self._row_groups[group]


def _key(rows: pa.Table, row: int) -> tuple[bytes, bytes]:
    """Return the sort key of a row: column and value in bytes."""
    return rows["column"][row].as_py().encode(), rows["value"][row].as_py().encode()
