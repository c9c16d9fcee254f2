"""A store asked by fictc's own engine, with all that the store offers or with less of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.cases import Case
from fictdsl.plan.layout import Layout
from runner.corpus.query.engine import Here
from runner.corpus.store.limits import Limits
from runner.corpus.store.opening import Store


@dataclass(frozen=True, slots=True)
class Way:
    """A store asked as if it offered what a layout says."""

    engine: Here

    def find(self, case: Case) -> npt.NDArray[np.int64]:
        """The sentences that a filter finds."""
        return self.engine.sids([case.compiled])

    def count(self, cases: Sequence[Case]) -> list[int]:
        """How many sentences each filter finds, all in one go as `fictc count` does."""
        tally = self.engine.tally([case.compiled for case in cases])
        return [tally.sentences[place] for place in range(len(cases))]


def ways(path: Path, threads: int) -> dict[str, Way]:
    """A store as imported, with the index where there is one, without copied columns."""
    store = Store.open(path, Limits(threads=threads))
    store.verify()
    layout = store.layout
    imported = replace(layout, projections=())
    made = {"fictc": imported}
    if layout.projections:
        made["with index"] = layout
    if layout.copies:
        made["without copies"] = replace(imported, copies=frozenset())
    return {name: Way(_asking(store, which)) for name, which in made.items()}


def _asking(store: Store, layout: Layout) -> Here:
    engine = Here(store)
    engine.layout = layout
    return engine
