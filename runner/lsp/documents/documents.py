"""Documents open in an editor and files on disk, with the module, names and diagnostics of each."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from fictdsl.compiler import Compilation, compile_module
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.engine import lint_module
from fictdsl.lint.selection import Selection
from fictdsl.semantics.resolve.resolution import Resolution
from fictdsl.semantics.resolve.resolve import resolve
from fictdsl.source import Source, Span
from fictdsl.syntax.nodes import File
from fictdsl.syntax.parsing.load import load_file, load_text
from fictdsl.syntax.parsing.program import Module
from fictdsl.syntax.text.file_cache import FileCache
from fictdsl.syntax.text.paths import MAX_FICT_BYTES, FileReference, project_root, read_bytes
from runner.errors import InputError
from runner.lsp.documents.occurrences import Occurrence, occurrences
from runner.lsp.documents.paths import files_below
from runner.lsp.documents.text_document import TextDocument
from runner.readers import real_path
from runner.settings import load as load_settings


@dataclass(frozen=True)
class Snapshot:
    """The analysis of a document at one moment. `module` always exists, and has the items without errors.

    `key` is the URI that the editor uses for the document.
    """

    key: str
    document: TextDocument
    module: Module
    load_diagnostics: tuple[Diagnostic, ...]
    selection: Selection = field(default_factory=Selection)
    settings_errors: tuple[Diagnostic, ...] = ()  # invalid settings are ignored

    @property
    def has_load_errors(self) -> bool:
        """Whether the document or a file it uses has errors, so that some names may be missing."""
        return any(problem.severity is Severity.ERROR for problem in self.load_diagnostics)

    @cached_property
    def resolution(self) -> Resolution:
        """The resolution of the names in the module."""
        return resolve(self.module)

    @cached_property
    def occurrences(self) -> list[Occurrence]:
        """The occurrences of names, in items without errors."""
        return occurrences(self.module, self.resolution)

    @property
    def path(self) -> Path | None:
        """The real path of the file, or None."""
        return self.module.path and real_path(self.module.path)

    @cached_property
    def compilation(self) -> Compilation:
        """The compiled filters of the module; none if there are errors."""
        return compile_module(self.module, list(self.load_diagnostics))

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The diagnostics selected by the settings of the project."""
        all_diagnostics = (
            self.load_diagnostics if self.has_load_errors else (*self.load_diagnostics, *lint_module(self.module))
        )
        return (*self.settings_errors, *(problem for problem in all_diagnostics if self.selection.includes(problem)))


class StaleSnapshot(Snapshot):
    """A document that is not analysed yet: its current text, and the module of an earlier text."""

    @cached_property
    def occurrences(self) -> list[Occurrence]:
        """Empty: names of the earlier text may be elsewhere in the current text."""
        return []


@dataclass
class Documents:
    """The open documents by URI, with the analysis of each.

    A document may use any other, so every change discards all analyses. Files are read again only if they changed.
    """

    encoding: str = "utf-16"
    _documents: dict[str, TextDocument] = field(default_factory=dict)
    _paths: dict[str, Path] = field(default_factory=dict)  # of documents with a path
    _unsaved: dict[Path, str] = field(default_factory=dict)
    _snapshots: dict[str, Snapshot] = field(default_factory=dict)
    _latest: dict[str, Snapshot] = field(default_factory=dict)  # the latest analyses, possibly of earlier texts
    revision: int = 0  # number of changes
    _cache: FileCache = field(init=False)

    def __post_init__(self) -> None:
        self._cache = FileCache(self._unsaved)

    def open(self, key: str, path: Path | None, text: str) -> None:
        """Open a document; `path` is its file, or None if it has none."""
        if path is not None:
            self._paths[key] = real_path(path)
        self.change(key, TextDocument(text, self.encoding))

    def change(self, key: str, document: TextDocument) -> None:
        """Replace the text of a document."""
        self._documents[key] = document
        if key in self._paths:
            self._unsaved[self._paths[key]] = document.written
        self.refresh()

    def document(self, key: str) -> TextDocument | None:
        """Return the text of a document, or None if it is not open."""
        return self._documents.get(key)

    def close(self, key: str) -> None:
        """Close a document; its file is then read from disk."""
        self._documents.pop(key, None)
        path = self._paths.pop(key, Path())
        self._unsaved.pop(path, None)
        other = self.open_key(path)  # another URI of the same file, by a link
        if other is not None:
            self._unsaved[path] = self._documents[other].written
        self.refresh()

    def refresh(self) -> None:
        """Discard all analyses after a change."""
        self._snapshots.clear()
        self.revision += 1

    @property
    def size(self) -> int:
        """The number of characters of all open documents."""
        return sum(len(document.written) for document in self._documents.values())

    def copy(self) -> Documents:
        """Return a copy for another thread. The two share no state."""
        return Documents(
            self.encoding, dict(self._documents), dict(self._paths), dict(self._unsaved), revision=self.revision
        )

    def adopt(self, other: Documents) -> None:
        """Adopt the analyses of a copy. Those of an older revision only serve as latest and quick snapshots."""
        self._latest = {key: snapshot for key, snapshot in other._snapshots.items() if key in self._documents}
        if other.revision == self.revision:
            self._snapshots = dict(self._latest)

    def is_current(self, key: str) -> bool:
        """Return whether the current text of a document is analysed."""
        return key in self._snapshots

    def latest_snapshot(self, key: str) -> Snapshot:
        """Return the latest analysis of a document, possibly of an earlier text."""
        return self._snapshots.get(key) or self._latest.get(key) or self.quick_snapshot(key)

    def quick_snapshot(self, key: str) -> Snapshot:
        """Return a snapshot of a document without analysing it now."""
        if key in self._snapshots:
            return self._snapshots[key]
        document, path, latest = self._documents[key], self._paths.get(key), self._latest.get(key)
        module = _empty(document, path, key) if latest is None else latest.module
        return StaleSnapshot(key, document, module, () if latest is None else latest.load_diagnostics)

    @property
    def keys(self) -> tuple[str, ...]:
        """The URIs of the open documents."""
        return tuple(self._documents)

    def open_key(self, path: Path) -> str | None:
        """Return the URI of an open file, or None."""
        path = real_path(path)
        return next((key for key, open_path in self._paths.items() if open_path == path), None)

    def key_for(self, path: Path) -> str:
        """Return the URI of a file, open or not."""
        return self.open_key(path) or real_path(path).as_uri()

    def snapshot(self, key: str) -> Snapshot:
        """Return the analysis of an open document. Raises KeyError if it is not open."""
        if key not in self._snapshots:
            document, path = self._documents[key], self._paths.get(key)
            is_own = path is None or self._unsaved[path] is document.written
            self._snapshots[key] = self._load_snapshot(
                key, document, path, None if is_own else self._cache_with(path, document.written)
            )
        return self._snapshots[key]

    def file_snapshot(self, path: Path) -> Snapshot | None:
        """Return the analysis of a file, open or not, or None if it cannot be read."""
        key = self.open_key(path)
        if key is not None:
            return self.snapshot(key)
        data = read_bytes(path, MAX_FICT_BYTES, FileReference(None, None, str(path)))
        if isinstance(data, Diagnostic):
            return None
        return self._load_snapshot(
            self.key_for(path), TextDocument(data.decode("utf-8", "replace"), self.encoding), real_path(path)
        )

    def document_of(self, source: Source) -> TextDocument:
        """Return the text of a source as in the editor, or as on disk if it is not open."""
        key = None if source.path is None else self.open_key(source.path)
        return TextDocument(source.text, self.encoding) if key is None else self._documents[key]

    def project(self, snapshot: Snapshot) -> list[Path]:
        """Return the `.fict` files of the project of a document, and the open ones, each once."""
        path = snapshot.module.path
        project_files = () if path is None else files_below(project_root(real_path(path).parent), ".fict")
        return list(dict.fromkeys([*self._paths.values(), *project_files]))

    def with_text(self, snapshot: Snapshot, text: str) -> Snapshot:
        """Return the analysis of a document with another text."""
        return self._load_snapshot(
            snapshot.key, TextDocument(text, self.encoding), snapshot.path, self._cache_with(snapshot.path, text)
        )

    def _cache_with(self, path: Path | None, text: str) -> FileCache:
        return self._cache if path is None else replace(self._cache, unsaved={**self._unsaved, path: text})

    def _load_snapshot(
        self, key: str, document: TextDocument, path: Path | None, cache: FileCache | None = None
    ) -> Snapshot:
        module, load_diagnostics = (
            load_text(document.written, key) if path is None else load_file(path, cache or self._cache)
        )
        if module is None:
            module = _empty(document, path, key)
        return Snapshot(key, document, module, tuple(load_diagnostics), *_settings(path))


def _empty(document: TextDocument, path: Path | None, key: str) -> Module:
    return Module(Source.of(document.text, str(path or key), path), File("1", (), Span(0, 0)), path=path)


def _settings(path: Path | None) -> tuple[Selection, tuple[Diagnostic, ...]]:
    if path is None:
        return Selection(), ()
    try:
        settings = load_settings(path.parent)
    except InputError as error:
        return Selection(), error.diagnostics
    return Selection(settings.strings("lint", "select"), settings.strings("lint", "ignore")), ()
