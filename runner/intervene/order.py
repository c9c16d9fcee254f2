"""Sentences and their levels, by filters or by metadata, into an order of stages, balanced if that is asked for."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runner.corpus.sentences.common_size import Indices
from runner.intervene.remove_random import fill

Rest: TypeAlias = Literal["drop", "first", "last", "interleave"]
REST = -1  # the level of a sentence that is in no stage


def by_filters(sids: Indices, matched: Sequence[Indices], stages: Sequence[Set[int]]) -> Indices:
    """The stage of each sentence, (n,): that whose filters, given as places in `matched`, are those that match it."""
    pattern = np.zeros(len(sids), dtype=np.int64)
    for place, found in enumerate(matched):
        pattern |= np.isin(sids, found).astype(np.int64) << place
    return _numbered(pattern, [sum(1 << place for place in stage) for stage in stages])


def by_values(values: Sequence[str | None], stages: Sequence[str]) -> Indices:
    """The stage of each sentence, (n,): the place of its value among the stages."""
    places = {value: place for place, value in enumerate(stages)}
    return np.array([REST if value is None else places.get(value, REST) for value in values], dtype=np.int64)


def _numbered(pattern: Indices, stages: Sequence[int]) -> Indices:
    levels = np.full(len(pattern), REST, dtype=np.int64)
    for place, stage in enumerate(stages):
        levels[pattern == stage] = place
    return levels


def balanced(levels: Indices, sizes: Indices, ranks: NDArray[Any], groups: Sequence[Sequence[int]]) -> Indices:
    """Places of sentences that make the stages of each group equal, (k,) ascending.

    Each stage is as large as the smallest of its group, the first by rank. `sizes` are ones to balance sentences,
    lengths to balance tokens; then a stage may have less by what no single sentence, added or put in the place of
    another, makes up. Stages of no group stay whole, places of no stage are left out.
    """
    order = np.argsort(ranks, kind="stable")
    grouped = [stage for group in groups for stage in group]
    chosen = [np.flatnonzero((levels != REST) & ~np.isin(levels, grouped))]
    for group in groups:
        members = [order[levels[order] == stage] for stage in group]
        budget = min((int(sizes[places].sum()) for places in members), default=0)
        chosen += [places[fill(sizes[places], budget)] for places in members]
    return np.sort(np.concatenate(chosen))


def in_stages(levels: Indices, stages: int, rest: Rest, *, reverse: bool) -> Indices:
    """Places of sentences stage by stage, (k,), each stage in the order given; the rest where `rest` says."""
    sequence = [np.flatnonzero(levels == stage) for stage in range(stages)]
    staged = np.concatenate([*(reversed(sequence) if reverse else sequence), levels[:0]])
    others = np.flatnonzero(levels == REST)
    match rest:
        case "drop":
            return staged
        case "first":
            return np.concatenate([others, staged])
        case "last":
            return np.concatenate([staged, others])
        case "interleave":
            return interleaved(staged, others)


def interleaved(one: Indices, other: Indices) -> Indices:
    """Two sequences as one, each in its order and at regular intervals: any beginning has its share of both, to one."""
    when = [(np.arange(len(part)) + 0.5) / max(len(part), 1) for part in (one, other)]
    return np.concatenate([one, other])[np.argsort(np.concatenate(when), kind="stable")]
