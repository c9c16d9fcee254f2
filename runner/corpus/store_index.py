"""The index of a store: copies of the columns of words, each sorted by one column."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from fictdsl.schema import SortedCopy, feature_column, identifier
from runner.corpus.store_files import Expected, Verifier, digest_error, index_schema_error
from runner.errors import InputError
from runner.readers import IrregularFileError, parse_json, read_document, real_path
from runner.workspace import clean_stale, key, remove_dir, to_json, write_text

FOLDER = "index"
DESCRIPTION = "index.json"
VERSION = 1


@dataclass(frozen=True, slots=True)
class SortedView:
    """A copy of the rows of the words that have a value in the column `by`, sorted by this value, sentence and word.

    `columns` maps the names that plans use, such as "feat_<Name>", to the columns of the file; `by` is such a name.
    """

    table: str
    by: str
    path: Path
    columns: Mapping[str, str]
    rows: int


@dataclass(frozen=True)
class Index:
    folder: Path
    sorted_copies: tuple[SortedView, ...]
    files: Mapping[str, Expected]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files.values())

    @property
    def layout(self) -> tuple[SortedCopy, ...]:
        return tuple(SortedCopy(view.table, view.by, frozenset(view.columns), view.rows) for view in self.sorted_copies)

    def views(self, tables: Sequence[str]) -> list[SortedView]:
        views = [view for view in self.sorted_copies if view.table in tables]
        self._verifier.verify({view.path.name: self.files[view.path.name] for view in views})
        return views

    def verify(self, on_bytes: Callable[[int], None] | None = None) -> None:
        self._verifier.verify(self.files, ignore_cache=True, on_bytes=on_bytes)

    @cached_property
    def _verifier(self) -> Verifier:
        return Verifier(self.folder, self._column_fault, "FICT748")

    def _column_fault(self, name: str, path: Path, expected: Expected) -> str | None:
        from runner.corpus.store_tables import column_fault

        columns = {view.path.name: dict.fromkeys(view.columns.values()) for view in self.sorted_copies}
        return column_fault(columns.get(name), path, expected)


def tokens_key(files: Mapping[str, Expected]) -> str:
    return key({name: file.sha256 for name, file in files.items() if name.startswith("tokens/")})


def open_index(store: Path, files: Mapping[str, Expected], features: Mapping[str, str]) -> Index | None:
    """Return the index unless it was built from other words. Raises InputError (FICT748) if it is invalid."""
    content = _read_description(store / FOLDER)
    if content is None or content["tokens"] != tokens_key(files):
        return None
    names = {file_column: feature_column(name) for name, file_column in features.items()}
    views = []
    for entry in content["projections"]:
        by = names.get(entry["by"], entry["by"])
        columns = {names.get(column, column): column for column in entry["columns"]}
        path = real_path(store / FOLDER) / entry["file"]
        views.append(SortedView(f"tokens_by_{identifier(by)}", by, path, columns, entry["rows"]))
    expected = {name: Expected(entry["size"], entry["sha256"]) for name, entry in content["files"].items()}
    return Index(store / FOLDER, tuple(views), expected)


def is_foreign(store: Path, files: Mapping[str, Expected]) -> bool:
    content = _read_description(store / FOLDER)
    return content is not None and content["tokens"] != tokens_key(files)


def write_description(
    folder: Path, tokens: str, projections: Sequence[Mapping[str, object]], files: Mapping[str, Expected]
) -> None:
    content: dict[str, object] = {
        "version": VERSION,
        "tokens": tokens,
        "projections": projections,
        "files": {name: {"sha256": file.sha256, "size": file.size} for name, file in sorted(files.items())},
    }
    write_text(folder / DESCRIPTION, to_json({**content, "sha256": key(content)}))


def drop_index(store: Path) -> bool:
    clean_stale(store)
    folder = store / FOLDER
    if not folder.exists():
        return False
    remove_dir(folder)
    return True


def _read_description(folder: Path) -> dict[str, Any] | None:
    file = folder / DESCRIPTION
    try:
        content = parse_json(read_document(file))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except IrregularFileError as error:
        raise _damage(file, str(error.strerror)) from error
    except (OSError, ValueError) as error:
        raise _damage(file, f"it cannot be read as JSON ({error})") from error
    if not isinstance(content, dict):
        raise _damage(file, "it is not a JSON object")
    if (reason := digest_error(content, content.pop("sha256", None))) is not None:
        raise _damage(file, reason)
    if content.get("version") != VERSION:
        raise _damage(file, f"it has version {content.get('version')} instead of {VERSION}")
    if (reason := index_schema_error(content)) is not None:
        raise _damage(file, reason)
    return content


def _damage(file: Path, reason: str) -> InputError:
    return InputError.of("FICT748", path=file, reason=reason)
