"""Open a store's files in a locked DuckDB database, which can read only these files."""

from __future__ import annotations

import atexit
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING

from fictdsl.schema import COMPUTED_NUMBERS, FEATURE_PREFIX, MULTIWORD_LINE, feats_key, identifier, tables
from fictdsl.sql.statement import quoted, string
from runner.corpus.limits import Limits
from runner.corpus.store_index import SortedView

if TYPE_CHECKING:
    import duckdb


# `position` gives the order of the comments of a sentence, in the files of the store and then in those of layers
_VIEW_COLUMNS = {"meta": "*, file_index::BIGINT << 40 | file_row_number AS position"}
_SECURITY_SETTINGS = (
    "SET enable_external_access = false",
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET allow_community_extensions = false",
    "SET lock_configuration = true",
)


def open_database(files: Iterable[Path], limits: Limits) -> duckdb.DuckDBPyConnection:
    import duckdb

    # passed to `connect`, because DuckDB starts a thread for each processor before later settings take effect
    config: dict[str, str | bool | int | float | list[str]] = {
        "threads": limits.workers(),
        "memory_limit": f"{limits.bytes_of_memory() >> 10}KiB",
        "temp_directory": str(limits.folder()),
    }
    connection = duckdb.connect(":memory:", config=config)
    atexit.register(rmtree, limits.folder(), ignore_errors=True)  # DuckDB removes the folder only when it is closed
    settings = [
        "SET enable_progress_bar = false",
        "SET GLOBAL parquet_metadata_cache = true",  # for all connections, because the metadata of an index is large
        f"SET allowed_paths = [{', '.join(string(str(path)) for path in files)}]",
    ]
    for statement in (*settings, *_SECURITY_SETTINGS):
        connection.execute(statement)
    return connection


def create_view(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    files: Sequence[Path],
    sids: Sequence[int] | None,
    columns: str | None = None,
    *,
    options: str = "",
    joins: str = "",
) -> None:
    where = "" if sids is None else f" WHERE {sid_condition(sids)}"
    selected = columns or _VIEW_COLUMNS.get(table, "*")
    query = f"SELECT {selected} FROM {read_parquet(files, options)} {joins}{where}"  # noqa: S608
    connection.execute(f"CREATE OR REPLACE TEMP VIEW {table} AS {query}")


@dataclass(frozen=True, slots=True)
class LayerFiles:
    files: Sequence[Path]
    features: Sequence[str]


def create_tokens_view(
    connection: duckdb.DuckDBPyConnection,
    files: Sequence[Path],
    features: Mapping[str, str | None],
    layer_files: Sequence[LayerFiles],
    sids: Sequence[int] | None,
    *,
    text: bool,
    mixed: bool,
) -> None:
    """Create the view `tokens` with the requested `features`, each with its column in the files, or None.

    `mixed` is whether some files lack some of the columns. Without `text`, words have no forms.
    """
    layers = {f"layer{index}": layer for index, layer in enumerate(layer_files)}
    alias_by_feature = {name: alias for alias, layer in layers.items() for name in layer.features}
    columns = [f"COLUMNS(lambda name: NOT starts_with(name, '{FEATURE_PREFIX}'))"]
    stored_columns = [column.name for column in tables(text=text)["tokens"]]
    columns += [
        f"{sql.format(source)} AS {name}"
        for name, (source, sql) in COMPUTED_NUMBERS.items()
        if source in stored_columns
    ]
    for feature, file_column in features.items():
        column_name = _feature_column(feature)
        expression = f"{alias_by_feature[feature]}.{column_name}" if feature in alias_by_feature else "NULL::VARCHAR"
        columns.append(f"{expression if file_column is None else f'words.{quoted(file_column)}'} AS {column_name}")
    joins = [
        # names are given by position, because two columns of a layer may differ only by case
        f"LEFT JOIN {read_parquet(layer.files)} AS {alias}(sid, id, {', '.join(map(_feature_column, layer.features))}) "
        "USING (sid, id)"
        for alias, layer in layers.items()
    ]
    options = ", union_by_name = true" if mixed else ""  # only if needed, because it reads the schema of every file
    joined = f"AS words {' '.join(joins)}"
    create_view(connection, "tokens", files, sids, ", ".join(columns), options=options, joins=joined)


def create_sorted_view(connection: duckdb.DuckDBPyConnection, view: SortedView, sids: Sequence[int] | None) -> None:
    columns = ", ".join(
        f"{quoted(file_column)} AS {quoted(identifier(name))}" for name, file_column in view.columns.items()
    )
    create_view(connection, quoted(view.table), [view.path], sids, columns)


def read_parquet(files: Sequence[Path], options: str = "") -> str:
    return f"read_parquet([{', '.join(string(str(path)) for path in files)}]{options})"


def sid_condition(sids: Sequence[int]) -> str:
    if isinstance(sids, range):
        return f"sid BETWEEN {sids.start} AND {sids.stop - 1}"
    return f"sid IN ({', '.join(map(str, sids)) or 'NULL'})"


def _feature_column(name: str) -> str:
    return quoted(identifier(FEATURE_PREFIX + name))


def create_token_view(connection: duckdb.DuckDBPyConnection, files: Sequence[Path], sids: Sequence[int] | None) -> None:
    """Create the view `token` of the words in multiword tokens: sid, id, and the form of the token as `value`."""
    where = "" if sids is None else f"WHERE {sid_condition(sids)}"
    connection.execute(f"""
        CREATE OR REPLACE TEMP VIEW token AS
        SELECT sid, unnest(range(ends[1], ends[2] + 1))::INTEGER AS id, nfc_normalize(form) AS value
        FROM (SELECT sid, cells[2] AS form, string_split(cells[1], '-')::INTEGER[] AS ends
              FROM (SELECT sid, string_split(line, chr(9)) AS cells
                    FROM (SELECT sid, unnest(regexp_extract_all(conllu, {string(MULTIWORD_LINE)}, 1)) AS line
                          FROM {read_parquet(files)} {where})))
    """)  # noqa: S608


def create_feats_view(
    connection: duckdb.DuckDBPyConnection,
    files: Sequence[Path],
    features: Mapping[str, str],
    sids: Sequence[int] | None,
    *,
    mixed: bool,
) -> None:
    """Create the view `feats` of the words with features: sid, id, and the features sorted by name as `value`."""
    names = sorted(features, key=feats_key)
    entries = [f"{string(f'{name}=')} || {quoted(features[name])}" for name in names]
    value = f"nullif(concat_ws('|', {', '.join(entries)}), '')" if entries else "NULL::VARCHAR"
    words = read_parquet(files, ", union_by_name = true" if mixed else "")
    where = "" if sids is None else f" AND {sid_condition(sids)}"
    connection.execute(f"""
        CREATE OR REPLACE TEMP VIEW feats AS
        SELECT * FROM (SELECT sid, id, {value} AS value FROM {words}) WHERE value IS NOT NULL{where}
    """)  # noqa: S608
