"""A store's files into a locked DuckDB: it reads these files and can do nothing else."""

from __future__ import annotations

import atexit
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING

from runner.corpus.index import SortedView
from runner.corpus.limits import Limits
from runner.corpus.schema import FEATURE, LENGTHS

if TYPE_CHECKING:
    import duckdb

_SAFE = (
    "SET enable_external_access = false",
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET allow_community_extensions = false",
    "SET lock_configuration = true",
)


def database(files: Iterable[Path], limits: Limits) -> duckdb.DuckDBPyConnection:
    """An in-memory DuckDB that may read `files`, its settings locked; `cursor` makes connections to it."""
    import duckdb

    connection = duckdb.connect(":memory:")
    atexit.register(rmtree, limits.folder(), ignore_errors=True)  # which DuckDB removes only when it is closed
    settings = [
        f"SET threads = {limits.workers()}",
        f"SET memory_limit = '{limits.bytes_of_memory() >> 10}KiB'",
        f"SET temp_directory = {_text(str(limits.folder()))}",
        "SET enable_progress_bar = false",
        "SET GLOBAL parquet_metadata_cache = true",  # of all connections: what an index says of its columns is long
        f"SET allowed_paths = [{', '.join(_text(str(path)) for path in files)}]",
    ]
    for statement in (*settings, *_SAFE):
        connection.execute(statement)
    return connection


def show(connection: duckdb.DuckDBPyConnection, table: str, files: Sequence[Path], sids: Sequence[int] | None) -> None:
    """Make a view of this connection over the Parquet files of one table, of all sentences or of some."""
    _view(connection, table, "*", files, sids)


def show_words(
    connection: duckdb.DuckDBPyConnection,
    files: Sequence[Path],
    features: Mapping[str, str | None],
    added: Sequence[tuple[Sequence[Path], Sequence[str]]],
    sids: Sequence[int] | None,
    *,
    text: bool,
    mixed: bool,
) -> None:
    """Make the view `tokens`, which has of the columns of features only those that are asked for.

    `features` gives the physical column of each feature, or None for one that no word here has; where the columns are
    `mixed`, some of the files lack one of these. `added` are the files of layers, with rows for some words, and their
    columns. Words without `text` have no forms.
    """
    shown = [f"COLUMNS(lambda name: NOT starts_with(name, '{FEATURE}'))"]
    shown += [f"length({source}) AS {name}" for name, source in LENGTHS.items() if text or source != "form"]
    for wanted, physical in features.items():
        column = "NULL::VARCHAR" if physical is None else _name(physical)
        shown.append(f"{column} AS {_name(FEATURE + wanted)}")
    joins = [
        f"LEFT JOIN (SELECT sid, id, {', '.join(map(_name, columns))} FROM {_read(paths)}) USING (sid, id)"  # noqa: S608
        for paths, columns in added
    ]
    options = ", union_by_name = true" if mixed else ""  # the columns of every file are read for it, so only then
    _view(connection, "tokens", ", ".join(shown), files, sids, options, " ".join(joins))


def show_sorted(connection: duckdb.DuckDBPyConnection, view: SortedView, sids: Sequence[int] | None) -> None:
    """Make the view of a sorted copy of the words' rows, of all sentences or of some."""
    shown = ", ".join(f"{_name(physical)} AS {_name(name)}" for name, physical in view.columns.items())
    _view(connection, _name(view.table), shown, [view.path], sids)


def _view(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    columns: str,
    files: Sequence[Path],
    sids: Sequence[int] | None,
    options: str = "",
    joins: str = "",
) -> None:
    where = "" if sids is None else f" WHERE {_within(sids)}"
    query = f"SELECT {columns} FROM {_read(files, options)} {joins}{where}"  # noqa: S608
    connection.execute(f"CREATE OR REPLACE TEMP VIEW {table} AS {query}")


def _read(files: Sequence[Path], options: str = "") -> str:
    return f"read_parquet([{', '.join(_text(str(path)) for path in files)}]{options})"


def _within(sids: Sequence[int]) -> str:
    if isinstance(sids, range):
        return f"sid BETWEEN {sids.start} AND {sids.stop - 1}"
    return f"sid IN ({', '.join(map(str, sids)) or 'NULL'})"


def _name(identifier: str) -> str:
    return '"' + identifier.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
