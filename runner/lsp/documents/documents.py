"""The files open in an editor, and those on disk, into what is known of each: its module, names and diagnostics."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
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
from fictdsl.syntax.text.paths import FICT_BYTES, FileReference, project_root, read_bytes
from runner.errors import InputError
from runner.lsp.documents.occurrences import Occurrence, occurrences
from runner.lsp.documents.page import Page
from runner.lsp.documents.paths import files_below
from runner.settings import load as load_settings


@dataclass(frozen=True)
class Study:
    """One text, read as it was at one moment. `module` holds the items without errors, and is always there.

    `key` is what the editor calls the document.
    """

    key: str
    page: Page
    module: Module
    loaded: tuple[Diagnostic, ...]
    selection: Selection = field(default_factory=Selection)
    unset: tuple[Diagnostic, ...] = ()  # what is wrong with the settings, which then count for nothing

    @property
    def broken(self) -> bool:
        """Whether something in it, or in what it uses, could not be read: then some names may not be seen."""
        return any(problem.severity is Severity.ERROR for problem in self.loaded)

    @cached_property
    def resolution(self) -> Resolution:
        """What the names of the module mean."""
        return resolve(self.module)

    @cached_property
    def occurrences(self) -> list[Occurrence]:
        """Where its names stand, in items without errors."""
        return occurrences(self.module, self.resolution)

    @property
    def path(self) -> Path | None:
        """The real path of its file."""
        return self.module.path and _real(self.module.path)

    @cached_property
    def compilation(self) -> Compilation:
        """The filters of the module, none where there are errors."""
        return compile_module(self.module, list(self.loaded))

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All that is wrong or odd, less what the settings of the project leave out."""
        found = self.loaded if self.broken else (*self.loaded, *lint_module(self.module))
        return (*self.unset, *(problem for problem in found if self.selection.takes(problem)))


class Glance(Study):
    """What is known of a text that is not analysed yet: its page, and the module of an earlier text."""

    @cached_property
    def occurrences(self) -> list[Occurrence]:
        """None: those of the earlier text may have moved."""
        return []


@dataclass
class Desk:
    """The open documents, by what the editor calls them, and what was found out about each.

    A document may use any other, so nothing that was found out outlives a change; files are read again only if they
    changed.
    """

    encoding: str = "utf-16"
    _pages: dict[str, Page] = field(default_factory=dict)
    _paths: dict[str, Path] = field(default_factory=dict)  # of the documents that have one
    _unsaved: dict[Path, str] = field(default_factory=dict)
    _studies: dict[str, Study] = field(default_factory=dict)
    _finished: dict[str, Study] = field(default_factory=dict)  # the last analysed, whatever changed since
    edition: int = 0  # how often something changed
    _shelf: FileCache = field(init=False)

    def __post_init__(self) -> None:
        self._shelf = FileCache(self._unsaved)

    def put(self, key: str, path: Path | None, text: str) -> None:
        """A document was opened. `path` is where it is, or will be, saved; None if nobody knows."""
        if path is not None:
            self._paths[key] = _real(path)
        self.change(key, Page(text, self.encoding))

    def change(self, key: str, page: Page) -> None:
        """A document has another text."""
        self._pages[key] = page
        if key in self._paths:
            self._unsaved[self._paths[key]] = page.written
        self.refresh()

    def page(self, key: str) -> Page | None:
        """The text of a document. None if it is not open."""
        return self._pages.get(key)

    def close(self, key: str) -> None:
        """A document was closed: its file counts again as it is on disk."""
        self._pages.pop(key, None)
        path = self._paths.pop(key, Path())
        self._unsaved.pop(path, None)
        other = self.key_of(path)  # of a link to the same file
        if other is not None:
            self._unsaved[path] = self._pages[other].written
        self.refresh()

    def refresh(self) -> None:
        """Something changed: find everything out anew."""
        self._studies.clear()
        self.edition += 1

    @property
    def size(self) -> int:
        """The characters of all open documents."""
        return sum(len(page.written) for page in self._pages.values())

    def copy(self) -> Desk:
        """The same documents, for another thread. Nothing that one of the two reads later is seen by the other."""
        return Desk(self.encoding, dict(self._pages), dict(self._paths), dict(self._unsaved), edition=self.edition)

    def adopt(self, other: Desk) -> None:
        """Take over what a copy found out; of an older edition, only as what `finished` and `glance` return."""
        self._finished = {key: study for key, study in other._studies.items() if key in self._pages}
        if other.edition == self.edition:
            self._studies = dict(self._finished)

    def is_known(self, key: str) -> bool:
        """Whether a document is analysed as it is now."""
        return key in self._studies

    def finished(self, key: str) -> Study:
        """The last analysis of a document, maybe of an earlier text."""
        return self._studies.get(key) or self._finished.get(key) or self.glance(key)

    def glance(self, key: str) -> Study:
        """What is known of a document without any analysis now."""
        if key in self._studies:
            return self._studies[key]
        page, path, last = self._pages[key], self._paths.get(key), self._finished.get(key)
        module = _empty(page, path, key) if last is None else last.module
        return Glance(key, page, module, () if last is None else last.loaded)

    @property
    def keys(self) -> tuple[str, ...]:
        """The open documents."""
        return tuple(self._pages)

    def key_of(self, path: Path) -> str | None:
        """What the editor calls a file that is open."""
        path = _real(path)
        return next((key for key, known in self._paths.items() if known == path), None)

    def key_for(self, path: Path) -> str:
        """What the editor calls a file, or would if it opened it."""
        return self.key_of(path) or _real(path).as_uri()

    def study(self, key: str) -> Study:
        """What is known of an open document. KeyError if it is not open."""
        if key not in self._studies:
            page, path = self._pages[key], self._paths.get(key)
            is_own = path is None or self._unsaved[path] is page.written
            self._studies[key] = self._study(key, page, path, None if is_own else self._shelf_with(path, page.written))
        return self._studies[key]

    def study_file(self, path: Path) -> Study | None:
        """What is known of a file, open or not. None if it cannot be read."""
        key = self.key_of(path)
        if key is not None:
            return self.study(key)
        data = read_bytes(path, FICT_BYTES, FileReference(None, None, str(path)))
        if isinstance(data, Diagnostic):
            return None
        return self._study(self.key_for(path), Page(data.decode("utf-8", "replace"), self.encoding), _real(path))

    def page_of(self, source: Source) -> Page:
        """The text of a source as the editor has it, or as it is on disk."""
        key = None if source.path is None else self.key_of(source.path)
        return Page(source.text, self.encoding) if key is None else self._pages[key]

    def project(self, study: Study) -> list[Path]:
        """The `.fict` files of the project that a document belongs to, and those open, each once."""
        own = study.module.path
        inside = () if own is None else files_below(project_root(_real(own).parent), ".fict")
        return list(dict.fromkeys([*self._paths.values(), *inside]))

    def tried(self, study: Study, text: str) -> Study:
        """What would be known of a document if it had another text."""
        return self._study(study.key, Page(text, self.encoding), study.path, self._shelf_with(study.path, text))

    def _shelf_with(self, path: Path | None, text: str) -> FileCache:
        return self._shelf if path is None else FileCache({**self._unsaved, path: text})

    def _study(self, key: str, page: Page, path: Path | None, shelf: FileCache | None = None) -> Study:
        loaded_from = shelf or self._shelf
        module, loaded = load_text(page.written, key) if path is None else load_file(path, loaded_from)
        if module is None:
            module = _empty(page, path, key)
        return Study(key, page, module, tuple(loaded), *_settings(path))


def _empty(page: Page, path: Path | None, key: str) -> Module:
    return Module(Source.of(page.text, str(path or key), path), File("1", (), Span(0, 0)), path=path)


def _settings(path: Path | None) -> tuple[Selection, tuple[Diagnostic, ...]]:
    if path is None:
        return Selection(), ()
    try:
        settings = load_settings(path.parent)
    except InputError as error:
        return Selection(), error.diagnostics
    return Selection(settings.texts("lint", "select"), settings.texts("lint", "ignore")), ()


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
