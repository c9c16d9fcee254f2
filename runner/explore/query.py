"""Queries of the explorer, and the settings of its server: the stores, filters and runs that requests name."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from fictdsl.compiler import Compilation, CompiledFilter, CompiledRewrite, compile_module, compile_text
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.syntax.files import FileCache
from fictdsl.syntax.load import load_text
from fictdsl.words import counted
from runner.corpus.limits import Limits
from runner.corpus.store import Store
from runner.errors import InputError

RESULTS = "results"  # subfolder of the folder of a run
STALE = "search again, or load the page again"  # what to do if a request does not fit its store or query
_stores: list[Store] = []


@dataclass(frozen=True)
class Run:
    """The folder of a run, and the stores in its cache by text, such as `train` or `SUITE.parses`."""

    folder: Path
    stores: dict[str, Path]

    @property
    def name(self) -> str:
        return self.folder.name


@dataclass(frozen=True)
class ExplorerSettings:
    """The paths to which requests refer by index. `save` is the folder to which requests may write."""

    stores: tuple[Path, ...]
    library: tuple[Path, ...]
    limits: Limits
    save: Path | None = None
    suite: tuple[Path, Path] | None = None  # the suite and the store of its parses
    runs: tuple[Run, ...] = ()
    parses: Path | None = None  # the store with the trees of runs' pairs
    audit: Path | None = None  # the sheet of an audit, drawn from the first store
    names: tuple[str, ...] = ()  # of the stores; the default is the names of their folders

    @property
    def store_names(self) -> tuple[str, ...]:
        return self.names or tuple(path.name or str(path) for path in self.stores)


def prepare(settings: ExplorerSettings) -> None:
    """Open the stores in a worker and run a query, so that the first query of a user does not wait."""
    import numpy as np

    from runner.corpus import matches, show

    _stores[:] = [Store.open(path, settings.limits) for path in settings.stores]
    (compiled,) = compile_text("fict 1\nfilter first { match { X -[root]-> Y } }\n").filters
    for store in _stores:
        if store.info.sentences:
            matches.match_range(store, compiled, matches.next_range(store.info.ends, 0, 0, 1)[:100])
            list(show.matched_sentences(store, None, np.arange(1)))


def existing_sid(store_index: int, sid: int) -> int:
    count = store_of(store_index).info.sentences
    if sid >= count:
        reason = f"the store has {counted(count, 'sentence')}"
        raise InputError.of("FICT853", found=f"sentence {sid + 1}", reason=reason, hint=STALE)
    return sid


def store_of(index: int) -> Store:
    return _stores[index]


_HEADER = re.compile(r"\s*(#[^\n]*\n\s*)*fict\s+\d")
_PREFIX, _SUFFIX, _INDENT = "fict 1\n\nfilter query {\n  match {\n", "\n  }\n}\n", "    "
MAX_QUERY = 200_000  # characters


@dataclass(frozen=True, slots=True)
class Query:
    """The text in the editor. `folder` is the folder of its file, if any; `name` selects one of its filters."""

    text: str
    folder: Path | None = None
    name: str | None = None

    @property
    def is_file(self) -> bool:
        return _HEADER.match(self.text) is not None

    @property
    def file_text(self) -> str:
        return self.text if self.is_file else f"{_PREFIX}{self.text}{_SUFFIX}"

    @property
    def lines_before(self) -> int:
        return 0 if self.is_file else _PREFIX.count("\n")

    def body(self, formatted_text: str) -> str:
        if self.is_file:
            return formatted_text
        lines = formatted_text.split("\n")
        start = next(index for index, line in enumerate(lines) if line.strip().startswith("match"))
        return "\n".join(line.removeprefix(_INDENT) for line in lines[start + 1 : -3])

    @property
    def names(self) -> list[str]:
        return [filter_.name for filter_ in filters_of(self._compilation())]

    @property
    def rewrite(self) -> CompiledRewrite | None:
        rewrites = self._compilation().rewrites
        return next((rewrite for rewrite in rewrites if rewrite.name == self.name), next(iter(rewrites), None))

    @property
    def filter(self) -> CompiledFilter:
        filters = filters_of(self._compilation())
        if not filters:
            raise InputError.of("FICT291", path="the query", kind="filter or rewrite")
        return next((filter_ for filter_ in filters if filter_.name == self.name), filters[0])

    @property
    def is_rewrite(self) -> bool:
        return any(rewrite.name == self.filter.name for rewrite in self._compilation().rewrites)

    def reworded(self, problem: Diagnostic) -> Diagnostic:
        """Return a problem as the editor shows it: the brace added after the body is called the end of the query."""
        end = len(_PREFIX) + len(self.text.rstrip())
        if self.is_file or problem.span is None or problem.span.start < end:
            return problem
        return replace(problem, message=problem.message.replace("found `}`", "found the end of the query", 1))

    def _compilation(self) -> Compilation:
        try:
            compilation, file_cache = _compile(self.file_text, self.folder)
            if not file_cache.is_current():
                _compile.cache_clear()
                compilation, _ = _compile(self.file_text, self.folder)
        except InputError as error:
            raise InputError([self.reworded(problem) for problem in error.diagnostics]) from None
        return compilation


def filters_of(compilation: Compilation) -> list[CompiledFilter]:
    return [*compilation.filters, *(rewrite.matching for rewrite in compilation.rewrites)]


@lru_cache(32)
def _compile(text: str, folder: Path | None) -> tuple[Compilation, FileCache]:
    """Compile without keeping errors, since a missing file may exist the next time."""
    file_cache = FileCache(trees_on_disk=True)
    compilation = compile_module(*load_text(text, "query", folder, file_cache))
    if compilation.errors:
        raise InputError(compilation.errors)
    return compilation, file_cache
