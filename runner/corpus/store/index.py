"""The index of a store: narrow copies of its words' rows, each sorted by one column, beside the tables they repeat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.plan.layout import Projection, identifier
from runner.corpus.store.contents import column_fault
from runner.corpus.store.description import fault, misshapen_index
from runner.corpus.store.verify import Expected, Verifier
from runner.errors import InputError
from runner.readers import IrregularFileError, parse_json, read_document, real_path
from runner.workspace import key, remove_dir, to_json, write_text

FOLDER = "index"
DESCRIPTION = "index.json"
VERSION = 1


@dataclass(frozen=True, slots=True)
class SortedRows:
    """The rows of all words that have a value in the column `by`, sorted by it, then by sentence and word.

    `by` and `columns` are physical columns of `tokens`; `file` is a name in the index.
    """

    by: str
    file: str
    rows: int
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Index:
    """What `index.json` says: the sorted copies, and the files with the size and sha256 that they must have."""

    folder: Path
    projections: tuple[SortedRows, ...]
    files: Mapping[str, Expected]

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(file.size for file in self.files.values())

    def layout(self, features: Mapping[str, str]) -> tuple[Projection, ...]:
        """What the planner is told; `features` maps the features of the store to their physical columns."""
        return tuple(
            Projection(view.table, view.by, frozenset(view.columns), view.rows)
            for view in self._views(_by_physical(features))
        )

    def views(self, tables: Sequence[str], features: Mapping[str, str]) -> list[SortedView]:
        """Those of `tables` with their files, which are verified first."""
        found = [view for view in self._views(_by_physical(features)) if view.table in tables]
        self._verifier.verify({view.path.name: self.files[view.path.name] for view in found})
        return found

    def verify(self, on_bytes: Callable[[int], None] | None = None) -> None:
        """Read every file and compare its sha256, whatever was remembered; InputError lists the damaged ones."""
        self._verifier.verify(self.files, always=True, on_bytes=on_bytes)

    @cached_property
    def _verifier(self) -> Verifier:
        columns = {each.file: dict.fromkeys(each.columns) for each in self.projections}
        return Verifier(self.folder, partial(column_fault, columns.get), "FICT748")

    def _views(self, names: Mapping[str, str]) -> Iterator[SortedView]:
        for rows in self.projections:
            by = names.get(rows.by, rows.by)
            columns = {names.get(column, column): column for column in rows.columns}
            yield SortedView(f"tokens_by_{identifier(by)}", by, real_path(self.folder) / rows.file, columns, rows.rows)


@dataclass(frozen=True, slots=True)
class SortedView:
    """A sorted copy as plans see it: its `columns`, features as "feat_<Name>", with the physical ones."""

    table: str
    by: str
    path: Path
    columns: Mapping[str, str]
    rows: int


def _by_physical(features: Mapping[str, str]) -> dict[str, str]:
    return {physical: f"feat_{name}" for name, physical in features.items()}


def tokens_key(files: Mapping[str, Expected]) -> str:
    """What an index belongs to: the bytes of the tables of words of a store, given all its files."""
    return key({name: file.sha256 for name, file in files.items() if name.startswith("tokens/")})


def open_index(store: Path, files: Mapping[str, Expected]) -> Index | None:
    """The index of a store, given the store's files; None where there is none, or one of other words.

    InputError if its description was changed.
    """
    content = _description(store / FOLDER)
    if content is None or content["tokens"] != tokens_key(files):
        return None
    projections = tuple(
        SortedRows(each["by"], each["file"], each["rows"], tuple(each["columns"])) for each in content["projections"]
    )
    expected = {name: Expected(entry["size"], entry["sha256"]) for name, entry in content["files"].items()}
    return Index(store / FOLDER, projections, expected)


def is_foreign(store: Path, files: Mapping[str, Expected]) -> bool:
    """Whether there is an index that was made from other words than those of the store."""
    content = _description(store / FOLDER)
    return content is not None and content["tokens"] != tokens_key(files)


def describe(folder: Path, tokens: str, projections: Sequence[SortedRows], files: Mapping[str, Expected]) -> None:
    """Write `index.json`, whose last key is the sha256 of the rest of it."""
    content: dict[str, object] = {
        "version": VERSION,
        "tokens": tokens,
        "projections": [
            {"by": each.by, "file": each.file, "rows": each.rows, "columns": list(each.columns)} for each in projections
        ],
        "files": {name: {"sha256": file.sha256, "size": file.size} for name, file in sorted(files.items())},
    }
    write_text(folder / DESCRIPTION, to_json({**content, "sha256": key(content)}))


def drop_index(store: Path) -> bool:
    """Remove the index of a store; whether there was one."""
    folder = store / FOLDER
    if not folder.exists():
        return False
    remove_dir(folder)
    return True


def _description(folder: Path) -> dict[str, Any] | None:
    file = folder / DESCRIPTION
    try:
        content = parse_json(read_document(file))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except IrregularFileError as error:
        raise _damaged(file, str(error.strerror)) from error
    except (OSError, ValueError) as error:
        raise _damaged(file, f"it cannot be read as JSON ({error})") from error
    if not isinstance(content, dict):
        raise _damaged(file, "it is no JSON object")
    if (reason := fault(content, content.pop("sha256", None))) is not None:
        raise _damaged(file, reason)
    if content.get("version") != VERSION:
        raise _damaged(file, f"it has version {content.get('version')}, and {VERSION} is read")
    if (reason := misshapen_index(content)) is not None:
        raise _damaged(file, reason)
    return content


def _damaged(file: Path, reason: str) -> InputError:
    return InputError(diagnostic("FICT748", path=file, reason=reason))
