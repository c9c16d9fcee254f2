"""A condition that is made into what it changed of the base corpus: sentences out, edited, put in, and in stages."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fictdsl.compiler import CompiledFilter
from runner.corpus.sentences.common_size import Indices
from runner.execute.prepare.interventions import UNITS
from runner.execute.prepare.prepare import Preparation
from runner.intervene.edits import Edit
from runner.intervene.inserts import read_units
from runner.steps.interventions import selection_filters


@dataclass(frozen=True)
class Inserted:
    """A line of an injected text: where it stands in the corpus, from 1, and whether a filter wanted it."""

    place: int
    text: str
    target: bool


@dataclass(frozen=True)
class Changes:
    """What a condition did.

    `removed` were taken out by `filters` (all others, if `kept`; by chance, without filters), `replaced` gave way to
    `injected` lines, and `left_out` were not drawn: the common size, a balance or the stages had no room for them.
    `stages` are the names of an order's or a balance's levels with their sentences, in the order of the corpus.
    """

    sentences: int
    base: int
    removed: Indices
    filters: tuple[CompiledFilter, ...]
    kept: bool
    left_out: int
    edited: list[Edit]
    injected: list[Inserted]
    replaced: Indices
    stages: list[tuple[str, Indices]] = field(default_factory=list)


def changes(made: Preparation, name: str) -> Changes:
    """What a condition of a plan changed; its corpus must have been made."""
    plan = made.plan
    condition = plan.resolved.condition(name)
    folder = made.cache.folder(plan.corpora[name])
    sids, removed = np.load(folder / "sids.npy"), np.load(folder / "removed.npy")
    replaced = np.load(folder / "replaced.npy") if (folder / "replaced.npy").exists() else removed[:0]
    key, filters = selection_filters(plan.resolved, name)
    own, total = sids[sids >= 0], len(made.base().words)
    held = set(own.tolist())
    return Changes(
        sentences=len(sids),
        base=total,
        removed=removed,
        filters=filters,
        kept=key == "keep",
        left_out=total - len(removed) - len(own) - len(replaced),
        edited=[edit for sid, edit in made.edits(name).items() if sid in held],
        injected=_injected(made, name, sids),
        replaced=replaced,
        stages=[] if condition is None or condition.levels is None else made.scheduler().stages(condition, own),
    )


def _injected(made: Preparation, name: str, sids: Indices) -> list[Inserted]:
    step = made.plan.units.get(name)
    if step is None:
        return []
    texts, _, targets = read_units(made.cache.folder(step) / UNITS)
    places = np.flatnonzero(sids < 0)
    return [
        Inserted(place + 1, texts[~sid], targets[~sid])
        for place, sid in zip(places.tolist(), sids[places].tolist(), strict=True)
    ]
