"""Load a `.fict` file with the files and word lists that it uses."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.source import Source
from fictdsl.syntax import nodes
from fictdsl.syntax.files import (
    MAX_FICT_BYTES,
    MAX_FILES,
    NO_OVERRIDES,
    TAB,
    Content,
    FileCache,
    FileReference,
    Folder,
    Kind,
    ListOverride,
    ListOverrides,
    Reader,
    decode,
    lowercase_where_compared,
    read_entries,
    read_rows,
    trimmed_row,
)
from fictdsl.syntax.nodes import File, ListDef, ListFile, ListRows, Value
from fictdsl.syntax.parse import parse, parse_cached


@dataclass(frozen=True)
class Module:
    """A parsed file.

    `uses` maps the path written in `use "…"` to the module it names. `lists` maps the path written in `file "…"` to
    its entries (trimmed, NFC, without comments), and `tables` the path in `from "…"` to its rows. A row is a string of
    values joined by tabs. Files that could not be loaded are missing. `overrides` maps list names to the lists that
    replace them, in this module and in those that it uses.
    """

    source: Source
    file: File
    uses: dict[str, Module] = field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    path: Path | None = None
    overrides: dict[str, ListOverride] = field(default_factory=dict)

    def entries(self, item: ListDef) -> tuple[str, ...] | None:
        """Return the entries, or rows as values joined by tabs; None if the list's file could not be read."""
        if item.name.text in self.overrides:
            entries = self.overrides[item.name.text].entries
            return tuple(dict.fromkeys(map(trimmed_row, entries))) if item.has_rows else entries
        if isinstance(item.body, ListFile):
            return (self.tables if item.body.table else self.lists).get(item.body.path.text)
        if isinstance(item.body, ListRows):
            rows = (tuple(value.text for value in row.values if isinstance(value, Value)) for row in item.body.rows)
            return tuple(dict.fromkeys(map(TAB.join, rows)))
        return tuple(value.text for value in item.body.values if isinstance(value, Value))


def load_file(
    path: Path, file_cache: FileCache | None = None, overrides: ListOverrides = NO_OVERRIDES
) -> tuple[Module | None, list[Diagnostic]]:
    """Load a `.fict` file with the files it uses and its word lists.

    Return the module and the diagnostics of all files read. The module is None if the file cannot be read, is not
    text or has an unsupported version. It is incomplete if there are errors. Loads that share a `file_cache` read
    shared files once; without one, syntax trees are cached on disk. `overrides` replace the declared lists of the same
    names, whose files are not read.
    """
    loader = _loader(file_cache, overrides)
    name, file_cache = str(path), loader.file_cache
    data = file_cache.read(path, MAX_FICT_BYTES, FileReference(Source(name, ""), None, name))
    if isinstance(data, Diagnostic):
        return None, [data]
    source, problems = decode(data, name)
    if source is None:
        return None, problems
    source, real_path = Source(source.name, source.text, path), Path(os.path.realpath(path))
    module = loader.load_module(
        source, loader.parse(source), file_cache.folder(real_path.parent), (_OpenFile(real_path, name),)
    )
    return module, loader.finish(module)


def load_text(
    text: str,
    name: str = "<text>",
    base: Path | None = None,
    file_cache: FileCache | None = None,
    overrides: ListOverrides = NO_OVERRIDES,
) -> tuple[Module | None, list[Diagnostic]]:
    """Load a text as `load_file` does. Paths are relative to `base`; without it, each path is an error (FICT149)."""
    loader = _loader(file_cache, overrides)
    source = Source.of(text.removeprefix("\ufeff"), name)
    module = loader.load_module(source, parse(source), loader.file_cache.folder(base) if base else None, ())
    return module, loader.finish(module)


@dataclass(frozen=True, slots=True)
class _OpenFile:
    path: Path
    display_name: str


@dataclass(slots=True)
class _Loader:
    """The files loaded so far, by real path. Each is read and reported once."""

    file_cache: FileCache
    parse: Reader[nodes.File | None]
    overrides: dict[str, ListOverride]  # shared by all modules of the loader
    modules: dict[Path, Module | None] = field(default_factory=dict)
    lists: dict[tuple[Path, bool], tuple[str, ...] | None] = field(default_factory=dict)  # by path and `ListFile.table`
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def finish(self, module: Module | None) -> list[Diagnostic]:
        if self.overrides and module is not None:
            used_modules = [used for used in self.modules.values() if used is not None]
            files = (loaded_module.file for loaded_module in (module, *used_modules))
            self.overrides |= lowercase_where_compared(self.overrides, files)
        return self.diagnostics

    def load_module(
        self,
        source: Source,
        parsed: tuple[nodes.File | None, list[Diagnostic]],
        folder: Folder | None,
        open_files: tuple[_OpenFile, ...],
    ) -> Module | None:
        """Load the files that a source names; None without a tree. Each of `open_files` uses the next."""
        file, problems = parsed
        self.diagnostics += problems
        if file is None:
            return None
        module = Module(source, file, path=source.path, overrides=self.overrides)
        for item in file.items:
            match item:
                case nodes.Use(path):
                    used_module = self._load_used_module(path, source, folder, open_files)
                    if used_module is not None:
                        module.uses[path.text] = used_module
                case nodes.ListDef(name=name, body=nodes.ListFile() as body) if name.text not in self.overrides:
                    entries = self._load_list(body, source, folder)
                    if entries is not None:
                        (module.tables if body.table else module.lists)[body.path.text] = entries
                case _:
                    pass
        return module

    def _load_used_module(
        self, path: nodes.Value, source: Source, folder: Folder | None, open_files: tuple[_OpenFile, ...]
    ) -> Module | None:
        reference = FileReference(source, path.span, path.text)
        real_path = self._find_file(path.text, folder, reference)
        if real_path is None:
            return None
        chain = (*open_files, _OpenFile(real_path, _relative_display_name(source.name, path.text)))
        if any(file.path == real_path for file in open_files):
            cycle = " → ".join(f"`{file.display_name}`" for file in chain)
            self.diagnostics.append(reference.problem("FICT145", chain=cycle))
            return None
        if real_path not in self.modules:
            self.modules[real_path] = None
            used = self._read_file(chain[-1], reference, len(self.modules) + 1, "filters", self._parse_with_source)
            if used is not None:
                used_source, file = used
                used_folder = self.file_cache.folder(real_path.parent)
                self.modules[real_path] = self.load_module(used_source, (file, []), used_folder, chain)
        return self.modules[real_path]

    def _load_list(self, body: nodes.ListFile, source: Source, folder: Folder | None) -> tuple[str, ...] | None:
        reference = FileReference(source, body.path.span, body.path.text)
        real_path = self._find_file(body.path.text, folder, reference)
        if real_path is None:
            return None
        key = (real_path, body.table)
        if key not in self.lists:
            self.lists[key] = None
            file = _OpenFile(real_path, _relative_display_name(source.name, body.path.text))
            kind: Kind = "table" if body.table else "list"
            reader = read_rows if body.table else read_entries
            self.lists[key] = self._read_file(file, reference, len(self.lists), kind, reader)
        return self.lists[key]

    def _find_file(self, written_path: str, folder: Folder | None, reference: FileReference) -> Path | None:
        real_path = (
            reference.problem("FICT149", file=written_path) if folder is None else folder.find(written_path, reference)
        )
        if isinstance(real_path, Diagnostic):
            self.diagnostics.append(real_path)
            return None
        return real_path

    def _read_file(
        self, file: _OpenFile, reference: FileReference, file_count: int, kind: Kind, reader: Reader[Content]
    ) -> Content | None:
        if file_count > MAX_FILES:
            if file_count == MAX_FILES + 1:
                self.diagnostics.append(reference.problem("FICT144", limit=MAX_FILES))
            return None
        content, problems = self.file_cache.content(file.path, reference, file.display_name, kind, reader)
        self.diagnostics += problems
        return content

    def _parse_with_source(self, source: Source) -> tuple[tuple[Source, nodes.File | None], list[Diagnostic]]:
        file, problems = self.parse(source)
        return (source, file), problems


def _loader(file_cache: FileCache | None, overrides: ListOverrides) -> _Loader:
    file_cache = file_cache or FileCache(trees_on_disk=True)
    return _Loader(file_cache, parse_cached if file_cache.trees_on_disk else parse, dict(overrides))


def _relative_display_name(name: str, written: str) -> str:
    return os.path.normpath(PurePath(name).parent / written)
