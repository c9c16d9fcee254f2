"""What a condition takes out to as much taken out by chance: as many sentences, tokens, or sentences of each length."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runner.corpus.sentences.common_size import Indices

By: TypeAlias = Literal["sentences", "tokens", "lengths"]
Ints: TypeAlias = NDArray[np.int64]


class ShortError(Exception):
    """What may be drawn holds fewer sentences or tokens than are to be drawn."""

    def __init__(self, wanted: int, found: int, unit: str) -> None:
        super().__init__(f"{wanted} {unit} of {found}")
        self.wanted, self.found, self.unit = wanted, found, unit


def random_like(
    base: Indices, like: Indices, ranks: NDArray[Any], words: Ints, by: By, *, disjoint: bool = False
) -> Indices:
    """Sentences of `base` that measure as much as `like` does, the first by rank; none of `like` if `disjoint`.

    `ranks` and `words` run over `base`. By `sentences` and by `lengths` the numbers are equal, by `lengths` those of
    every length (where too few others have a length, the nearest stand in). By `tokens` the sum is that of `like`, or
    less by what no single sentence, added or put in the place of another, makes up. Raises ShortError.
    """
    alike = np.isin(base, like, assume_unique=True)
    order = np.argsort(ranks, kind="stable")
    if disjoint:
        order = order[~alike[order]]
    _check(words, alike, order, by)
    match by:
        case "sentences":
            chosen = order[: len(like)]
        case "tokens":
            chosen = order[fill(words[order], int(words[alike].sum()))]
        case "lengths":
            chosen = order[_lengths(words[order], words[alike])]
    return np.sort(base[chosen])


def _check(words: Ints, alike: NDArray[np.bool_], order: Ints, by: By) -> None:
    if by == "tokens":
        wanted, found = int(words[alike].sum()), int(words[order].sum())
    else:
        wanted, found = int(alike.sum()), len(order)
    if found < wanted:
        raise ShortError(wanted, found, "tokens" if by == "tokens" else "sentences")


def fill(words: Ints, budget: int) -> Ints:
    """Places whose words sum to `budget`, or as near below as filling in order and single exchanges come."""
    chosen = np.zeros(len(words), dtype=bool)
    left = budget
    while left:
        left -= _add(words, chosen, left)
        if not (gain := _exchange(words, chosen, left)):
            break
        left -= gain
    return np.flatnonzero(chosen)


def _add(words: Ints, chosen: NDArray[np.bool_], left: int) -> int:
    """Choose places in order, leaving out those that no longer fit; how many words came to it."""
    rest, added = np.flatnonzero(~chosen), 0
    while len(rest := rest[words[rest] <= left - added]):
        count = max(1, int(np.searchsorted(np.cumsum(words[rest]), left - added, side="right")))
        chosen[rest[:count]] = True
        added += int(words[rest[:count]].sum())
        rest = rest[count:]
    return added


def _exchange(words: Ints, chosen: NDArray[np.bool_], left: int) -> int:
    """Put the first place that brings most, at most `left`, in the stead of the last shorter one; what it brings."""
    inside, outside = np.flatnonzero(chosen), np.flatnonzero(~chosen)
    lengths = np.unique(words[inside])
    for gain in range(left, 0, -1):
        able = outside[np.isin(words[outside] - gain, lengths)]
        if len(able):
            chosen[inside[words[inside] == words[able[0]] - gain][-1]] = False
            chosen[able[0]] = True
            return gain
    return 0


def _lengths(words: Ints, wanted: Ints) -> Ints:
    """Places, the first of each length, as many of each as `wanted` has; nearest lengths where there are too few."""
    chosen = np.zeros(len(words), dtype=bool)
    missing: dict[int, int] = {}
    for length, count in zip(*np.unique(wanted, return_counts=True), strict=True):
        places = np.flatnonzero(words == length)[:count]
        chosen[places] = True
        missing[int(length)] = int(count) - len(places)
    for length, count in missing.items():
        rest = np.flatnonzero(~chosen)
        chosen[rest[np.argsort(np.abs(words[rest] - length), kind="stable")[:count]]] = True
    return np.flatnonzero(chosen)
