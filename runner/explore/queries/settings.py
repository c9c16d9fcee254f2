"""The settings of a server. Requests refer to stores, filters and runs by index, never by path."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.installation import shipped
from runner.corpus.store.limits import Limits
from runner.corpus.store.opening import Store
from runner.counted import counted
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
        """The name of its folder."""
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
    names: tuple[str, ...] = ()  # of the stores; the default is the names of their folders

    @property
    def store_names(self) -> tuple[str, ...]:
        """The names of the stores."""
        return self.names or tuple(path.name or str(path) for path in self.stores)

    def title(self, index: int) -> str:
        """Return the name of a file of the library, such as `fict15/passive`."""
        path = self.library[index]
        return f"{path.parent.name}/{path.stem}"


def library() -> tuple[Path, ...]:
    """Return the filter files of the shipped library, without those of word lists."""
    return tuple(sorted(path for path in shipped("filters").glob("*/*.fict") if path.parent.name != "words"))


def prepare(settings: ExplorerSettings) -> None:
    """Open the stores in a worker and run a query, so that the first query of a user does not wait."""
    import numpy as np

    from fictdsl.compiler import compile_text
    from runner.corpus.query.matched_sentences import matched_sentences
    from runner.corpus.query.ranges import match_range, next_range

    _stores[:] = [Store.open(path, settings.limits) for path in settings.stores]
    (compiled,) = compile_text("fict 1\nfilter first { match { X -[root]-> Y } }\n").filters
    for store in _stores:
        if store.info.sentences:
            match_range(store, compiled, next_range(store.info.ends, 0, 0, 1)[:100])
            list(matched_sentences(store, None, np.arange(1)))


def existing_sid(store_index: int, sid: int) -> int:
    """Return the number of a sentence. Raises InputError (FICT853) if the store has no such sentence."""
    count = store_of(store_index).info.sentences
    if sid >= count:
        reason = f"the store has {counted(count, 'sentence')}"
        raise InputError(diagnostic("FICT853", found=f"sentence {sid + 1}", reason=reason, hint=STALE))
    return sid


def store_of(index: int) -> Store:
    """Return a store that `prepare` opened."""
    return _stores[index]
