"""The columns that the Parquet files of a store must have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from runner.corpus.store.layers import Layer
from runner.corpus.store.schema import VALUES
from runner.corpus.store.verify import Expected

if TYPE_CHECKING:
    import pyarrow as pa

Columns = Mapping[str, "pa.DataType | None"]  # None for a type that the file alone knows
ColumnsOf = Callable[[str], "Columns | None"]  # of a file by its name, None for one that is not looked at


def store_columns(layers: Iterable[Layer], *, text: bool) -> ColumnsOf:
    """Return a function from the name of a file to its columns, for a store with some layers, with or without text."""
    of_layers = {layer.name: layer for layer in layers}

    def columns(name: str) -> Columns | None:
        import pyarrow as pa

        from runner.corpus.conllu.tables import schemas
        from runner.corpus.text.lines import LINES, SCHEMA

        tables = schemas(text=text)
        match name.split("/"):
            case ["layers", layer, _] if layer in of_layers:
                return _of_layer(of_layers[layer], tables)
            case [table, _] if table in tables:
                return _named(tables[table])
        if name == LINES:
            return _named(SCHEMA)
        return {"column": pa.string(), "value": pa.string(), "words": pa.int64()} if name == VALUES else None

    return columns


def column_fault(columns_of: ColumnsOf, name: str, path: Path, expected: Expected) -> str | None:
    """Return why a file cannot be read as the one that is called `name`, None if it can."""
    if not name.endswith(".parquet") or (columns := columns_of(name)) is None:
        return None
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        metadata = pq.read_metadata(path)
        schema = metadata.schema.to_arrow_schema()
    except pa.ArrowInvalid as error:
        return f"it is no Parquet file ({str(error).splitlines()[0]})"
    for column, kind in columns.items():
        if column not in schema.names:
            return f"it has no column `{column}`"
        if kind is not None and schema.field(column).type != kind:
            return f"its column `{column}` is of type {schema.field(column).type} instead of {kind}"
    if expected.rows is not None and metadata.num_rows != expected.rows:
        return f"it has {metadata.num_rows:,} rows instead of {expected.rows:,}"
    return None


def _of_layer(layer: Layer, tables: Mapping[str, pa.Schema]) -> Columns:
    if layer.kind != "feature":
        return _named(tables[layer.kind])
    place = {name: tables["tokens"].field(name).type for name in ("sid", "id")}
    return place | {column: tables["tokens"].field("lemma").type for column in layer.columns.values()}


def _named(schema: pa.Schema) -> Columns:
    return {field.name: field.type for field in schema}
