"""A store's folder into tables to ask: opened with its description checked, connected with its bytes checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.plan.layout import Layout
from runner.corpus.store.contents import column_fault, store_columns
from runner.corpus.store.damage import reading
from runner.corpus.store.description import disagreement, fault, misshapen_store
from runner.corpus.store.index import DESCRIPTION, FOLDER, Index, SortedView, open_index
from runner.corpus.store.layers import Layer
from runner.corpus.store.limits import DEFAULT, Limits, need_memory
from runner.corpus.store.schema import OLDER, SCHEMA_VERSION, TABLES
from runner.corpus.store.value_counts import StoredCounts
from runner.corpus.store.verify import Expected, Verifier
from runner.errors import InputError
from runner.readers import IrregularFileError, parse_json, read_document, real_path

if TYPE_CHECKING:
    import duckdb

    from runner.corpus.store.session import Added


Stamp = tuple[tuple[int, int, int] | None, ...]  # size, time of change and inode of each file, None for none


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """One file that went into a store: its label, the sha256 of its bytes, what it had and what was left out."""

    label: str
    sha256: str
    sentences: int
    words: int
    rejected: int


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """What `store.json` says: sources in corpus order, counts, feature columns, value counts, annotator."""

    sources: tuple[SourceInfo, ...]
    sentences: int
    words: int
    chunks: int
    ends: tuple[int, ...]  # sentences before the end of each chunk
    features: Mapping[str, str]  # feature → physical column
    absent: Mapping[str, frozenset[int]]  # feature → chunks without that column; not of layers
    copies: tuple[str, ...]  # columns of neighbours that `tokens` has
    values: Mapping[str, Mapping[str, int]]  # upos, deprel and features → value → words, the most frequent ones
    annotator: Mapping[str, Any] | None
    layers: tuple[Layer, ...] = ()  # annotations that were added later; `features` and `values` have theirs too
    text: bool = True  # whether it has forms and texts

    @property
    def lengths(self) -> list[int]:
        """Sentences of each chunk; none for stores of older versions, which do not say it."""
        return [end - start for start, end in pairwise((0, *self.ends))]


@dataclass(frozen=True)
class Store:
    """A published corpus store, read-only. Make one with `open`.

    It has one database for all that is asked of it, which ends with it and its connections.
    """

    path: Path
    info: StoreInfo
    key: str
    files: Mapping[str, Expected]
    limits: Limits
    current: bool = True  # not of an older version
    stamp: Stamp = ()  # of its descriptions, before they were read

    @classmethod
    def open(cls, path: Path, limits: Limits = DEFAULT, *, older: bool = False) -> Store:
        """Read and check `store.json`; InputError if there is no store or its description was changed.

        `limits` hold for all that is asked of the store. One of an `older` version has not all that is asked for; its
        files can be read.
        """
        need_memory()
        stamp = _stamp(path)
        content = _description(path)
        digest = content.pop("sha256", None)
        version = content.get("schema")
        if version != SCHEMA_VERSION and not (older and version in OLDER):
            hint = f"`fictc store upgrade {path}` makes it one of this version" if version in OLDER else None
            raise InputError(diagnostic("FICT741", path=path, found=version, expected=SCHEMA_VERSION, hint=hint))
        current = version == SCHEMA_VERSION
        reason = fault(content, digest) or misshapen_store(content) or (disagreement(content) if current else None)
        if reason is not None:
            raise InputError(diagnostic("FICT742", path=path / "store.json", reason=reason))
        counts = content["counts"]
        layers = tuple(Layer.of(name, entry) for name, entry in content.get("layers", {}).items())
        info = StoreInfo(
            tuple(SourceInfo(**source) for source in content["sources"]),
            counts["sentences"],
            counts["words"],
            counts["chunks"],
            tuple(content.get("ends", ())),  # older versions do not say it
            {**content["features"], **{name: each for layer in layers for name, each in layer.columns.items()}},
            {name: frozenset(chunks) for name, chunks in content.get("absent", {}).items()},
            tuple(content.get("copies", ())),
            {**content["values"], **{name: each for layer in layers for name, each in layer.values.items()}},
            content["annotator"],
            layers,
            content.get("text", True),
        )
        rows = {f"sentences/{chunk:05d}.parquet": count for chunk, count in enumerate(info.lengths)}
        files = {
            name: Expected(entry["size"], entry["sha256"], rows.get(name)) for name, entry in content["files"].items()
        }
        return cls(path, info, digest, files, limits, current, stamp)

    def replaced(self) -> bool:
        """Whether other files are at its path now, of another store or another index, than when it was opened."""
        if _stamp(self.path) == self.stamp:
            return False
        try:
            now = Store.open(self.path, older=True)
            index = now.index
        except InputError:
            return True
        if any(now.files.get(name) != file for name, file in self.files.items()):
            return True
        used = self.__dict__.get("index")  # what was looked for so far
        return used is not None and (index is None or index.files != used.files)

    def reading(self) -> AbstractContextManager[None]:
        """A context for reading its files, in which failures are explained; see `runner.corpus.store.damage`."""
        return reading(self)

    @cached_property
    def layout(self) -> Layout:
        """What the planner may use here."""
        projections = self.index.layout(self.info.features) if self.index else ()
        return Layout(frozenset(self.info.copies), projections, words=self.info.words, counts=self.counts)

    @cached_property
    def counts(self) -> StoredCounts:
        """How many words have each value of upos, xpos, deprel, form_l, lemma_l or a `feat_<Name>`."""
        added = frozenset(column for layer in self.info.layers for column in layer.columns.values())
        return StoredCounts(self.path, self.key, self.file, self.reading, added)

    @property
    def sizes(self) -> dict[str, int]:
        """Bytes on disk of each table, and of each file that is none, without the index."""
        found: dict[str, int] = {}
        for name, file in self.files.items():
            table = name.rpartition("/")[0] or name
            found[table] = found.get(table, 0) + file.size
        return found

    @cached_property
    def index(self) -> Index | None:
        """The sorted copies of its words' rows, if it has some; InputError if their description was changed."""
        return open_index(self.path, self.files)

    def connect(
        self,
        features: Iterable[str] = (),
        *,
        chunks: Sequence[int] | None = None,
        sids: Sequence[int] | None = None,
        tables: Iterable[str] = TABLES,
    ) -> duckdb.DuckDBPyConnection:
        """A locked connection with a view for each of the `tables`: tokens, sentences, misc, meta, enhanced and raw,
        and those of the layout's projections.

        `tokens` shows its copies of neighbours' columns and exactly the asked `features`, each in the column
        `identifier("feat_<Name>")`, NULL throughout if the store has none.
        `chunks` limits it to a run of chunks, `sids` to some sentences (every filter is exact per chunk, and per
        sentence). The files are verified first.
        """
        from runner.corpus.store import session

        numbers = range(self.info.chunks) if chunks is None else chunks
        tables = [table for table in tables if self.info.text or table != "raw"]
        sorted_copies, tables = self._split(tables)
        relative = {table: self._names(table, numbers) for table in tables}
        self._verify({name: self.files[name] for names in relative.values() for name in names})
        features = tuple(dict.fromkeys(features))
        connection = self._database.cursor()
        for table, names in relative.items():
            paths = [self._root / name for name in names]
            if table == "tokens":
                added = self._added(numbers, features)
                columns, mixed = self._physical(numbers, features)
                session.show_words(connection, paths, columns, added, sids, text=self.info.text, mixed=mixed)
            else:
                session.show(connection, table, paths, sids)
        for copy in sorted_copies:
            within = sids if sids is not None or chunks is None else self.sids(chunks)
            session.show_sorted(connection, copy, within)
        return connection

    def _names(self, table: str, chunks: Iterable[int]) -> list[str]:
        """The files of a table for some chunks, those of layers that add to it too."""
        layers = [layer for layer in self.info.layers if layer.kind == table]
        return [
            name
            for chunk in chunks
            for name in (f"{table}/{chunk:05d}.parquet", *(layer.file(chunk) for layer in layers))
        ]

    def _physical(self, chunks: Sequence[int], features: Sequence[str]) -> tuple[dict[str, str | None], bool]:
        """The column of each feature in `tokens`, None where these chunks have none; and whether some lack one."""
        absent = {name: self.info.absent.get(name, frozenset()).intersection(chunks) for name in features}
        nowhere = {name for name, missing in absent.items() if len(missing) == len(chunks)}
        nowhere |= {name for layer in self.info.layers for name in layer.columns}
        columns = {name: None if name in nowhere else self.info.features.get(name) for name in features}
        return columns, any(columns[name] and missing for name, missing in absent.items())

    def _added(self, chunks: Sequence[int], features: Sequence[str]) -> list[Added]:
        """The layers that have some of the features, their files verified."""
        from runner.corpus.store.session import Added

        layers = [layer for layer in self.info.layers if not layer.columns.keys().isdisjoint(features)]
        return [
            Added([real_path(self.file(layer.file(chunk))) for chunk in chunks], tuple(layer.columns))
            for layer in layers
        ]

    def _split(self, tables: Iterable[str]) -> tuple[list[SortedView], list[str]]:
        """Those of the tables that are sorted copies, their files verified, and the others."""
        others = [table for table in tables if table in TABLES]
        wanted = [table for table in tables if table not in TABLES]
        views = self.index.views(wanted, self.info.features) if wanted and self.index else []
        return views, others

    def sids(self, chunks: Sequence[int]) -> range:
        """The numbers of the sentences in a run of chunks."""
        if not chunks:
            return range(0)
        return range(self.info.ends[chunks[0] - 1] if chunks[0] else 0, self.info.ends[chunks[-1]])

    def need_text(self) -> None:
        """InputError if the store was made without forms and texts."""
        if not self.info.text:
            raise InputError(diagnostic("FICT749", path=self.path))

    def parquet(self, table: str, chunks: Sequence[int] | None = None) -> list[Path]:
        """The verified files of one table, of all chunks or some, without layers: to read whole columns from."""
        if table == "raw":
            self.need_text()
        numbers = range(self.info.chunks) if chunks is None else chunks
        names = [f"{table}/{number:05d}.parquet" for number in numbers]
        self._verify({name: self.files[name] for name in names})
        return [self.path / name for name in names]

    def file(self, name: str) -> Path:
        """One verified file of the store, by its name in it."""
        self._verify({name: self.files[name]})
        return self.path / name

    def value_counts(self, column: str, values: Iterable[str]) -> dict[str, int]:
        """How many words have each of these values, of a column that `counts` knows; KeyError for another."""
        found = {}
        for value in values:
            count = self.counts.count(column, value)
            if count is None:
                raise KeyError(column)
            found[value] = count
        return found

    def verify(self, on_bytes: Callable[[int], None] | None = None) -> None:
        """Read every file and compare its sha256, whatever was remembered; InputError lists the damaged ones."""
        self._verifier.verify(self.files, always=True, on_bytes=on_bytes)

    def _verify(self, files: Mapping[str, Expected]) -> None:
        self._verifier.verify(files)

    @cached_property
    def _verifier(self) -> Verifier:
        if not self.current:
            return Verifier(self.path, lambda *_: None)
        return Verifier(self.path, partial(column_fault, store_columns(self.info.layers, text=self.info.text)))

    @cached_property
    def _root(self) -> Path:
        return real_path(self.path)

    @cached_property
    def _database(self) -> duckdb.DuckDBPyConnection:
        from runner.corpus.store import session

        files = [self._root / name for name in self.files if name.endswith(".parquet")]
        if self.index is not None:
            files += [real_path(self.index.folder) / name for name in self.index.files]
        return session.database(files, self.limits)


def _stamp(path: Path) -> Stamp:
    return tuple(_stamp_of(path / name) for name in ("store.json", f"{FOLDER}/{DESCRIPTION}"))


def _stamp_of(file: Path) -> tuple[int, int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino


def _description(path: Path) -> dict[str, Any]:
    file = path / "store.json"
    try:
        content = parse_json(read_document(file))
    except FileNotFoundError as error:
        reason = "there is no store.json in it" if path.is_dir() else "nothing is there"
        if path.is_file():
            reason = "it is a file; `fictc import` makes a store from it"
        raise InputError(diagnostic("FICT740", path=path, reason=reason, hint=_nearest_store(path))) from error
    except NotADirectoryError as error:
        reason = "it is a file; `fictc import` makes a store from it"
        raise InputError(diagnostic("FICT740", path=path, reason=reason)) from error
    except IrregularFileError as error:
        raise InputError(diagnostic("FICT742", path=file, reason=error.strerror)) from error
    except OSError as error:
        raise InputError(diagnostic("FICT740", path=path, reason=(error.strerror or "").lower())) from error
    except ValueError as error:
        raise InputError(diagnostic("FICT742", path=file, reason=f"it is no JSON ({error})")) from error
    if not isinstance(content, dict):
        raise InputError(diagnostic("FICT742", path=file, reason="it is no JSON object"))
    return content


def _nearest_store(path: Path) -> str | None:
    """Return the hint that names the store with the nearest name in the same folder, if there is one."""
    return did_you_mean(path.name, sorted(beside.parent.name for beside in path.parent.glob("*/store.json")))
