"""Random controls for removal: as many sentences or tokens as were removed, or as many sentences of each length."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runner.corpus.sentence_arrays import Indices

SampleBy: TypeAlias = Literal["sentences", "tokens", "lengths"]
Ints: TypeAlias = NDArray[np.int64]


class TooFewError(Exception):
    """There are fewer sentences, tokens or units available than requested."""

    def __init__(self, requested: int, available: int, unit: str) -> None:
        super().__init__(f"{requested} {unit} requested, {available} available")
        self.requested, self.available, self.unit = requested, available, unit


def random_sample_like(
    base: Indices, like: Indices, ranks: NDArray[Any], word_counts: Ints, by: SampleBy, *, disjoint: bool = False
) -> Indices:
    """Return the sentences of `base` with the lowest ranks, up to the size of `like`. With `disjoint`, exclude `like`.

    `ranks` and `word_counts` are parallel to `base`. With `by="sentences"`, return as many sentences as in `like`. With
    `lengths`, return as many of each length; the nearest lengths replace missing ones. With `tokens`, return as many
    words, or fewer if no addition or exchange of one sentence closes the gap. Raises TooFewError if there are too few
    sentences or words.
    """
    in_like = np.isin(base, like, assume_unique=True)
    order = np.argsort(ranks, kind="stable")
    if disjoint:
        order = order[~in_like[order]]
    _check_available(word_counts, in_like, order, by)
    match by:
        case "sentences":
            chosen = order[: len(like)]
        case "tokens":
            chosen = order[fill_budget(word_counts[order], int(word_counts[in_like].sum()))]
        case "lengths":
            chosen = order[_indices_of_lengths(word_counts[order], word_counts[in_like])]
    return np.sort(base[chosen])


def _check_available(word_counts: Ints, in_like: NDArray[np.bool_], order: Ints, by: SampleBy) -> None:
    if by == "tokens":
        requested, available = int(word_counts[in_like].sum()), int(word_counts[order].sum())
    else:
        requested, available = int(in_like.sum()), len(order)
    if available < requested:
        raise TooFewError(requested, available, "tokens" if by == "tokens" else "sentences")


def fill_budget(word_counts: Ints, budget: int) -> Ints:
    """Return indices whose word counts sum to `budget`, or to the largest smaller sum that a greedy search finds.

    The search adds sentences in order while they fit, then exchanges single sentences for longer ones.
    """
    chosen = np.zeros(len(word_counts), dtype=bool)
    remaining = budget
    while remaining:
        remaining -= _add_in_order(word_counts, chosen, remaining)
        if not (gain := _exchange_one(word_counts, chosen, remaining)):
            break
        remaining -= gain
    return np.flatnonzero(chosen)


def _add_in_order(word_counts: Ints, chosen: NDArray[np.bool_], budget: int) -> int:
    """Choose sentences in order, and skip those that exceed the budget. Return the number of words added."""
    candidates, added = np.flatnonzero(~chosen), 0
    while len(candidates := candidates[word_counts[candidates] <= budget - added]):
        count = max(1, int(np.searchsorted(np.cumsum(word_counts[candidates]), budget - added, side="right")))
        chosen[candidates[:count]] = True
        added += int(word_counts[candidates[:count]].sum())
        candidates = candidates[count:]
    return added


def _exchange_one(word_counts: Ints, chosen: NDArray[np.bool_], budget: int) -> int:
    """Replace one chosen sentence with a longer one, with the largest gain of words within the budget.

    Among equal gains, the first longer sentence replaces the last possible one. Return the gain.
    """
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
