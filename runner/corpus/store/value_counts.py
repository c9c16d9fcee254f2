"""A column and a value into how many words of a store have it, from the store's sorted counts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.plan.layout import FEATURE
from runner.corpus.store.schema import COUNTED, VALUES
from runner.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class StoredCounts:
    """The counts of the store at `path` with this `key`.

    `file` gives a verified file of it by name, and `reading` a context in which failures to read it are explained.

    What was read once is kept: a part of the file for each value that is asked for, at most all of it.
    """

    path: Path
    key: str
    file: Callable[[str], Path] = field(compare=False)
    reading: Callable[[], AbstractContextManager[None]] = field(compare=False)
    uncounted: frozenset[str] = frozenset()  # columns that were added to the words later
    _read: dict[int, pa.Table] = field(default_factory=dict, init=False, compare=False)

    def count(self, column: str, value: str) -> int | None:
        """How many words have the value in a column (`feat_X` for a feature); None for a column not counted.

        Values of features are whole, as in the column.
        """
        if column in self.uncounted or (column not in COUNTED and not column.startswith(FEATURE)):
            return None
        wanted = column.encode(), value.encode()
        for number, first, last in self._bounds:
            if first <= wanted <= last:
                rows = self._rows(number)
                place = bisect_left(range(rows.num_rows), wanted, key=partial(_key, rows))
                if place < rows.num_rows and _key(rows, place) == wanted:
                    words = rows["words"][place].as_py()
                    if words is None:
                        raise self._damaged("a value has no count")
                    return int(words)
        return 0

    @cached_property
    def _open(self) -> Any:
        import pyarrow.parquet as pq

        return pq.ParquetFile(self.file(VALUES), page_checksum_verification=True)

    @cached_property
    def _bounds(self) -> list[tuple[int, tuple[bytes, bytes], tuple[bytes, bytes]]]:
        """The number of each row group, and what its first and its last row cannot lie before and behind."""
        found = []
        with self.reading():
            metadata = self._open.metadata
        for number in range(metadata.num_row_groups):
            group = metadata.row_group(number)
            columns, values = (group.column(place).statistics for place in (0, 1))
            if columns is None or not columns.has_min_max or values is None:
                raise self._damaged("its row groups have no bounds")
            one = columns.min == columns.max and values.has_min_max  # no bounds are kept for very long values
            first = columns.min.encode(), values.min.encode() if one else b""
            last = columns.max.encode(), values.max.encode() if one else b"\xff"
            found.append((number, first, last))
        return found

    def _damaged(self, reason: str) -> InputError:
        return InputError(diagnostic("FICT742", path=self.file(VALUES), reason=reason))

    def _rows(self, number: int) -> pa.Table:
        if number not in self._read:
            with self.reading():
                self._read[number] = self._open.read_row_group(number)
        return self._read[number]


def _key(rows: pa.Table, place: int) -> tuple[bytes, bytes]:
    """The column and the value of a row, in bytes, which is what rows are ordered by."""
    return rows["column"][place].as_py().encode(), rows["value"][place].as_py().encode()
