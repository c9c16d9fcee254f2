"""Select the sentences of a base corpus that filters match, or all others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runner.corpus.sentence_arrays import Indices


def matched_sentences(base: Indices, matched: Sequence[Indices]) -> Indices:
    """Return the sentences of `base` in the union of the filters' matches."""
    if not matched:
        return base[:0]
    return np.intersect1d(base, np.unique(np.concatenate(matched)), assume_unique=True)


def other_sentences(base: Indices, excluded: Indices) -> Indices:
    """Return the sentences of `base` that are not in `excluded`."""
    return np.setdiff1d(base, excluded, assume_unique=True)
