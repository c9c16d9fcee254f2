"""Open a store: check its description, connect to its verified files, and explain damage."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.schema import COMPUTED, TABLES, TAGS, VERSION, Layout, feature_column
from runner.corpus.limits import DEFAULT, Limits, require_memory
from runner.corpus.store_files import (
    STORE_SHAPE,
    Expected,
    Layer,
    StoredCounts,
    Verifier,
    consistency_error,
    digest_error,
    file_stamp,
    schema_error,
)
from runner.corpus.store_index import DESCRIPTION, FOLDER, Index, open_index
from runner.errors import InputError
from runner.readers import IrregularFileError, parse_json, read_document, real_path

if TYPE_CHECKING:
    import duckdb

    from fictdsl.compiler import CompiledFilter
    from fictdsl.sql.statement import Statement
    from runner.corpus.database import LayerFiles


_POSSIBLY_REPLACED = {"FICT740", "FICT742", "FICT748"}  # errors that a replaced store can cause


Stamps = tuple[tuple[int, int, int] | None, ...]  # size, modification time and inode of each file, None if missing


@dataclass(frozen=True, slots=True)
class SourceInfo:
    label: str
    sha256: str
    sentences: int
    words: int
    rejected: int


@dataclass(frozen=True, slots=True)
class StoreInfo:
    sources: tuple[SourceInfo, ...]
    sentences: int
    words: int
    chunks: int
    ends: tuple[int, ...]  # number of sentences up to the end of each chunk
    features: Mapping[str, str]  # feature → column in the files
    absent: Mapping[str, frozenset[int]]  # feature → chunks without its column; not for features of layers
    copies: tuple[str, ...]  # columns of neighbours in `tokens`
    values: Mapping[str, Mapping[str, int]]  # column or feature → frequent value → number of words
    annotator: Mapping[str, Any] | None
    layers: tuple[Layer, ...] = ()  # layers added later; `features` and `values` include theirs
    text: bool = True  # whether the store has forms and texts

    @property
    def lengths(self) -> list[int]:
        return [end - start for start, end in pairwise((0, *self.ends))]


@dataclass(frozen=True)
class Store:
    """A published store, which is read-only. All queries share one database in memory."""

    path: Path
    info: StoreInfo
    key: str
    files: Mapping[str, Expected]
    limits: Limits
    stamp: Stamps = ()  # stamps of store.json and index.json from before they were read
    stamps: Stamps = ()  # stamps of `files` from after store.json was read

    @classmethod
    def open(cls, path: Path, limits: Limits = DEFAULT) -> Store:
        """Read `store.json`. Raises InputError if it is missing (FICT740), older (FICT741) or invalid (FICT742)."""
        require_memory()
        stamp = _description_stamps(path)
        content = _read_description(path)
        digest = content.pop("sha256", None)
        version = content.get("schema")
        if version != VERSION:
            hint = f"import its sources again: `fictc import FILES --output {path} --force`"
            raise InputError.of("FICT741", path=path, found=version, expected=VERSION, hint=hint)
        reason = digest_error(content, digest) or schema_error(content, STORE_SHAPE) or consistency_error(content)
        if reason is not None:
            raise InputError.of("FICT742", path=path / "store.json", reason=reason)
        counts = content["counts"]
        layers = tuple(Layer.of(name, entry) for name, entry in content["layers"].items())
        info = StoreInfo(
            tuple(SourceInfo(**source) for source in content["sources"]),
            counts["sentences"],
            counts["words"],
            counts["chunks"],
            tuple(content["ends"]),
            {**content["features"], **{name: column for layer in layers for name, column in layer.columns.items()}},
            {name: frozenset(chunks) for name, chunks in content["absent"].items()},
            tuple(content["copies"]),
            {**content["values"], **{name: values for layer in layers for name, values in layer.values.items()}},
            content["annotator"],
            layers,
            content["text"],
        )
        rows = {f"sentences/{chunk:05d}.parquet": count for chunk, count in enumerate(info.lengths)}
        files = {
            name: Expected(entry["size"], entry["sha256"], rows.get(name)) for name, entry in content["files"].items()
        }
        return cls(path, info, digest, files, limits, stamp, _stamps(path, files))

    def is_replaced(self) -> bool:
        """Return whether the files of the store or its index were replaced since it was opened, even by equal ones."""
        if _description_stamps(self.path) == self.stamp:
            return False
        try:
            current = Store.open(self.path)
            current_index = current.index
        except InputError:
            return True
        if any(current.files.get(name) != file for name, file in self.files.items()):
            return True
        if _stamps(self.path, self.files) != self.stamps:
            return True
        index = self.__dict__.get("index")  # the cached property, if it has been read
        return index is not None and (current_index is None or current_index.files != index.files)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Run a block that reads the files, and explain its failures.

        Raises InputError: FICT769 if the store was replaced before the block ended, FICT742 or FICT748 if the block
        failed and a file is damaged, and FICT746 if DuckDB cannot read or write a file. Other damage is found by
        `verify`.
        """
        try:
            yield
        except InputError as error:
            if any(problem.code in _POSSIBLY_REPLACED for problem in error.diagnostics):
                self._check_replaced(error)
            raise
        except MemoryError:
            raise
        except Exception as error:
            self._check_replaced(error)
            kind = type(error).__name__  # by name, because DuckDB may not be loaded
            if kind not in ("OutOfMemoryException", "ArrowMemoryError"):
                self.verify()
                if self.index is not None:
                    self.index.verify()
            if kind == "IOException":
                reason = str(error).strip().splitlines()[0]
                hint = "`--spill` sets the folder for temporary files"
                raise InputError.of("FICT746", path=self.path, reason=reason, hint=hint) from error
            raise
        else:
            self._check_replaced(None)

    def _check_replaced(self, cause: Exception | None) -> None:
        if self.is_replaced():
            raise InputError.of("FICT769", path=self.path) from cause

    @cached_property
    def layout(self) -> Layout:
        sorted_copies = self.index.layout if self.index else ()
        return Layout(frozenset(self.info.copies), sorted_copies, words=self.info.words, counts=self.counts)

    def statement(self, compiled: CompiledFilter) -> Statement:
        return compiled.statement(layout=self.layout)

    @cached_property
    def counts(self) -> StoredCounts:
        layer_columns = frozenset(column for layer in self.info.layers for column in layer.columns.values())
        columns = {name: feature_column(name) for name in self.info.features}
        frequent_values = {
            name if name in TAGS else columns.get(name, name): counts for name, counts in self.info.values.items()
        }
        return StoredCounts(self.path, self.key, self.file, self.reading, layer_columns, frequent_values)

    @property
    def sizes(self) -> dict[str, int]:
        """The number of bytes on disk of each table, and of each file outside a table, without the index."""
        sizes: dict[str, int] = {}
        for name, file in self.files.items():
            table = name.rpartition("/")[0] or name
            sizes[table] = sizes.get(table, 0) + file.size
        return sizes

    @cached_property
    def index(self) -> Index | None:
        """The index, or None. Raises InputError (FICT748) if its description is invalid."""
        return open_index(self.path, self.files, self.info.features)

    def connect(
        self,
        features: Iterable[str] = (),
        *,
        chunks: Sequence[int] | None = None,
        sids: Sequence[int] | None = None,
        tables: Iterable[str] = TABLES,
    ) -> duckdb.DuckDBPyConnection:
        """Return a locked connection with a view for each of `tables`, whose files are verified.

        Tables are those of the schema and of sorted copies, and the computed views `token` and `feats`. A store without
        text has no view `raw`. The view `tokens` has exactly the requested `features`, each in the column
        `identifier("feat_<Name>")`, which is NULL if the store lacks the feature. `chunks` restricts the views to
        consecutive chunks, and `sids` to sentences.
        """
        from runner.corpus import database

        chunk_numbers = range(self.info.chunks) if chunks is None else chunks
        tables = [table for table in tables if self.info.text or table != "raw"]
        computed_tables = [table for table in tables if table in COMPUTED]
        copies = [table for table in tables if table not in TABLES and table not in COMPUTED]
        sorted_copies = self.index.views(copies) if copies and self.index else []
        file_names = {table: self._file_names(table, chunk_numbers) for table in tables if table in TABLES}
        self._verifier.verify({name: self.files[name] for names in file_names.values() for name in names})
        features = tuple(dict.fromkeys(features))
        connection = self._database.cursor()
        for table, names in file_names.items():
            paths = [self._root / name for name in names]
            if table == "tokens":
                layers = self._layer_files(chunk_numbers, features)
                columns, mixed = self._feature_columns(chunk_numbers, features)
                database.create_tokens_view(connection, paths, columns, layers, sids, text=self.info.text, mixed=mixed)
            else:
                database.create_view(connection, table, paths, sids)
        for table in computed_tables:
            self._create_computed(connection, table, chunk_numbers, sids)
        for copy in sorted_copies:
            selected_sids = sids if sids is not None or chunks is None else self.sids(chunks)
            database.create_sorted_view(connection, copy, selected_sids)
        return connection

    def _create_computed(
        self,
        connection: duckdb.DuckDBPyConnection,
        table: str,
        chunks: Sequence[int],
        sids: Sequence[int] | None,
    ) -> None:
        from runner.corpus import database

        files = [real_path(file) for file in self.parquet(COMPUTED[table], chunks)]
        if table == "token":
            database.create_token_view(connection, files, sids)
            return
        layer_features = {name for layer in self.info.layers for name in layer.columns}
        own_features = [name for name in self.info.features if name not in layer_features]
        columns, mixed = self._feature_columns(chunks, own_features)
        stored_columns = {name: column for name, column in columns.items() if column is not None}
        database.create_feats_view(connection, files, stored_columns, sids, mixed=mixed)

    def _file_names(self, table: str, chunks: Iterable[int]) -> list[str]:
        layers = [layer for layer in self.info.layers if layer.kind == table]
        return [
            file_name
            for chunk in chunks
            for file_name in (f"{table}/{chunk:05d}.parquet", *(layer.file(chunk) for layer in layers))
        ]

    def _feature_columns(self, chunks: Sequence[int], features: Sequence[str]) -> tuple[dict[str, str | None], bool]:
        """Return the column of each feature, None if no chunk or a layer has it, and whether some chunks lack one."""
        absent = {name: self.info.absent.get(name, frozenset()).intersection(chunks) for name in features}
        without_column = {name for name, missing in absent.items() if len(missing) == len(chunks)}
        without_column |= {name for layer in self.info.layers for name in layer.columns}
        columns = {name: None if name in without_column else self.info.features.get(name) for name in features}
        return columns, any(columns[name] and missing for name, missing in absent.items())

    def _layer_files(self, chunks: Sequence[int], features: Sequence[str]) -> list[LayerFiles]:
        from runner.corpus.database import LayerFiles

        layers = [layer for layer in self.info.layers if not layer.columns.keys().isdisjoint(features)]
        return [
            LayerFiles([real_path(self.file(layer.file(chunk))) for chunk in chunks], tuple(layer.columns))
            for layer in layers
        ]

    def sids(self, chunks: Sequence[int]) -> range:
        if not chunks:
            return range(0)
        return range(self.info.ends[chunks[0] - 1] if chunks[0] else 0, self.info.ends[chunks[-1]])

    def chunks_with(self, sids: Sequence[int]) -> list[int]:
        return sorted({bisect_right(self.info.ends, int(sid)) for sid in sids})

    def require_text(self) -> None:
        if not self.info.text:
            raise InputError.of("FICT749", path=self.path)

    def parquet(self, table: str, chunks: Sequence[int] | None = None) -> list[Path]:
        if table == "raw":
            self.require_text()
        chunk_numbers = range(self.info.chunks) if chunks is None else chunks
        names = [f"{table}/{number:05d}.parquet" for number in chunk_numbers]
        self._verifier.verify({name: self.files[name] for name in names})
        return [self.path / name for name in names]

    def file(self, name: str) -> Path:
        self._verifier.verify({name: self.files[name]})
        return self.path / name

    def verify(self, on_bytes: Callable[[int], None] | None = None) -> None:
        self._verifier.verify(self.files, ignore_cache=True, on_bytes=on_bytes)

    @cached_property
    def _verifier(self) -> Verifier:
        return Verifier(self.path, self._column_fault)

    def _column_fault(self, name: str, path: Path, expected: Expected) -> str | None:
        from runner.corpus.store_tables import column_fault, file_columns

        return column_fault(file_columns(name, self.info.layers, text=self.info.text), path, expected)

    @cached_property
    def _root(self) -> Path:
        return real_path(self.path)

    @cached_property
    def _database(self) -> duckdb.DuckDBPyConnection:
        from runner.corpus import database

        files = [self._root / name for name in self.files if name.endswith(".parquet")]
        if self.index is not None:
            files += [real_path(self.index.folder) / name for name in self.index.files]
        return database.open_database(files, self.limits)


def _description_stamps(path: Path) -> Stamps:
    return _stamps(path, ("store.json", f"{FOLDER}/{DESCRIPTION}"))


def _stamps(folder: Path, names: Iterable[str]) -> Stamps:
    return tuple(file_stamp(folder / name) for name in names)


def _read_description(path: Path) -> dict[str, Any]:
    file = path / "store.json"
    try:
        content = parse_json(read_document(file))
    except FileNotFoundError as error:
        reason = "there is no store.json in it" if path.is_dir() else "it does not exist"
        if path.is_file():
            reason = "it is a file; `fictc import` makes a store from it"
        hint = did_you_mean(path.name, sorted(store.parent.name for store in path.parent.glob("*/store.json")))
        raise InputError.of("FICT740", path=path, reason=reason, hint=hint) from error
    except NotADirectoryError as error:
        reason = "it is a file; `fictc import` makes a store from it"
        raise InputError.of("FICT740", path=path, reason=reason) from error
    except IrregularFileError as error:
        raise InputError.of("FICT742", path=file, reason=error.strerror) from error
    except OSError as error:
        raise InputError.of("FICT740", path=path, reason=(error.strerror or "").lower()) from error
    except ValueError as error:
        raise InputError.of("FICT742", path=file, reason=f"it is not JSON ({error})") from error
    if not isinstance(content, dict):
        raise InputError.of("FICT742", path=file, reason="it is not a JSON object")
    return content
