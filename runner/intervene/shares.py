"""Choose on which of the matched sentences an intervention acts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner.corpus.sentence_arrays import Indices


def fraction_of(matched: Indices, ranks: NDArray[Any], fraction: float) -> Indices:
    """Return the ⌊f · n + ½⌋ of n sentences with the lowest ranks; a smaller fraction gives a subset.

    `fraction` is taken as the decimal number that is written, so 0.29 of 50 is 15. `ranks` has the ranks of all
    sentences of the corpus.
    """
    sids_by_rank = matched[np.argsort(ranks[matched], kind="stable")]
    return np.sort(sids_by_rank[: floor(Fraction(repr(float(fraction))) * len(matched) + Fraction(1, 2))])


def unspared_sentences(matched: Indices, ranks: NDArray[Any], values: Mapping[int, Set[str]], at_most: int) -> Indices:
    """Return the sentences that remain after sparing up to `at_most` sentences for each value, in ascending order.

    `values` has the values of each sentence. The sentences are tried in the order of their ranks. A sentence is spared
    if each of its values has been spared fewer than `at_most` times.
    """
    spared = Counter[str]()
    acted_on: list[int] = []
    for sid in matched[np.argsort(ranks[matched], kind="stable")].tolist():
        sentence_values = values.get(sid, frozenset())
        if all(spared[value] < at_most for value in sentence_values):
            spared.update(sentence_values)
        else:
            acted_on.append(sid)
    return np.array(sorted(acted_on), dtype=np.int64)
