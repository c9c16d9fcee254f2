"""The file of value counts, and sizes of row groups and of lists of values."""

from __future__ import annotations

VALUES = "values/00000.parquet"  # counts of the values of counted columns, and of features
ROW_GROUP = 122_880  # DuckDB's default: one thread reads one row group
FREQUENT = 1_000  # the number of values per column that store.json lists with their counts
