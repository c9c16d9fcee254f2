"""Check the columns and the number of rows of a store's Parquet files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from runner.corpus.store.layers import Layer
from runner.corpus.store.value_files import VALUES
from runner.corpus.store.verify import Expected
from runner.readers import parquet_reason

if TYPE_CHECKING:
    import pyarrow as pa

Columns = Mapping[str, "pa.DataType | None"]  # None if any type is allowed
ColumnsOf = Callable[[str], "Columns | None"]  # (name of a file) → its columns, or None if it is not checked


def store_columns(layers: Iterable[Layer], *, text: bool) -> ColumnsOf:
    """Return a function that returns the expected columns of a file of the store, given the name of the file."""
    layer_by_name = {layer.name: layer for layer in layers}

    def columns_of_file(name: str) -> Columns | None:
        import pyarrow as pa

        from runner.corpus.conllu.schemas import schemas
        from runner.corpus.text.lines import LINES, SCHEMA

        tables = schemas(text=text)
        match name.split("/"):
            case ["layers", layer, _] if layer in layer_by_name:
                return _layer_columns(layer_by_name[layer], tables)
            case [table, _] if table in tables:
                return _column_types(tables[table])
        if name == LINES:
            return _column_types(SCHEMA)
        return {"column": pa.string(), "value": pa.string(), "words": pa.int64()} if name == VALUES else None

    return columns_of_file


def column_fault(columns_of: ColumnsOf, name: str, path: Path, expected: Expected) -> str | None:
    """Return the reason why `path` cannot be read as the file `name` of a store, or None if it can."""
    if not name.endswith(".parquet") or (columns := columns_of(name)) is None:
        return None
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        metadata = pq.read_metadata(path)
        schema = metadata.schema.to_arrow_schema()
    except pa.ArrowInvalid as error:
        return f"it is not a Parquet file ({parquet_reason(error)})"
    for column, expected_type in columns.items():
        if column not in schema.names:
            return f"it has no column `{column}`"
        if expected_type is not None and schema.field(column).type != expected_type:
            return f"its column `{column}` has type {schema.field(column).type} instead of {expected_type}"
    if expected.rows is not None and metadata.num_rows != expected.rows:
        return f"it has {metadata.num_rows:,} rows instead of {expected.rows:,}"
    return None


def _layer_columns(layer: Layer, tables: Mapping[str, pa.Schema]) -> Columns:
    if layer.kind != "feature":
        return _column_types(tables[layer.kind])
    keys = {name: tables["tokens"].field(name).type for name in ("sid", "id")}
    return keys | {column: tables["tokens"].field("lemma").type for column in layer.columns.values()}


def _column_types(schema: pa.Schema) -> Columns:
    return {field.name: field.type for field in schema}
