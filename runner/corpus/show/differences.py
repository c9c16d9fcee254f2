"""Compare pairs of filters: the sentences that only one of them matches, with samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from runner.corpus.query.compare import Comparison, compare_filters
from runner.corpus.query.matched_sentences import MatchedSentence, matched_sentences, select_sids
from runner.corpus.store.opening import Store

if TYPE_CHECKING:
    import numpy as np

    from fictdsl.compiler import CompiledFilter


@dataclass(frozen=True)
class Pair:
    """Two filters; `same` if their definitions are equal up to names and order."""

    first: CompiledFilter
    second: CompiledFilter
    same: bool

    @property
    def name(self) -> str:
        """The name of the pair in a table."""
        first, second = self.first.name, self.second.name
        return first if first == second else f"{first} → {second}"


@dataclass(frozen=True)
class Outcome:
    """The comparison of a pair, with sample sentences. A sentence has the matches of the filter that matches it."""

    pair: Pair
    comparison: Comparison
    gained: Sequence[MatchedSentence]
    lost: Sequence[MatchedSentence]


def pair_of(first: CompiledFilter, second: CompiledFilter) -> Pair:
    """Return a pair of filters."""
    from fictdsl.lint.logic.normal_form import normal_form

    first_form, second_form = (normal_form(replace(compiled.ir, actions=())) for compiled in (first, second))
    return Pair(first, second, first_form == second_form)


def outcome_of(store: Store, pair: Pair, number: int | None, seed: int | None = None) -> Outcome:
    """Compare a pair, with up to `number` gained and up to `number` lost sentences (all if None).

    They are the first sentences, or a random sample if `seed` is given.
    """
    comparison = compare_filters(store, pair.first, pair.second)

    def sample(compiled: CompiledFilter, sids: np.ndarray) -> list[MatchedSentence]:
        return list(
            matched_sentences(store, compiled, select_sids(sids, len(sids) if number is None else number, seed))
        )

    return Outcome(pair, comparison, sample(pair.second, comparison.gained), sample(pair.first, comparison.lost))
