"""Rank sentences pseudo-randomly, and select as many as a common size allows."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Indices: TypeAlias = NDArray[np.int64]  # sorted sentence ids (sid) of the base corpus


def sentence_ranks(seed: str, sources: Sequence[str], numbers: Sequence[int]) -> NDArray[Any]:
    """Return a pseudo-random rank for each sentence, (n,) of fixed-width bytes. It depends on position, not on text.

    The rank is the hexadecimal md5 of seed, source and number, joined by the unit separator. Python, DuckDB and Spark
    compute the same rank, whatever the order, and equal sentences have different ranks.
    """
    digests = [
        hashlib.md5(f"{seed}\x1f{source}\x1f{number}".encode(), usedforsecurity=False).hexdigest()
        for source, number in zip(sources, numbers, strict=True)
    ]
    return np.array(digests, dtype="S32")


def first_by_rank(sids: Indices, ranks: NDArray[Any], sizes: NDArray[np.int64], count: int) -> Indices:
    """Return the sentences of `sids` with the lowest ranks whose sizes, in lines or words, fit into `count`.

    A smaller count selects a subset.
    """
    order = np.argsort(ranks, kind="stable")
    number = int(np.searchsorted(np.cumsum(sizes[order]), count, side="right"))
    return np.sort(sids[order[:number]])
