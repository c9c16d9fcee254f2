"""A store's folder into tables to ask: opened with its description checked, connected with its bytes checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.plan.layout import COPIES, Layout
from runner.corpus.tables import TABLES
from runner.corpus.verify import Expected, verify
from runner.corpus.writer import SCHEMA_VERSION
from runner.errors import InputError
from runner.workspace import key

if TYPE_CHECKING:
    import duckdb


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
    features: Mapping[str, str]  # feature → physical column
    values: Mapping[str, Mapping[str, int]]  # upos, deprel and features → value → words, the most frequent ones
    annotator: Mapping[str, Any] | None


@dataclass(frozen=True)
class Store:
    """A published corpus store, read-only. Make one with `open`."""

    path: Path
    info: StoreInfo
    key: str
    files: Mapping[str, Expected]

    @classmethod
    def open(cls, path: Path) -> Store:
        """Read and check `store.json`; InputError if there is no store or its description was changed."""
        content = _description(path)
        digest = content.pop("sha256", None)
        version = content.get("schema")
        if version != SCHEMA_VERSION:
            raise InputError(diagnostic("FICT741", path=path, found=version, expected=SCHEMA_VERSION))
        if digest != key(content):
            reason = "its sha256 is not that of its own content"
            raise InputError(diagnostic("FICT742", path=path / "store.json", reason=reason))
        counts = content["counts"]
        info = StoreInfo(
            tuple(SourceInfo(**source) for source in content["sources"]),
            counts["sentences"],
            counts["words"],
            counts["chunks"],
            content["features"],
            content["values"],
            content["annotator"],
        )
        files = {name: Expected(entry["size"], entry["sha256"]) for name, entry in content["files"].items()}
        return cls(path, info, digest, files)

    @cached_property
    def layout(self) -> Layout:
        """What the planner may use here: a column that one chunk lacks is not said to be there."""
        import pyarrow.parquet as pq

        copies = set(COPIES) if self.info.chunks else set()
        for path in self.parquet("tokens"):
            copies.intersection_update(pq.read_schema(path).names)
        return Layout(frozenset(copies), words=self.info.words)

    def connect(
        self,
        features: Iterable[str] = (),
        *,
        chunks: Sequence[int] | None = None,
        threads: int | None = None,
        memory_limit: str | None = None,
        timeout: float = 0.0,
        sids: Sequence[int] | None = None,
    ) -> duckdb.DuckDBPyConnection:
        """A locked connection with the views tokens, sentences, misc, meta, enhanced and raw.

        `tokens` shows exactly the asked `features` as "feat_<Name>", NULL throughout if the store has none.
        `chunks` limits it to some chunks, `sids` to some sentences (every filter is exact per chunk, and per sentence).
        The files are verified first.
        """
        from runner.corpus import session

        numbers = range(self.info.chunks) if chunks is None else chunks
        relative = {table: [f"{table}/{number:05d}.parquet" for number in numbers] for table in TABLES}
        verify(self.path, {name: self.files[name] for names in relative.values() for name in names})
        root = self.path.resolve()
        return session.connect(
            {table: [root / name for name in names] for table, names in relative.items()},
            {f"feat_{name}": self.info.features.get(name) for name in dict.fromkeys(features)},
            copies=sorted(self.layout.copies),
            threads=threads,
            memory_limit=memory_limit,
            timeout=timeout,
            sids=sids,
        )

    def parquet(self, table: str) -> list[Path]:
        """The verified files of one table, in corpus order: what reads whole columns needs no database."""
        names = [f"{table}/{number:05d}.parquet" for number in range(self.info.chunks)]
        verify(self.path, {name: self.files[name] for name in names})
        return [self.path / name for name in names]

    def file(self, name: str) -> Path:
        """One verified file of the store, by its name in it."""
        verify(self.path, {name: self.files[name]})
        return self.path / name

    def verify(self, on_bytes: Callable[[int], None] | None = None) -> None:
        """Read every file and compare its sha256, whatever was remembered; InputError lists the damaged ones."""
        verify(self.path, self.files, always=True, on_bytes=on_bytes)


def _description(path: Path) -> dict[str, Any]:
    file = path / "store.json"
    try:
        content = json.loads(file.read_bytes())
    except FileNotFoundError as error:
        reason = "there is no store.json in it" if path.is_dir() else "nothing is there"
        if path.is_file():
            reason = "it is a file; `fictc import` makes a store from it"
        raise InputError(diagnostic("FICT740", path=path, reason=reason)) from error
    except NotADirectoryError as error:
        reason = "it is a file; `fictc import` makes a store from it"
        raise InputError(diagnostic("FICT740", path=path, reason=reason)) from error
    except OSError as error:
        raise InputError(diagnostic("FICT740", path=path, reason=(error.strerror or "").lower())) from error
    except ValueError as error:
        raise InputError(diagnostic("FICT742", path=file, reason=f"it is no JSON ({error})")) from error
    if not isinstance(content, dict):
        raise InputError(diagnostic("FICT742", path=file, reason="it is no JSON object"))
    return content
