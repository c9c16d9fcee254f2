"""`keep = […]`: a corpus with only the sentences that filters match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runner.interventions.context import BaseCorpus, ConditionContext
from runner.interventions.filters import FilterSelection

if TYPE_CHECKING:
    from runner.corpus.sentence_arrays import Indices


class Keep(FilterSelection):
    """Remove the sentences that none of the filters matches."""

    key = "keep"
    usage = "keep = [FILTER, …]"
    doc = "with only these sentences"
    filter_lists = ("keep",)
    keeps = True

    def describe(self, context: ConditionContext) -> str:
        """Name the filters."""
        return f"only {context.filter_names(self.key)}"

    def removed_sentences(self, context: ConditionContext, base: BaseCorpus) -> Indices:
        """Return the sentences that none of the filters matches."""
        from runner.intervene.select_sentences import other_sentences

        return other_sentences(base.everything(), base.matching(self.filters(context)))


INTERVENTION = Keep()
