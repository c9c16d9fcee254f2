"""A store's files into a locked DuckDB connection: it reads these files and can do nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from runner.corpus.tables import TABLES

if TYPE_CHECKING:
    import duckdb

_SAFE = (
    "SET enable_external_access = false",
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET allow_community_extensions = false",
    "SET lock_configuration = true",
)


def connect(
    files: Mapping[str, Sequence[Path]],
    columns: Mapping[str, str | None],
    *,
    copies: Sequence[str] = (),
    threads: int | None = None,
    memory_limit: str | None = None,
    timeout: float = 0.0,
    sids: Sequence[int] | None = None,
) -> duckdb.DuckDBPyConnection:
    """An in-memory connection with one view a table over the Parquet files of `files`.

    `columns` maps the feature columns that `tokens` is to show to the physical column, or None for a feature
    that the store never has; `copies` are columns of neighbours that all the files have. `timeout` is in seconds for
    each statement, 0 for none. `sids` limits every view to some sentences.
    """
    import duckdb

    connection = duckdb.connect(":memory:")
    temp = _temp_folder()
    paths = ", ".join(_text(str(path)) for table in files.values() for path in table)
    settings = [
        f"SET threads = {threads or len(os.sched_getaffinity(0))}",
        f"SET memory_limit = {_text(memory_limit or _memory_limit())}",
        f"SET temp_directory = {_text(temp)}",
        "SET max_temp_directory_size = '100GB'",
        "SET enable_progress_bar = false",
        f"SET allowed_paths = [{paths}]",
    ]
    if timeout:
        settings.append(f"SET max_execution_time = {max(1, round(timeout * 1000))}")
    for statement in (*settings, *_SAFE):
        connection.execute(statement)
    where = "" if sids is None else f" WHERE sid IN ({', '.join(map(str, sids)) or 'NULL'})"
    for table, paths_of_table in files.items():
        connection.execute(_view(table, paths_of_table, columns, copies) + where)
    return connection


def _view(table: str, files: Sequence[Path], columns: Mapping[str, str | None], copies: Sequence[str]) -> str:
    if table != "tokens":
        columns, copies = {}, ()
    shown = [_name(name) for name in dict.fromkeys([*TABLES[table].names, *copies])]
    present = [set(_schema_names(path)) for path in files] if any(columns.values()) else []
    mixed = False
    for wanted, physical in columns.items():
        having = sum(physical in names for names in present)  # a chunk has only the features that occur in it
        mixed = mixed or 0 < having < len(files)
        shown.append(f"{_name(physical) if physical and having else 'NULL::VARCHAR'} AS {_name(wanted)}")
    listed = ", ".join(_text(str(path)) for path in files)
    union = ", union_by_name = true" if mixed else ""
    selected = ", ".join(shown)
    return f"CREATE VIEW {table} AS SELECT {selected} FROM read_parquet([{listed}]{union})"  # noqa: S608


def _schema_names(path: Path) -> list[str]:
    import pyarrow.parquet as pq

    names: list[str] = pq.read_schema(path).names
    return names


def _name(identifier: str) -> str:
    return '"' + identifier.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _temp_folder() -> str:
    import tempfile

    return str(Path(tempfile.gettempdir()) / f"fictc-duckdb-{os.getpid()}")


def _memory_limit() -> str:
    """Six tenths of what this process may have, be it the machine's memory or a control group's."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for name in _cgroup_files():
        try:
            limits.append(int(Path(name).read_text(encoding="ascii")))
        except (OSError, ValueError):
            continue
    return f"{int(min(limits) * 0.6) >> 20}MiB"


def _cgroup_files() -> Iterable[str]:
    return "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"
