"""Select, draw and order sentences: by number, tokens, lengths, shares or stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from fractions import Fraction
from math import floor
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runner.corpus.sentence_arrays import Indices

SampleBy: TypeAlias = Literal["sentences", "tokens", "lengths"]
Ints: TypeAlias = NDArray[np.int64]


class TooFewError(Exception):
    def __init__(self, requested: int, available: int, unit: str) -> None:
        super().__init__(f"{requested} {unit} requested, {available} available")
        self.requested, self.available, self.unit = requested, available, unit


def random_sample_like(
    base: Indices, like: Indices, ranks: NDArray[Any], word_counts: Ints, by: SampleBy, *, disjoint: bool = False
) -> Indices:
    """Return the sentences of `base` with the lowest ranks, up to the size of `like`. Raises TooFewError.

    With `lengths`, there are as many of each length, with the nearest for missing ones. With `tokens`, there are as
    many words, or fewer if no addition or exchange of one sentence closes the gap.
    """
    in_like = np.isin(base, like, assume_unique=True)
    order = np.argsort(ranks, kind="stable")
    if disjoint:
        order = order[~in_like[order]]
    requested, available = int(in_like.sum()), len(order)
    if by == "tokens":
        requested, available = int(word_counts[in_like].sum()), int(word_counts[order].sum())
    if available < requested:
        raise TooFewError(requested, available, "tokens" if by == "tokens" else "sentences")
    match by:
        case "sentences":
            chosen = order[: len(like)]
        case "tokens":
            chosen = order[fill_budget(word_counts[order], int(word_counts[in_like].sum()))]
        case "lengths":
            chosen = order[_indices_of_lengths(word_counts[order], word_counts[in_like])]
    return np.sort(base[chosen])


def fill_budget(word_counts: Ints, budget: int) -> Ints:
    """Return indices whose counts sum to `budget`, or to the largest sum of a search that adds, then exchanges one."""
    chosen = np.zeros(len(word_counts), dtype=bool)
    remaining = budget
    while remaining:
        remaining -= _add_in_order(word_counts, chosen, remaining)
        if not (gain := _exchange_one(word_counts, chosen, remaining)):
            break
        remaining -= gain
    return np.flatnonzero(chosen)


def _add_in_order(word_counts: Ints, chosen: NDArray[np.bool_], budget: int) -> int:
    candidates, added = np.flatnonzero(~chosen), 0
    while len(candidates := candidates[word_counts[candidates] <= budget - added]):
        count = max(1, int(np.searchsorted(np.cumsum(word_counts[candidates]), budget - added, side="right")))
        chosen[candidates[:count]] = True
        added += int(word_counts[candidates[:count]].sum())
        candidates = candidates[count:]
    return added


def _exchange_one(word_counts: Ints, chosen: NDArray[np.bool_], budget: int) -> int:
    members, others = np.flatnonzero(chosen), np.flatnonzero(~chosen)
    lengths = np.unique(word_counts[members])
    for gain in range(budget, 0, -1):
        longer = others[np.isin(word_counts[others] - gain, lengths)]
        if len(longer):
            chosen[members[word_counts[members] == word_counts[longer[0]] - gain][-1]] = False
            chosen[longer[0]] = True
            return gain
    return 0


def _indices_of_lengths(word_counts: Ints, lengths: Ints) -> Ints:
    """Return the first indices of each length in `lengths`, and of the nearest lengths if there are too few."""
    chosen = np.zeros(len(word_counts), dtype=bool)
    missing: dict[int, int] = {}
    for length, count in zip(*np.unique(lengths, return_counts=True), strict=True):
        exact = np.flatnonzero(word_counts == length)[:count]
        chosen[exact] = True
        missing[int(length)] = int(count) - len(exact)
    for length, count in missing.items():
        candidates = np.flatnonzero(~chosen)
        chosen[candidates[np.argsort(np.abs(word_counts[candidates] - length), kind="stable")[:count]]] = True
    return np.flatnonzero(chosen)


def fraction_of(matched: Indices, ranks: NDArray[Any], fraction: float) -> Indices:
    """Return the ⌊f · n + ½⌋ of n sentences with the lowest ranks. `fraction` is the decimal number that is written."""
    sids_by_rank = matched[np.argsort(ranks[matched], kind="stable")]
    return np.sort(sids_by_rank[: floor(Fraction(repr(float(fraction))) * len(matched) + Fraction(1, 2))])


def unspared_sentences(matched: Indices, ranks: NDArray[Any], values: Mapping[int, Set[str]], at_most: int) -> Indices:
    """Return the sentences that remain after sparing, by rank, up to `at_most` sentences for each value, ascending."""
    spared = Counter[str]()
    acted_on: list[int] = []
    for sid in matched[np.argsort(ranks[matched], kind="stable")].tolist():
        sentence_values = values.get(sid, frozenset())
        if all(spared[value] < at_most for value in sentence_values):
            spared.update(sentence_values)
        else:
            acted_on.append(sid)
    return np.array(sorted(acted_on), dtype=np.int64)


Rest: TypeAlias = Literal["drop", "first", "last", "interleave"]
REST = -1  # the stage index of sentences outside all stages


def stages_by_filters(sids: Indices, matched: Sequence[Indices], stages: Sequence[Set[int]]) -> Indices:
    """Return the stage of each sentence, (n,): the stage whose filters are exactly those that match it, or REST."""
    patterns = np.packbits([np.isin(sids, sids_of_filter) for sids_of_filter in matched], axis=0)
    stage_of = np.full(len(sids), REST, dtype=np.int64)
    for stage_index, stage in enumerate(stages):
        pattern = np.packbits([filter_index in stage for filter_index in range(len(matched))])
        stage_of[(patterns == pattern[:, np.newaxis]).all(axis=0)] = stage_index
    return stage_of


def stages_by_values(values: Sequence[str | None], stages: Sequence[str]) -> Indices:
    indices = {value: index for index, value in enumerate(stages)}
    return np.array([REST if value is None else indices.get(value, REST) for value in values], dtype=np.int64)


def balance_stages(stage_of: Indices, sizes: Indices, ranks: NDArray[Any], groups: Sequence[Sequence[int]]) -> Indices:
    """Return the indices of the sentences to keep so that the stages of each group have equal size, (k,) ascending.

    Each stage gets its sentences of lowest rank up to the size of the smallest stage in its group. Stages outside
    any group keep all sentences. Sentences outside all stages are dropped.
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
    """Return the indices of sentences stage by stage, (k,), in corpus order within each stage."""
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
