"""The Arrow schemas of a store's files, and what is wrong with the columns of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from fictdsl.schema import COPIES, TABLES, Field, tables
from runner.corpus.store_files import LINES, VALUES, Expected, Layer
from runner.readers import parquet_reason


def schemas(*, text: bool) -> dict[str, pa.Schema]:
    return {
        name: pa.schema([pa.field(column.name, pa.type_for_alias(column.type)) for column in columns])
        for name, columns in tables(text=text).items()
    }


def replace_column(table: pa.Table, name: str, column: object) -> pa.Table:
    index = table.schema.get_field_index(name)
    return table.set_column(index, table.schema.field(index), column)


SCHEMAS = schemas(text=True)
COPY_TYPES = {name: pa.type_for_alias(copy.column.type) for name, copy in COPIES.items()}
INT32_COLUMNS = tuple(column.name for column in TABLES["tokens"] if column.type == "int32")
STRING_FIELDS = tuple(sorted({Field.FEATS, *(column.field for column in TABLES["tokens"] if column.field is not None)}))
LINES_SCHEMA = pa.schema(
    [
        ("source", pa.string()),
        ("line", pa.int64()),  # the number of the line at which the unit begins
        ("first", pa.int64()),  # the first and last sid of its sentences; NULL if it has none
        ("last", pa.int64()),
        ("skipped", pa.int32()),  # the number of its sentences that were not parsed
        ("gaps", pa.string()),  # JSON list of the white space around and between sentences; NULL for single spaces
        ("text", pa.string()),  # the whole unit; NULL if the sentences and gaps reproduce it
        ("end", pa.string()),  # the line end; for a line of JSON, everything after the text
        ("before", pa.string()),  # for a line of JSON, everything before the text, otherwise NULL
        ("quoting", pa.string()),  # how the text is quoted in a line of JSON
    ]
)
VALUES_SCHEMA = pa.schema([("column", pa.string()), ("value", pa.string()), ("words", pa.int64())])

Columns = Mapping[str, pa.DataType | None]  # None if any type is allowed


def file_columns(name: str, layers: Sequence[Layer], *, text: bool) -> Columns | None:
    table_schemas = schemas(text=text)
    layer_by_name = {layer.name: layer for layer in layers}
    match name.split("/"):
        case ["layers", layer_name, _] if layer_name in layer_by_name:
            layer = layer_by_name[layer_name]
            if layer.kind != "feature":
                return _column_types(table_schemas[layer.kind])
            keys = {key: table_schemas["tokens"].field(key).type for key in ("sid", "id")}
            return keys | dict.fromkeys(layer.columns.values(), table_schemas["tokens"].field("lemma").type)
        case [table, _] if table in table_schemas:
            return _column_types(table_schemas[table])
    other_schemas = {LINES: LINES_SCHEMA, VALUES: VALUES_SCHEMA}
    return _column_types(other_schemas[name]) if name in other_schemas else None


def _column_types(schema: pa.Schema) -> Columns:
    return {field.name: field.type for field in schema}


def column_fault(columns: Columns | None, path: Path, expected: Expected) -> str | None:
    if path.suffix != ".parquet" or columns is None:
        return None
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
