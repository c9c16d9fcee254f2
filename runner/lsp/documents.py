"""Analyse documents that are open in an editor and files on disk: modules, names and diagnostics."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePath
from urllib.parse import urlsplit
from urllib.request import url2pathname

from fictdsl.compiler import Compilation, compile_module
from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.diagnostic import Diagnostic, has_errors
from fictdsl.lint.engine import Selection, lint_module
from fictdsl.semantics.resolve import resolve
from fictdsl.semantics.scopes import Resolution
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.files import MAX_FICT_BYTES, FileCache, FileReference, project_root, read_bytes
from fictdsl.syntax.load import Module, load_file, load_text
from fictdsl.syntax.nodes import File
from runner.errors import InputError
from runner.lsp.occurrences import Occurrence, occurrences
from runner.lsp.text_document import TextDocument
from runner.readers import real_path
from runner.settings import load as load_settings

_MAX_FILES = 20_000  # files that are visited; a larger project needs a `fictc.toml` in the folder of its filters
_SUFFIXES = {"use": ".fict", "file": ".txt", "from": ".tsv"}


def path_of(uri: str) -> Path | None:
    try:
        parts = urlsplit(uri)
        path = url2pathname(parts.path)
        os.fsencode(path)
    except (ValueError, OSError):
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or "\0" in path or not Path(path).is_absolute():
        return None
    return Path(path)


def paths_for(document: Path | None, keyword: str) -> list[str]:
    """Return the files of the project that `use`, `file` or `from` can name in a document, relative to its folder."""
    if document is None:
        return []
    real_document = real_path(document)
    files = files_below(project_root(real_document.parent), _SUFFIXES[keyword])
    paths = {Path(os.path.relpath(file, real_document.parent)).as_posix() for file in files if file != real_document}
    return sorted(paths, key=lambda path: (path.count("/"), path))


def files_below(root: Path, suffix: str) -> Iterator[Path]:
    """Yield the real paths of files with a suffix below a folder, except in hidden folders and `node_modules`."""
    visited = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        for name in sorted(names):
            visited += 1
            if visited > _MAX_FILES:
                return
            if name.endswith(suffix):
                yield real_path(Path(folder) / name)


@dataclass(frozen=True)
class Snapshot:
    """The analysis of a document at one moment. `module` always exists, and contains only the items without errors."""

    uri: str
    document: TextDocument
    module: Module
    load_diagnostics: tuple[Diagnostic, ...]
    selection: Selection = field(default_factory=Selection)
    settings_errors: tuple[Diagnostic, ...] = ()  # invalid settings are ignored

    @property
    def has_load_errors(self) -> bool:
        """Whether the document or a file it uses has errors, so that some names may be missing."""
        return has_errors(self.load_diagnostics)

    @cached_property
    def resolution(self) -> Resolution:
        return resolve(self.module)

    @cached_property
    def occurrences(self) -> list[Occurrence]:
        return occurrences(self.module, self.resolution)

    @property
    def path(self) -> Path | None:
        return self.module.path and real_path(self.module.path)

    @cached_property
    def compilation(self) -> Compilation:
        return compile_module(self.module, list(self.load_diagnostics))

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        all_diagnostics = (
            self.load_diagnostics if self.has_load_errors else (*self.load_diagnostics, *lint_module(self.module))
        )
        return (*self.settings_errors, *(problem for problem in all_diagnostics if self.selection.includes(problem)))


class StaleSnapshot(Snapshot):
    """A document that is not analysed yet: its current text, and the module of an earlier text or an empty module."""

    @cached_property
    def occurrences(self) -> list[Occurrence]:
        """Empty: names of the earlier text may be elsewhere in the current text."""
        return []


@dataclass
class Documents:
    """The open documents by URI, with the analysis of each.

    Any document may use any other document, so every change discards all analyses. Files are read again only if they
    changed.
    """

    position_encoding: str = "utf-16"
    _documents: dict[str, TextDocument] = field(default_factory=dict)
    _paths: dict[str, Path] = field(default_factory=dict)  # of documents with a path
    _open_texts: dict[Path, str] = field(default_factory=dict)
    _snapshots: dict[str, Snapshot] = field(default_factory=dict)
    _latest: dict[str, Snapshot] = field(default_factory=dict)  # the latest analyses, possibly of earlier texts
    revision: int = 0  # number of changes
    _cache: FileCache = field(init=False)

    def __post_init__(self) -> None:
        self._cache = FileCache(self._open_texts)

    def open(self, uri: str, path: Path | None, text: str) -> None:
        if path is not None:
            self._paths[uri] = real_path(path)
        self.change(uri, TextDocument(text, self.position_encoding))

    def change(self, uri: str, document: TextDocument) -> None:
        self._documents[uri] = document
        if uri in self._paths:
            self._open_texts[self._paths[uri]] = document.written
        self.discard_analyses()

    def document(self, uri: str) -> TextDocument | None:
        return self._documents.get(uri)

    def close(self, uri: str) -> None:
        self._documents.pop(uri, None)
        path = self._paths.pop(uri, Path())
        self._open_texts.pop(path, None)
        other = self.open_uri(path)  # another URI of the same file, such as a symbolic link
        if other is not None:
            self._open_texts[path] = self._documents[other].written
        self.discard_analyses()

    def discard_analyses(self) -> None:
        self._snapshots.clear()
        self.revision += 1

    @property
    def size(self) -> int:
        return sum(len(document.written) for document in self._documents.values())

    def copy(self) -> Documents:
        """Return a copy for another thread. The two share no mutable state."""
        documents = Documents(
            self.position_encoding,
            dict(self._documents),
            dict(self._paths),
            dict(self._open_texts),
            revision=self.revision,
        )
        documents._cache = self._cache.copy(documents._open_texts)
        return documents

    def adopt(self, other: Documents) -> None:
        """Adopt the files and analyses of a copy. Only `latest_snapshot` and `quick_snapshot` use old ones."""
        self._cache = other._cache.copy(self._open_texts)
        self._latest = {uri: snapshot for uri, snapshot in other._snapshots.items() if uri in self._documents}
        if other.revision == self.revision:
            self._snapshots = dict(self._latest)

    def is_current(self, uri: str) -> bool:
        return uri in self._snapshots

    def latest_snapshot(self, uri: str) -> Snapshot:
        """Return the latest analysis of a document, possibly of an earlier text."""
        return self._snapshots.get(uri) or self._latest.get(uri) or self.quick_snapshot(uri)

    def quick_snapshot(self, uri: str) -> Snapshot:
        if uri in self._snapshots:
            return self._snapshots[uri]
        document, path, latest = self._documents[uri], self._paths.get(uri), self._latest.get(uri)
        module = _empty_module(document, path, uri) if latest is None else latest.module
        return StaleSnapshot(uri, document, module, () if latest is None else latest.load_diagnostics)

    @property
    def uris(self) -> tuple[str, ...]:
        return tuple(self._documents)

    def open_uri(self, path: Path) -> str | None:
        path = real_path(path)
        return next((uri for uri, open_path in self._paths.items() if open_path == path), None)

    def uri_for(self, path: Path) -> str:
        return self.open_uri(path) or real_path(path).as_uri()

    def snapshot(self, uri: str) -> Snapshot:
        """Return the analysis of an open document. Raises KeyError if it is not open."""
        if uri not in self._snapshots:
            document, path = self._documents[uri], self._paths.get(uri)
            # another URI of the same file may have another text
            needs_own_cache = path is not None and self._open_texts[path] is not document.written
            self._snapshots[uri] = self._load_snapshot(
                uri, document, path, self._cache_with(path, document.written) if needs_own_cache else None
            )
        return self._snapshots[uri]

    def file_snapshot(self, path: Path) -> Snapshot | None:
        """Return the analysis of a file, open or not, or None if it cannot be read."""
        uri = self.open_uri(path)
        if uri is not None:
            return self.snapshot(uri)
        data = read_bytes(path, MAX_FICT_BYTES, FileReference(None, None, str(path)))
        if isinstance(data, Diagnostic):
            return None
        return self._load_snapshot(
            self.uri_for(path), TextDocument(data.decode("utf-8", "replace"), self.position_encoding), real_path(path)
        )

    def document_of(self, source: Source) -> TextDocument:
        uri = None if source.path is None else self.open_uri(source.path)
        return TextDocument(source.text, self.position_encoding) if uri is None else self._documents[uri]

    def project_paths(self, snapshot: Snapshot) -> list[Path]:
        """Return the distinct paths of open files and of the `.fict` files in the project of a document."""
        path = snapshot.module.path
        files_on_disk = () if path is None else files_below(project_root(real_path(path).parent), ".fict")
        return list(dict.fromkeys([*self._paths.values(), *files_on_disk]))

    def with_text(self, snapshot: Snapshot, text: str) -> Snapshot:
        return self._load_snapshot(
            snapshot.uri,
            TextDocument(text, self.position_encoding),
            snapshot.path,
            self._cache_with(snapshot.path, text),
        )

    def _cache_with(self, path: Path | None, text: str) -> FileCache:
        return self._cache if path is None else replace(self._cache, unsaved={**self._open_texts, path: text})

    def _load_snapshot(
        self, uri: str, document: TextDocument, path: Path | None, cache: FileCache | None = None
    ) -> Snapshot:
        module, load_diagnostics = (
            load_text(document.written, uri) if path is None else load_file(path, cache or self._cache)
        )
        if module is None:
            module = _empty_module(document, path, uri)
        return Snapshot(uri, document, module, tuple(load_diagnostics), *_settings(path))


def _empty_module(document: TextDocument, path: Path | None, uri: str) -> Module:
    return Module(Source.of(document.text, str(path or uri), path), File("1", (), span=Span(0, 0)), path=path)


def _settings(path: Path | None) -> tuple[Selection, tuple[Diagnostic, ...]]:
    if path is None:
        return Selection(), ()
    try:
        settings = load_settings(path.parent)
    except InputError as error:
        return Selection(), error.diagnostics
    return Selection(settings.strings("lint", "select"), settings.strings("lint", "ignore")), ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic with its location in the document. `related` are other locations with messages."""

    diagnostic: Diagnostic
    span: Span
    message: str
    related: tuple[tuple[Source, Span, str], ...]
    unused: bool


def findings(snapshot: Snapshot) -> list[Finding]:
    return [_finding(snapshot, diagnostic) for diagnostic in snapshot.diagnostics]


def _finding(snapshot: Snapshot, diagnostic: Diagnostic) -> Finding:
    own_source = snapshot.module.source
    source = diagnostic.source or own_source
    span = diagnostic.span or Span(0, 0)
    message = diagnostic.message + (f"\n{diagnostic.hint}" if diagnostic.hint else "")
    related = [(label.source or source, label.span, label.text) for label in diagnostic.labels]
    if source.path != own_source.path or source.name != own_source.name:
        related.insert(0, (source, span, diagnostic.message))
        message = f"in {source.name}: {message}"
        span = _span_of_path(snapshot.module, source) or Span(0, 0)
    unused = CATALOGUE[diagnostic.code].name.startswith("unused-")
    return Finding(diagnostic, span, message, tuple(related), unused)


def _span_of_path(module: Module, source: Source) -> Span | None:
    """Return the span where a module names the file of a source or a file that uses it, or None."""
    indirect_spans: list[Span] = []
    for item in module.file.items:
        match item:
            case nodes.Use(path=path):
                used = module.uses.get(path.text)
                if _is_named(path.text, source) if used is None else used.source.path == source.path:
                    return path.span
                if used is not None and _span_of_path(used, source) is not None:
                    indirect_spans.append(path.span)
            case nodes.ListDef(body=nodes.ListFile(path=path)) if _is_named(path.text, source):
                return path.span
            case _:
                pass
    return next(iter(indirect_spans), None)


def _is_named(path: str, source: Source) -> bool:
    return PurePath(source.name).name == PurePath(path).name
