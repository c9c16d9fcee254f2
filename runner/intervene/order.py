"""Assign sentences to stages by filters or metadata, and balance and order the stages."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runner.corpus.sentence_arrays import Indices
from runner.intervene.remove_random import fill_budget

Rest: TypeAlias = Literal["drop", "first", "last", "interleave"]
REST = -1  # the stage index of sentences outside all stages


def stages_by_filters(sids: Indices, matched: Sequence[Indices], stages: Sequence[Set[int]]) -> Indices:
    """Return the stage of each sentence, (n,): the stage whose filters are exactly those that match it, or REST.

    `matched` has the matching sentences of each filter. A stage is a set of indices of filters.
    """
    patterns = np.packbits([np.isin(sids, sids_of_filter) for sids_of_filter in matched], axis=0)
    stage_of = np.full(len(sids), REST, dtype=np.int64)
    for stage_index, stage in enumerate(stages):
        pattern = np.packbits([filter_index in stage for filter_index in range(len(matched))])
        stage_of[(patterns == pattern[:, np.newaxis]).all(axis=0)] = stage_index
    return stage_of


def stages_by_values(values: Sequence[str | None], stages: Sequence[str]) -> Indices:
    """Return the stage of each sentence, (n,): the index of its value among the stages, or REST."""
    indices = {value: index for index, value in enumerate(stages)}
    return np.array([REST if value is None else indices.get(value, REST) for value in values], dtype=np.int64)


def balance_stages(stage_of: Indices, sizes: Indices, ranks: NDArray[Any], groups: Sequence[Sequence[int]]) -> Indices:
    """Return the indices of the sentences to keep so that the stages of each group have equal size, (k,) ascending.

    Each stage gets its sentences of lowest rank up to the size of the smallest stage in its group. To balance
    sentences, `sizes` are ones; to balance tokens, they are lengths. A stage may then have fewer tokens, if no addition
    or exchange of one sentence closes the gap. Stages outside any group keep all sentences. Sentences outside all
    stages are dropped.
    """
    indices_by_rank = np.argsort(ranks, kind="stable")
    grouped_stages = [stage for group in groups for stage in group]
    chosen = [np.flatnonzero((stage_of != REST) & ~np.isin(stage_of, grouped_stages))]
    for group in groups:
        members = [indices_by_rank[stage_of[indices_by_rank] == stage] for stage in group]
        budget = min((int(sizes[indices].sum()) for indices in members), default=0)
        chosen += [indices[fill_budget(sizes[indices], budget)] for indices in members]
    return np.sort(np.concatenate(chosen))


def order_by_stage(stage_of: Indices, stage_count: int, rest: Rest, *, reverse: bool) -> Indices:
    """Return the indices of sentences stage by stage, (k,), in corpus order within each stage.

    `rest` is the position of sentences outside all stages.
    """
    indices_by_stage = [np.flatnonzero(stage_of == stage) for stage in range(stage_count)]
    staged = np.concatenate([*(reversed(indices_by_stage) if reverse else indices_by_stage), stage_of[:0]])
    others = np.flatnonzero(stage_of == REST)
    match rest:
        case "drop":
            return staged
        case "first":
            return np.concatenate([others, staged])
        case "last":
            return np.concatenate([staged, others])
        case "interleave":
            return interleave(staged, others)


def interleave(first: Indices, second: Indices) -> Indices:
    """Merge two sequences at regular intervals, so that every prefix has its share of both to within one element."""
    positions = [(np.arange(len(sequence)) + 0.5) / max(len(sequence), 1) for sequence in (first, second)]
    return np.concatenate([first, second])[np.argsort(np.concatenate(positions), kind="stable")]
