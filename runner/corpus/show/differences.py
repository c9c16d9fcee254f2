"""Compare pairs of filters: the sentences that only one of them matches, with samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from runner.corpus.query.compare import FilterComparison, compare_filters
from runner.corpus.query.matched_sentences import MatchedSentence, matched_sentences, select_sids
from runner.corpus.store.opening import Store

if TYPE_CHECKING:
    import numpy as np

    from fictdsl.compiler import CompiledFilter


@dataclass(frozen=True)
class FilterPair:
    """Two filters. `same` is whether their definitions differ at most in names, the order of clauses and actions."""

    first: CompiledFilter
    second: CompiledFilter
    same: bool

    @property
    def name(self) -> str:
        """The name of the pair in tables."""
        first, second = self.first.name, self.second.name
        return first if first == second else f"{first} → {second}"


@dataclass(frozen=True)
class FilterDifference:
    """The comparison of two filters, with samples of gained and lost sentences and their matches."""

    pair: FilterPair
    comparison: FilterComparison
    gained: Sequence[MatchedSentence]
    lost: Sequence[MatchedSentence]


def filter_pair(first: CompiledFilter, second: CompiledFilter) -> FilterPair:
    """Pair two filters, and compare their normal forms."""
    from fictdsl.lint.normal_form import normal_form

    first_form, second_form = (normal_form(replace(compiled.ir, actions=())) for compiled in (first, second))
    return FilterPair(first, second, first_form == second_form)


def compare_pair(store: Store, pair: FilterPair, limit: int | None, seed: int | None = None) -> FilterDifference:
    """Compare a pair, with up to `limit` gained and up to `limit` lost sentences (all if None).

    These are the first sentences, or a random sample if `seed` is given.
    """
    comparison = compare_filters(store, pair.first, pair.second)

    def sample(compiled: CompiledFilter, sids: np.ndarray) -> list[MatchedSentence]:
        return list(matched_sentences(store, compiled, select_sids(sids, len(sids) if limit is None else limit, seed)))

    return FilterDifference(
        pair, comparison, sample(pair.second, comparison.gained), sample(pair.first, comparison.lost)
    )
