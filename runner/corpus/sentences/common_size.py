"""Rank sentences pseudo-randomly, and select the first ones up to a common size."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Indices: TypeAlias = NDArray[np.int64]  # such as sentence ids (sid)


def sentence_ranks(seed: str, sources: Sequence[str], numbers: Sequence[int]) -> NDArray[Any]:
    """Return a pseudo-random rank for each sentence, (n,) of fixed-width bytes.

    The rank is the hexadecimal md5 of seed, source and number, joined by the unit separator. It does not depend on the
    text, so equal sentences have different ranks. Python, DuckDB and Spark compute the same rank.
    """
    digests = [
        hashlib.md5(f"{seed}\x1f{source}\x1f{number}".encode(), usedforsecurity=False).hexdigest()
        for source, number in zip(sources, numbers, strict=True)
    ]
    return np.array(digests, dtype="S32")


def first_by_rank(sids: Indices, ranks: NDArray[Any], sizes: NDArray[np.int64], max_size: int) -> Indices:
    """Return the sentences of `sids` with the lowest ranks whose total size is at most `max_size`.

    `sizes` has the size of each sentence, in lines or words. A smaller `max_size` selects a subset.
    """
    order = np.argsort(ranks, kind="stable")
    selected = int(np.searchsorted(np.cumsum(sizes[order]), max_size, side="right"))
    return np.sort(sids[order[:selected]])
