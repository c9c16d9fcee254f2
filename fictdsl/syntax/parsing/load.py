"""A path or a text into a module: the file, the files it uses, and the word lists it names."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.source import Source
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.ast_cache import parsed
from fictdsl.syntax.parsing.parse import parse
from fictdsl.syntax.parsing.program import Module
from fictdsl.syntax.parsing.word_lists import NONE, Given, GivenList, as_compared, read_entries
from fictdsl.syntax.text.characters import decode
from fictdsl.syntax.text.file_cache import Content, Read, Shelf
from fictdsl.syntax.text.paths import FICT_BYTES, LIST_BYTES, MAX_FILES, Folder, Place


def load_file(path: Path, shelf: Shelf | None = None, given: Given = NONE) -> tuple[Module | None, list[Diagnostic]]:
    """Read a `.fict` file with all it reads. The module is None if there is no file or it is no text.

    The diagnostics are those of every file read; a module whose diagnostics hold errors is not complete. Several
    files that are loaded with one `shelf` read once what they share. Without one, trees are kept for the next process.
    The lists `given` replace those that the files declare under their names, whose own files are not read.
    """
    loader = _loader(shelf, given)
    name, shelf = str(path), loader.shelf
    data = shelf.read(path, FICT_BYTES, Place(Source(name, ""), None, name))
    if isinstance(data, Diagnostic):
        return None, [data]
    source, problems = decode(data, name)
    if source is None:
        return None, problems
    source, real = Source(source.name, source.text, path), Path(os.path.realpath(path))
    module = loader.module(source, loader.parse(source), shelf.folder(real.parent), (_Open(real, name),))
    return module, loader.finish(module)


def load_text(
    text: str,
    name: str = "<text>",
    base: Path | None = None,
    shelf: Shelf | None = None,
    given: Given = NONE,
) -> tuple[Module | None, list[Diagnostic]]:
    """Read a text that stands in no file. `base` is the folder its paths are relative to; without it, it has none."""
    loader = _loader(shelf, given)
    source = Source.of(text.removeprefix("\ufeff"), name)
    module = loader.module(source, parse(source), loader.shelf.folder(base) if base else None, ())
    return module, loader.finish(module)


@dataclass(frozen=True, slots=True)
class _Open:
    """A file whose reading has begun and not ended: its real path, and its name for people."""

    path: Path
    shown: str


@dataclass(slots=True)
class _Loader:
    """What has been read so far, by real path; each file is read, and complains, once."""

    shelf: Shelf
    parse: Read[nodes.File | None]
    given: dict[str, GivenList]  # shared by all modules of the loader
    modules: dict[Path, Module | None] = field(default_factory=dict)
    lists: dict[Path, tuple[str, ...] | None] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def finish(self, module: Module | None) -> list[Diagnostic]:
        """Lower the given lists that are only compared in lower case. Return the diagnostics."""
        if self.given and module is not None:
            read = [used for used in self.modules.values() if used is not None]
            self.given |= as_compared(self.given, (part.file for part in (module, *read)))
        return self.diagnostics

    def module(
        self,
        source: Source,
        parsed: tuple[nodes.File | None, list[Diagnostic]],
        folder: Folder | None,
        opened: tuple[_Open, ...],
    ) -> Module | None:
        """Take a parsed source and read what it names. `opened` is the chain of `use` that led here, this file last."""
        file, problems = parsed
        self.diagnostics += problems
        if file is None:
            return None
        module = Module(source, file, path=source.path, given=self.given)
        for item in file.items:
            match item:
                case nodes.Use(path):
                    used = self._use(path, source, folder, opened)
                    if used is not None:
                        module.uses[path.text] = used
                case nodes.ListDef(name=name, body=nodes.ListFile(path)) if name.text not in self.given:
                    entries = self._list(path, source, folder)
                    if entries is not None:
                        module.lists[path.text] = entries
                case _:
                    pass
        return module

    def _use(
        self, path: nodes.Value, source: Source, folder: Folder | None, opened: tuple[_Open, ...]
    ) -> Module | None:
        place = Place(source, path.span, path.text)
        real = self._find(path.text, folder, place)
        if real is None:
            return None
        shown = _beside(source.name, path.text)
        chain = (*opened, _Open(real, shown))
        if any(file.path == real for file in opened):
            circle = " → ".join(f"`{file.shown}`" for file in chain)
            self.diagnostics.append(place.problem("FICT145", chain=circle))
            return None
        if real not in self.modules:
            self.modules[real] = None
            used = self._read(real, FICT_BYTES, place, shown, len(self.modules) + 1, self._parsed)
            if used is not None:
                inner, file = used
                self.modules[real] = self.module(inner, (file, []), self.shelf.folder(real.parent), chain)
        return self.modules[real]

    def _list(self, path: nodes.Value, source: Source, folder: Folder | None) -> tuple[str, ...] | None:
        place = Place(source, path.span, path.text)
        real = self._find(path.text, folder, place)
        if real is None:
            return None
        if real not in self.lists:
            self.lists[real] = None
            shown = _beside(source.name, path.text)
            self.lists[real] = self._read(real, LIST_BYTES, place, shown, len(self.lists), read_entries)
        return self.lists[real]

    def _find(self, written: str, folder: Folder | None, place: Place) -> Path | None:
        if folder is None:
            self.diagnostics.append(place.problem("FICT149", file=written))
            return None
        found = folder.find(written, place)
        if isinstance(found, Diagnostic):
            self.diagnostics.append(found)
            return None
        return found

    def _read(
        self, real: Path, limit: int, place: Place, shown: str, count: int, read: Read[Content]
    ) -> Content | None:
        if count > MAX_FILES:
            if count == MAX_FILES + 1:
                self.diagnostics.append(place.problem("FICT144", limit=MAX_FILES))
            return None
        content, problems = self.shelf.content(real, limit, place, shown, read)
        self.diagnostics += problems
        return content

    def _parsed(self, source: Source) -> tuple[tuple[Source, nodes.File | None], list[Diagnostic]]:
        file, problems = self.parse(source)
        return (source, file), problems


def _loader(shelf: Shelf | None, given: Given) -> _Loader:
    """One that keeps trees where a single file is asked for: a run over many files imports Lark once in any case."""
    return _Loader(Shelf(), parsed, dict(given)) if shelf is None else _Loader(shelf, parse, dict(given))


def _beside(name: str, written: str) -> str:
    """The path to show for a file that another one, shown as `name`, names as `written`."""
    return os.path.normpath(PurePath(name).parent / written)
