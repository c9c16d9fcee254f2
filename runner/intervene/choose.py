"""A base corpus and matches to the sentences that a condition takes out: the matching ones, or all others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runner.corpus.sentences.common_size import Indices


def matching(base: Indices, matched: Sequence[Indices]) -> Indices:
    """The sentences of `base` that any of the filters matched: their union."""
    if not matched:
        return base[:0]
    return np.intersect1d(base, np.unique(np.concatenate(matched)), assume_unique=True)


def others(base: Indices, some: Indices) -> Indices:
    """The sentences of `base` that are not among `some`."""
    return np.setdiff1d(base, some, assume_unique=True)
