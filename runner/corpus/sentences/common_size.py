"""A base corpus to ranks of its sentences, and to as many of them as a common size asks for."""

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


def first_by_rank(kept: Indices, ranks: NDArray[Any], words: NDArray[np.int64], by: str, count: int) -> Indices:
    """The `count` lines of `kept` with the lowest rank, or those that fit into `count` words. Nested in `count`."""
    order = np.argsort(ranks, kind="stable")
    size = count if by == "lines" else _within(words[order], count)
    return np.sort(kept[order[:size]])


def _within(words: NDArray[np.int64], budget: int) -> int:
    """How many leading sentences fit into a budget of words."""
    return int(np.searchsorted(np.cumsum(words), budget, side="right"))
