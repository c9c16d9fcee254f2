"""A store's files into a locked DuckDB: it reads these files and can do nothing else."""

from __future__ import annotations

import atexit
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING

from fictdsl.plan.layout import FEATURE, identifier
from runner.corpus.store.index import SortedView
from runner.corpus.store.limits import Limits
from runner.corpus.store.schema import LENGTHS

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

    # given at once: before any setting is changed, DuckDB starts a thread for each processor
    config: dict[str, str | bool | int | float | list[str]] = {
        "threads": limits.workers(),
        "memory_limit": f"{limits.bytes_of_memory() >> 10}KiB",
        "temp_directory": str(limits.folder()),
    }
    connection = duckdb.connect(":memory:", config=config)
    atexit.register(rmtree, limits.folder(), ignore_errors=True)  # which DuckDB removes only when it is closed
    settings = [
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


@dataclass(frozen=True, slots=True)
class Added:
    """The files of a layer, with rows for some words, and the features that they have, in the order of the columns."""

    files: Sequence[Path]
    features: Sequence[str]


def show_words(
    connection: duckdb.DuckDBPyConnection,
    files: Sequence[Path],
    features: Mapping[str, str | None],
    added: Sequence[Added],
    sids: Sequence[int] | None,
    *,
    text: bool,
    mixed: bool,
) -> None:
    """Make the view `tokens`, which has of the columns of features only those that are asked for.

    `features` maps each feature to its column in the files, or to None where neither the files nor a layer have it;
    where the columns are `mixed`, some of the files lack one of these. `added` are the layers that have some of the
    features. The view names columns by `identifier`. Words without `text` have no forms.
    """
    own = "words"
    layers = {f"layer{number}": layer for number, layer in enumerate(added)}
    of_layers = {feature: alias for alias, layer in layers.items() for feature in layer.features}
    shown = [f"COLUMNS(lambda name: NOT starts_with(name, '{FEATURE}'))"]
    shown += [f"length({source}) AS {name}" for name, source in LENGTHS.items() if text or source != "form"]
    for wanted, physical in features.items():
        name = _feature(wanted)
        column = f"{of_layers[wanted]}.{name}" if wanted in of_layers else "NULL::VARCHAR"
        shown.append(f"{column if physical is None else f'{own}.{_name(physical)}'} AS {name}")
    joins = [
        # by position, since the names of two columns of a layer may differ by case alone
        f"LEFT JOIN {_read(layer.files)} AS {alias}({', '.join(['sid', 'id', *map(_feature, layer.features)])}) "
        "USING (sid, id)"
        for alias, layer in layers.items()
    ]
    options = ", union_by_name = true" if mixed else ""  # the columns of every file are read for it, so only then
    _view(connection, "tokens", ", ".join(shown), files, sids, options, f"AS {own} {' '.join(joins)}")


def show_sorted(connection: duckdb.DuckDBPyConnection, view: SortedView, sids: Sequence[int] | None) -> None:
    """Make the view of a sorted copy of the words' rows, of all sentences or of some."""
    shown = ", ".join(f"{_name(physical)} AS {_name(identifier(name))}" for name, physical in view.columns.items())
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


def _feature(name: str) -> str:
    return _name(identifier(FEATURE + name))


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
