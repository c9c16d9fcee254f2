"""A base corpus and matches to the index array of a condition: interventions, then the common size."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Indices: TypeAlias = NDArray[np.int64]  # sorted sentence numbers (sid) of the base corpus


def priorities(seed: str, sources: Sequence[str], numbers: Sequence[int]) -> NDArray[Any]:
    """A pseudo-random rank for each sentence, (n,) of fixed-width bytes, from where it stands and not from its text.

    md5 of seed, source and number, joined by the unit separator, in hexadecimal: the same in Python, DuckDB and
    Spark, independent of order, and equal sentences are kept or dropped one by one.
    """
    digests = [
        hashlib.md5(f"{seed}\x1f{source}\x1f{number}".encode(), usedforsecurity=False).hexdigest()
        for source, number in zip(sources, numbers, strict=True)
    ]
    return np.array(digests, dtype="S32")


def removed(base: Indices, matched: Sequence[Indices]) -> Indices:
    """The sentences of `base` that any of the filters matched: their union."""
    if not matched:
        return base[:0]
    return np.intersect1d(base, np.unique(np.concatenate(matched)), assume_unique=True)


def random_like(base: Indices, like: Indices, ranks: NDArray[Any], words: NDArray[np.int64], by: str) -> Indices:
    """As many sentences of `base` as `like` has, or as many words, the first by rank.

    `ranks` and `words` run over `base`. With `by="words"` sentences are taken while the sum of their words stays
    within that of `like`, so the two differ by less than the longest sentence.
    """
    order = np.argsort(ranks, kind="stable")
    if by == "sentences":
        return np.sort(base[order[: len(like)]])
    budget = int(words[np.isin(base, like, assume_unique=True)].sum())
    return np.sort(base[order[: _within(words[order], budget)]])


def first_by_rank(kept: Indices, ranks: NDArray[Any], words: NDArray[np.int64], by: str, count: int) -> Indices:
    """The `count` lines of `kept` with the lowest rank, or those that fit into `count` words. Nested in `count`."""
    order = np.argsort(ranks, kind="stable")
    size = count if by == "lines" else _within(words[order], count)
    return np.sort(kept[order[:size]])


def _within(words: NDArray[np.int64], budget: int) -> int:
    """How many leading sentences fit into a budget of words."""
    return int(np.searchsorted(np.cumsum(words), budget, side="right"))
