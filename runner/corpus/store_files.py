"""Validate `store.json`, verify a store's files, and look up the number of words with a value."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.installation import cache_folder
from fictdsl.schema import FEATURE_PREFIX, TABLES, tables
from runner.errors import InputError
from runner.readers import IrregularFileError, parse_json, real_path
from runner.workspace import key, sha256_file, write_text

if TYPE_CHECKING:
    import pyarrow as pa


LINES = "lines.parquet"  # the units of raw text, with their sentences
VALUES = "values/00000.parquet"  # counts of the values of counted columns, and of features
ROW_GROUP = 122_880  # DuckDB's default: one thread reads one row group
FREQUENT = 1_000  # the number of values per column that store.json lists with their counts


_COUNTED = {column.name for column in TABLES["tokens"] if column.counted}


@dataclass(frozen=True)
class StoredCounts:
    """The value counts of the store with this `key`. `file` returns a verified file; `reading` is `Store.reading`."""

    path: Path
    key: str
    file: Callable[[str], Path] = field(compare=False)
    reading: Callable[[], AbstractContextManager[None]] = field(compare=False)
    uncounted: frozenset[str] = frozenset()  # columns of layers
    # column → frequent value → number of words
    frequent_values: Mapping[str, Mapping[str, int]] = field(default_factory=dict, compare=False)
    _row_groups: dict[int, pa.Table] = field(default_factory=dict, init=False, compare=False)

    def count(self, column: str, value: str) -> int | None:
        """Return the number of words with `value` (joined by commas if several) in a column, None if not counted."""
        if column in self.uncounted or (column not in _COUNTED and not column.startswith(FEATURE_PREFIX)):
            return None
        frequent_counts = self.frequent_values.get(column, {})
        if value in frequent_counts or 0 < len(frequent_counts) < FREQUENT:
            return frequent_counts.get(value, 0)  # a list of fewer than FREQUENT values is complete
        sought_key = column.encode(), value.encode()
        for group, first, last in self._bounds:
            if first <= sought_key <= last:
                rows = self._rows(group)
                row = bisect_left(range(rows.num_rows), sought_key, key=partial(_key, rows))
                if row < rows.num_rows and _key(rows, row) == sought_key:
                    words = rows["words"][row].as_py()
                    if words is None:
                        raise self._damaged("a value has no count")
                    return int(words)
        return 0

    @cached_property
    def _parquet_file(self) -> Any:
        import pyarrow.parquet as pq

        return pq.ParquetFile(self.file(VALUES), page_checksum_verification=True)

    @cached_property
    def _bounds(self) -> list[tuple[int, tuple[bytes, bytes], tuple[bytes, bytes]]]:
        bounds = []
        with self.reading():
            metadata = self._parquet_file.metadata
        for index in range(metadata.num_row_groups):
            group = metadata.row_group(index)
            columns, values = group.column(0).statistics, group.column(1).statistics
            if columns is None or not columns.has_min_max or values is None:
                raise self._damaged("its row groups have no bounds")
            has_value_bounds = columns.min == columns.max and values.has_min_max  # very long values have no bounds
            first = columns.min.encode(), values.min.encode() if has_value_bounds else b""
            last = columns.max.encode(), values.max.encode() if has_value_bounds else b"\xff"
            bounds.append((index, first, last))
        return bounds

    def _damaged(self, reason: str) -> InputError:
        return InputError.of("FICT742", path=self.file(VALUES), reason=reason)

    def _rows(self, group: int) -> pa.Table:
        if group not in self._row_groups:
            with self.reading():
                self._row_groups[group] = self._parquet_file.read_row_group(group)
        return self._row_groups[group]


def _key(rows: pa.Table, row: int) -> tuple[bytes, bytes]:
    return rows["column"][row].as_py().encode(), rows["value"][row].as_py().encode()


_HINTS = {
    "FICT742": "`fictc store verify` lists all damaged files; then make the store again",
    "FICT748": "`fictc index STORE` rebuilds the index, and `fictc index STORE --drop` removes it",
}


@dataclass(frozen=True, slots=True)
class Expected:
    size: int
    sha256: str
    rows: int | None = None

    @classmethod
    def of(cls, path: Path) -> Expected:
        return cls(path.stat().st_size, sha256_file(path))


Check = Callable[[str, Path, Expected], str | None]  # (name in the store, path, expected) → an error message, or None


class Verifier:
    """Verifies the files in the folder of a store, and caches in the user's cache which of them are intact.

    A file is read again only if its size, modification time, inode or expected hash has changed.
    """

    def __init__(self, folder: Path, check: Check, code: str = "FICT742") -> None:
        self._folder = folder
        self._check = check
        self._code = code
        self._verified_stamps: dict[str, list[object]] | None = None

    def verify(
        self,
        files: Mapping[str, Expected],
        *,
        ignore_cache: bool = False,
        on_bytes: Callable[[int], None] | None = None,
    ) -> None:
        """Compare files with their hashes. `on_bytes` receives the expected size of each file after its check."""
        if self._verified_stamps is None:
            self._verified_stamps = _load_stamps(_cache_file(self._folder))
        stamps = dict(self._verified_stamps)
        problems: list[Diagnostic] = []
        for name, expected in files.items():
            path = self._folder / name
            try:
                status = path.stat()
                stamp = [status.st_size, status.st_mtime_ns, status.st_ino, expected.sha256]
                stamp += [] if expected.rows is None else [expected.rows]
                is_verified = not ignore_cache and self._verified_stamps.get(name) == stamp
                reason = None if is_verified else self._fault(name, path, expected)
            except OSError as error:
                reason = (error.strerror or "it cannot be read").lower()
            if on_bytes is not None:
                on_bytes(expected.size)
            if reason is None:
                stamps[name] = stamp
            else:
                stamps.pop(name, None)
                hint = None if ignore_cache else _HINTS[self._code]
                problems.append(diagnostic(self._code, path=path, reason=reason, hint=hint))
        if stamps != self._verified_stamps:
            self._verified_stamps = stamps
            _save_stamps(_cache_file(self._folder), stamps)
        if problems:
            raise InputError(problems)

    def _fault(self, name: str, path: Path, expected: Expected) -> str | None:
        if not path.is_file():
            raise IrregularFileError(path)
        if (size := path.stat().st_size) != expected.size:
            return f"it has {size:,} bytes instead of {expected.size:,}"
        if sha256_file(path) != expected.sha256:
            return "its sha256 is not the recorded one"
        return self._check(name, path, expected)


def _cache_file(folder: Path) -> Path:
    return cache_folder() / "verified" / f"{key(str(real_path(folder)))[:32]}.json"


def _load_stamps(file: Path) -> dict[str, list[object]]:
    try:
        stamps = parse_json(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamps if isinstance(stamps, dict) else {}


def _save_stamps(file: Path, stamps: Mapping[str, list[object]]) -> None:
    try:
        write_text(file, json.dumps(stamps))
    except (OSError, InputError):
        return  # without a cache, files are verified again


Kind = Literal["feature", "misc", "meta"]
FOLDER = "layers"


@dataclass(frozen=True, slots=True)
class Layer:
    name: str
    kind: Kind
    names: tuple[str, ...]
    source: str  # name of the file from which it was made
    sha256: str  # of this file
    rows: int
    values: Mapping[str, Mapping[str, int]]

    @classmethod
    def of(cls, name: str, content: Mapping[str, Any]) -> Layer:
        return cls(name, **{**content, "names": tuple(content["names"])})

    def file(self, chunk: int) -> str:
        return f"{FOLDER}/{self.name}/{chunk:05d}.parquet"

    @property
    def columns(self) -> dict[str, str]:
        return {name: FEATURE_PREFIX + name for name in self.names} if self.kind == "feature" else {}


_FILES = {str: {"size": int, "sha256": str}}
_VALUES = {str: {str: int}}
STORE_SHAPE: Mapping[str, Any] = {
    "counts": {"sentences": int, "words": int, "chunks": int},
    "sources": [{"label": str, "sha256": str, "sentences": int, "words": int, "rejected": int}],
    "annotator": dict | None,
    "features": {str: str},
    "values": _VALUES,
    "files": _FILES,
    "ends": [int],
    "absent": {str: [int]},
    "copies": [str],
    "layers": {
        str: {"kind": get_args(Kind), "names": [str], "source": str, "sha256": str, "rows": int, "values": _VALUES}
    },
    "text": bool,
}
_INDEX_SHAPE: Mapping[str, Any] = {
    "tokens": str,
    "projections": [{"by": str, "file": str, "rows": int, "columns": [str]}],
    "files": _FILES,
}


def _fits(value: Any, shape: Any) -> bool:
    """Return whether a value has a shape: a type, a tuple of strings, a list of one shape, a map or a record.

    An int is a 64-bit count. The keys of a map, `{str: SHAPE}`, do not contain NUL, which file names cannot contain.
    """
    if shape is int:
        return type(value) is int and 0 <= value < 2**63
    if isinstance(shape, list):
        return isinstance(value, list) and all(_fits(entry, shape[0]) for entry in value)
    if isinstance(shape, tuple):
        return isinstance(value, str) and value in shape
    if not isinstance(shape, dict):
        return isinstance(value, shape)
    if not isinstance(value, dict):
        return False
    if str in shape:
        return all(_fits(entry, shape[str]) and "\0" not in name for name, entry in value.items())
    return value.keys() == shape.keys() and all(_fits(value[name], shape[name]) for name in shape)


Stamp = tuple[int, int, int]  # size, modification time and inode


def file_stamp(file: Path) -> Stamp | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino


def digest_error(content: Mapping[str, Any], digest: object) -> str | None:
    try:
        is_correct = digest == key(content)
    except ValueError:  # NaN or infinity, which no description contains
        is_correct = False
    return None if is_correct else "its sha256 does not match its content"


def schema_error(content: Mapping[str, Any], shapes: Mapping[str, Any]) -> str | None:
    name = next(
        (name for name, shape in shapes.items() if name not in content or not _fits(content[name], shape)), None
    )
    return None if name is None else f"its `{name}` is missing or has the wrong type"


def index_schema_error(content: Mapping[str, Any]) -> str | None:
    if (reason := schema_error(content, _INDEX_SHAPE)) is not None:
        return reason
    missing = next(
        (projection["file"] for projection in content["projections"] if projection["file"] not in content["files"]),
        None,
    )
    if missing is not None:
        return f"its `files` have no {missing}"
    outside_name = next((name for name in content["files"] if "/" in name), None)
    return None if outside_name is None else f"its `files` name {outside_name}, which is outside the index"


def consistency_error(content: Mapping[str, Any]) -> str | None:
    """Return an error message if values of a well-typed `store.json` contradict each other, otherwise None.

    A damaged number of chunks may be huge, so no work depends on it before it is compared with the length of `ends`.
    """
    counts, ends, files = content["counts"], content["ends"], content["files"]
    chunks = counts["chunks"]
    if len(ends) != chunks:
        return f"it has {len(ends):,} `ends` for {chunks:,} chunks"
    if (
        any(start > end for start, end in pairwise((0, *ends, counts["sentences"])))
        or (ends or [0])[-1] != counts["sentences"]
    ):
        return "its `ends` and its `counts` disagree"
    for name in ("sentences", "words"):
        if sum(source[name] for source in content["sources"]) != counts[name]:
            return f"its `sources` and its `counts` have different numbers of {name}"
    if any(chunk >= chunks for numbers in content["absent"].values() for chunk in numbers):
        return "its `absent` names a chunk that does not exist"
    missing = next((name for name in _required_files(content) if name not in files), None)
    if missing is not None:
        return f"its `files` have no {missing}"
    outside_name = next((name for name in files if name.startswith("/") or ".." in name.split("/")), None)
    return None if outside_name is None else f"its `files` name {outside_name}, which is outside the store"


def _required_files(content: Mapping[str, Any]) -> Iterator[str]:
    layers = [Layer.of(name, entry) for name, entry in content["layers"].items()]
    yield VALUES
    for chunk in range(content["counts"]["chunks"]):
        yield from (f"{table}/{chunk:05d}.parquet" for table in tables(text=content["text"]))
        yield from (layer.file(chunk) for layer in layers)
