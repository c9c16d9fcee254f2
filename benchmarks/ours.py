"""A store asked by fictc's own engine, with all that the store offers or with less of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.cases import Case
from runner.corpus.engine import Here
from runner.corpus.limits import Limits
from runner.corpus.store import Store

Find = Callable[[Case], npt.NDArray[np.int64]]


def ways(path: Path, threads: int) -> dict[str, Find]:
    """The sentences that a filter finds: as imported, with the index where there is one, without copied columns."""
    store = Store.open(path, Limits(threads=threads))
    store.verify()
    layout = store.layout
    imported = replace(layout, projections=())
    made = {"fictc": imported}
    if layout.projections:
        made["with index"] = layout
    if layout.copies:
        made["without copies"] = replace(imported, copies=frozenset())
    return {name: _asking(store, which) for name, which in made.items()}


def _asking(store: Store, layout: object) -> Find:
    engine = Here(store)
    engine.layout = layout  # type: ignore[assignment]
    return lambda case: engine.sids([case.compiled])
