"""The base corpus and the matches of filters to the sentences of every condition, all cut to the common size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from runner.corpus.conditions import Indices, first_by_rank, priorities
from runner.corpus.sentences import Sentences
from runner.errors import InputError
from runner.intervene.choose import matching, others
from runner.intervene.remove_random import ShortError, random_like
from runner.manifest.condition import Condition
from runner.steps.interventions import removing
from runner.steps.plan import Plan


@dataclass(frozen=True)
class Drawn:
    """A condition: the sentences that it has, and those that its intervention took out before the common size."""

    sids: Indices
    removed: Indices


def draw(plan: Plan, base: Sentences, matched: Callable[[str], Indices]) -> dict[str, Drawn]:
    """The sentences of every condition; `matched` gives those that a filter matches, by the filter's key."""
    resolved, everything = plan.resolved, np.arange(len(base.words), dtype=np.int64)

    def by_filters(name: str) -> Indices:
        key, filters = removing(resolved, name)
        found = matching(everything, [matched(item.key) for item in filters])
        return others(everything, found) if key == "keep" else found

    def removed(name: str) -> Indices:
        condition = resolved.condition(name)
        if condition is None or condition.remove_random is None:
            return by_filters(name)
        return _by_chance(plan, condition, base, by_filters(condition.remove_random))

    taken = {name: removed(name) for name in plan.corpora}
    kept = {name: others(everything, taken[name]) for name in taken}
    size = resolved.manifest.size
    available = (len(k) if size.by == "lines" else int(base.words[k].sum()) for k in kept.values())
    count = size.count if isinstance(size.count, int) else min(available)
    ranks = priorities(f"size:{size.seed}", base.sources, base.numbers)
    return {
        name: Drawn(first_by_rank(sids, ranks[sids], base.words[sids], size.by, count), taken[name])
        for name, sids in kept.items()
    }


def _by_chance(plan: Plan, condition: Condition, base: Sentences, like: Indices) -> Indices:
    ranks = priorities(f"remove-random:{condition.seed}", base.sources, base.numbers)
    everything = np.arange(len(base.words), dtype=np.int64)
    try:
        return random_like(everything, like, ranks, base.words, condition.by, disjoint=condition.disjoint)
    except ShortError as short:
        where = ("condition", plan.resolved.manifest.condition.index(condition), "remove-random")
        told: dict[str, Any] = {"condition": condition.name, "like": condition.remove_random}
        told |= {"wanted": short.wanted, "found": short.found, "unit": short.unit}
        raise InputError(plan.resolved.draft.problem("FICT640", *where, **told)) from short
