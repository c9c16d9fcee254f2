"""fictc's query engine on a store, with or without its index and copied columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.cases import Case
from fictdsl.schema import Layout
from runner.corpus.engine import LocalEngine
from runner.corpus.limits import Limits
from runner.corpus.store import Store


@dataclass(frozen=True, slots=True)
class Way:
    """A store queried with a given layout."""

    engine: LocalEngine

    def find(self, case: Case) -> npt.NDArray[np.int64]:
        """Return the numbers of the sentences that match a filter."""
        return self.engine.sids([case.compiled])

    def count(self, cases: Sequence[Case]) -> list[int]:
        """Return the number of matching sentences of each filter, all counted at once, as `fictc count` does."""
        tally = self.engine.tally([case.compiled for case in cases])
        return [tally.sentences[index] for index in range(len(cases))]


def ways(path: Path, threads: int) -> dict[str, Way]:
    """Return the ways to query a store, by name.

    The first is as imported. The others are with its index and without its copied columns, if it has them.
    """
    store = Store.open(path, Limits(threads=threads))
    store.verify()
    layout = store.layout
    imported = replace(layout, sorted_copies=())
    layouts = {"fictc": imported}
    if layout.sorted_copies:
        layouts["with index"] = layout
    if layout.copies:
        layouts["without copies"] = replace(imported, copies=frozenset())
    return {name: Way(_engine(store, layout)) for name, layout in layouts.items()}


def _engine(store: Store, layout: Layout) -> LocalEngine:
    engine = LocalEngine(store)
    engine.layout = layout
    return engine
