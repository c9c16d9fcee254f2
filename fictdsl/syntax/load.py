"""A path or a text into a module: the file, the files it uses, and the word lists it names."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Label
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.characters import decode, forbidden
from fictdsl.syntax.files import FICT_BYTES, LIST_BYTES, MAX_FILES, Folder, Place, read_bytes
from fictdsl.syntax.parse import parse
from fictdsl.syntax.program import Module

_MOST_REPEATED = 10  # warnings for one word list


def load_file(path: Path) -> tuple[Module | None, list[Diagnostic]]:
    """Read a `.fict` file with all it reads. The module is None if there is no file or it is no text.

    The diagnostics are those of every file read; a module whose diagnostics hold errors is not complete.
    """
    name = str(path)
    data = read_bytes(path, FICT_BYTES, Place(Source(name, ""), None, name))
    if isinstance(data, Diagnostic):
        return None, [data]
    source, problems = decode(data, name)
    if source is None:
        return None, problems
    real = Path(os.path.realpath(path))
    loader = _Loader()
    module = loader.module(Source(source.name, source.text, path), Folder(real.parent), (_Open(real, name),))
    return module, loader.diagnostics


def load_text(text: str, name: str = "<text>", base: Path | None = None) -> tuple[Module | None, list[Diagnostic]]:
    """Read a text that stands in no file. `base` is the folder its paths are relative to; without it, it has none."""
    loader = _Loader()
    source = Source.of(text.removeprefix("\ufeff"), name)
    module = loader.module(source, Folder(base) if base else None, ())
    return module, loader.diagnostics


@dataclass(frozen=True, slots=True)
class _Open:
    """A file whose reading has begun and not ended: its real path, and its name for people."""

    path: Path
    shown: str


@dataclass(slots=True)
class _Loader:
    """What has been read so far, by real path; each file is read, and complains, once."""

    modules: dict[Path, Module | None] = field(default_factory=dict)
    lists: dict[Path, tuple[str, ...] | None] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def module(self, source: Source, folder: Folder | None, opened: tuple[_Open, ...]) -> Module | None:
        """Parse one source and read what it names. `opened` is the chain of `use` that led here, this file last."""
        file, problems = parse(source)
        self.diagnostics += problems
        if file is None:
            return None
        module = Module(source, file, path=source.path)
        for item in file.items:
            match item:
                case nodes.Use(path):
                    used = self._use(path, source, folder, opened)
                    if used is not None:
                        module.uses[path.text] = used
                case nodes.ListDef(body=nodes.ListFile(path)):
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
            data = self._read(real, FICT_BYTES, place, len(self.modules) + 1)
            used = self._decoded(data, shown, real)
            if used is not None:
                self.modules[real] = self.module(used, Folder(real.parent), chain)
        return self.modules[real]

    def _list(self, path: nodes.Value, source: Source, folder: Folder | None) -> tuple[str, ...] | None:
        place = Place(source, path.span, path.text)
        real = self._find(path.text, folder, place)
        if real is None:
            return None
        if real not in self.lists:
            self.lists[real] = None
            data = self._read(real, LIST_BYTES, place, len(self.lists))
            words = self._decoded(data, _beside(source.name, path.text), real)
            if words is not None:
                entries, problems = read_entries(words)
                self.lists[real] = entries
                self.diagnostics += problems
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

    def _read(self, real: Path, limit: int, place: Place, count: int) -> bytes | None:
        if count > MAX_FILES:
            if count == MAX_FILES + 1:
                self.diagnostics.append(place.problem("FICT144", limit=MAX_FILES))
            return None
        data = read_bytes(real, limit, place)
        if isinstance(data, Diagnostic):
            self.diagnostics.append(data)
            return None
        return data

    def _decoded(self, data: bytes | None, shown: str, real: Path) -> Source | None:
        if data is None:
            return None
        source, problems = decode(data, shown)
        self.diagnostics += problems
        return Source(source.name, source.text, real) if source else None


def _beside(name: str, written: str) -> str:
    """The path to show for a file that another one, shown as `name`, names as `written`."""
    return os.path.normpath(PurePath(name).parent / written)


def read_entries(source: Source) -> tuple[tuple[str, ...], list[Diagnostic]]:
    """The entries of a word list, each once, in order; repeated ones and forbidden characters are diagnostics."""
    first: dict[str, Span] = {}
    problems = forbidden(source)
    repeated = 0
    start = 0
    for line in source.text.split("\n"):
        entry = line.strip()
        span = Span(start + line.find(entry), start + line.find(entry) + len(entry))
        start += len(line) + 1
        if not entry or line.startswith("#"):
            continue
        entry = entry[1:] if entry.startswith("\\#") else entry
        if entry in first:
            repeated += 1
            if repeated <= _MOST_REPEATED:
                label = Label(first[entry], "first here")
                problems.append(diagnostic("FICT148", source, span, labels=(label,), entry=entry))
        else:
            first[entry] = span
    return tuple(first), problems
