"""Compare the sentences that two filters match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fictdsl.compiler import CompiledFilter
from runner.corpus.query.matches import match_parts
from runner.corpus.store.opening import Store

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class FilterComparison:
    """The ids of the sentences that only one of two filters matches: `gained` by the second, or `lost` from the first.

    `matches` and `sentences` are counts for each filter, and `common` is the number of sentences that both match.
    """

    matches: tuple[int, int]
    sentences: tuple[int, int]
    common: int
    gained: np.ndarray
    lost: np.ndarray


def compare_filters(store: Store, first: CompiledFilter, second: CompiledFilter) -> FilterComparison:
    """Compare the sentences that `second` matches with those that `first` matches."""
    import numpy as np

    first_sids, first_matches = _matched_sentences(store, first)
    second_sids, second_matches = _matched_sentences(store, second)
    return FilterComparison(
        (first_matches, second_matches),
        (len(first_sids), len(second_sids)),
        len(np.intersect1d(first_sids, second_sids, assume_unique=True)),
        np.setdiff1d(second_sids, first_sids, assume_unique=True),
        np.setdiff1d(first_sids, second_sids, assume_unique=True),
    )


def _matched_sentences(store: Store, compiled: CompiledFilter) -> tuple[np.ndarray, int]:
    """Return the ids of the sentences that match, and the number of matches."""
    import numpy as np

    parts, matches = [np.empty(0, np.int64)], 0
    for table in match_parts(store, compiled):
        matches += table.num_rows
        parts.append(table.column("sid").to_numpy())
    return np.unique(np.concatenate(parts)), matches
