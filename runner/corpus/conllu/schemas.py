"""Arrow schemas of a store's tables."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from fictdsl.schema import COPIES, TABLES, Column, Field, tables


def arrow_schema(columns: Iterable[Column]) -> pa.Schema:
    """Return the Arrow schema of some columns."""
    return pa.schema([pa.field(column.name, pa.type_for_alias(column.type)) for column in columns])


def schemas(*, text: bool) -> dict[str, pa.Schema]:
    """Return the schemas of the tables of a store with or without texts. `tokens` lacks copies and features."""
    return {name: arrow_schema(columns) for name, columns in tables(text=text).items()}


SCHEMAS = schemas(text=True)
COPY_TYPES = {name: pa.type_for_alias(copy.column.type) for name, copy in COPIES.items()}
INT32_COLUMNS = tuple(column.name for column in TABLES["tokens"] if column.type == "int32")
STRING_FIELDS = tuple(sorted({Field.FEATS, *(column.field for column in TABLES["tokens"] if column.field is not None)}))
