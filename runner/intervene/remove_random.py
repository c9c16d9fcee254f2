"""Random controls for removal: as many sentences, tokens, or sentences of each length as removed, chosen by hash."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runner.corpus.sentences.common_size import Indices

By: TypeAlias = Literal["sentences", "tokens", "lengths"]
Ints: TypeAlias = NDArray[np.int64]


class TooFewError(Exception):
    """There are fewer sentences, tokens or units available than requested."""

    def __init__(self, requested: int, available: int, unit: str) -> None:
        super().__init__(f"{requested} {unit} requested, {available} available")
        self.requested, self.available, self.unit = requested, available, unit


def random_sample_like(
    base: Indices, like: Indices, ranks: NDArray[Any], words: Ints, by: By, *, disjoint: bool = False
) -> Indices:
    """Return the sentences of `base` with the lowest ranks, up to the size of `like`. With `disjoint`, exclude `like`.

    `ranks` and `words`, the numbers of words, are parallel to `base`. `by` selects what is equal: `sentences`, as many
    sentences as in `like`; `lengths`, as many of each length, where the nearest lengths replace missing ones; `tokens`,
    as many words, or fewer if no addition or exchange of one sentence closes the gap. Raises TooFewError if there are
    too few sentences or words.
    """
    in_like = np.isin(base, like, assume_unique=True)
    order = np.argsort(ranks, kind="stable")
    if disjoint:
        order = order[~in_like[order]]
    _check_available(words, in_like, order, by)
    match by:
        case "sentences":
            chosen = order[: len(like)]
        case "tokens":
            chosen = order[fill_budget(words[order], int(words[in_like].sum()))]
        case "lengths":
            chosen = order[_of_lengths(words[order], words[in_like])]
    return np.sort(base[chosen])


def _check_available(words: Ints, in_like: NDArray[np.bool_], order: Ints, by: By) -> None:
    if by == "tokens":
        requested, available = int(words[in_like].sum()), int(words[order].sum())
    else:
        requested, available = int(in_like.sum()), len(order)
    if available < requested:
        raise TooFewError(requested, available, "tokens" if by == "tokens" else "sentences")


def fill_budget(words: Ints, budget: int) -> Ints:
    """Return indices whose words sum to `budget`, or to the largest sum below that the greedy search finds.

    The search adds sentences in order while they fit, then exchanges single ones for longer ones.
    """
    chosen = np.zeros(len(words), dtype=bool)
    remaining = budget
    while remaining:
        remaining -= _add(words, chosen, remaining)
        if not (gain := _exchange(words, chosen, remaining)):
            break
        remaining -= gain
    return np.flatnonzero(chosen)


def _add(words: Ints, chosen: NDArray[np.bool_], budget: int) -> int:
    """Choose sentences in order, skipping those that exceed the budget; return the number of words added."""
    rest, added = np.flatnonzero(~chosen), 0
    while len(rest := rest[words[rest] <= budget - added]):
        count = max(1, int(np.searchsorted(np.cumsum(words[rest]), budget - added, side="right")))
        chosen[rest[:count]] = True
        added += int(words[rest[:count]].sum())
        rest = rest[count:]
    return added


def _exchange(words: Ints, chosen: NDArray[np.bool_], budget: int) -> int:
    """Replace one chosen sentence with a longer one, with the largest gain of words within the budget.

    Among equal gains, the first longer sentence replaces the last possible one. Return the gain.
    """
    inside, outside = np.flatnonzero(chosen), np.flatnonzero(~chosen)
    lengths = np.unique(words[inside])
    for gain in range(budget, 0, -1):
        longer = outside[np.isin(words[outside] - gain, lengths)]
        if len(longer):
            chosen[inside[words[inside] == words[longer[0]] - gain][-1]] = False
            chosen[longer[0]] = True
            return gain
    return 0


def _of_lengths(words: Ints, lengths: Ints) -> Ints:
    """Return the first indices of each length in `lengths`, and of the nearest lengths if there are too few."""
    chosen = np.zeros(len(words), dtype=bool)
    missing: dict[int, int] = {}
    for length, count in zip(*np.unique(lengths, return_counts=True), strict=True):
        exact = np.flatnonzero(words == length)[:count]
        chosen[exact] = True
        missing[int(length)] = int(count) - len(exact)
    for length, count in missing.items():
        rest = np.flatnonzero(~chosen)
        chosen[rest[np.argsort(np.abs(words[rest] - length), kind="stable")[:count]]] = True
    return np.flatnonzero(chosen)
