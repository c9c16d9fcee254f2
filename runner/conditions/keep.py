"""`keep = […]`: a corpus with only the sentences that filters match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runner.conditions.condition import BaseCorpus, Condition
from runner.conditions.filtered import FilterSelection

if TYPE_CHECKING:
    from runner.corpus.sentence_arrays import Indices


class Keep(FilterSelection):
    key = "keep"
    usage = "keep = [FILTER, …]"
    doc = "with only these sentences"
    filter_lists = ("keep",)
    keeps = True

    def describe(self, condition: Condition) -> str:
        return f"only {condition.filter_names(self.key)}"

    def removed_sentences(self, condition: Condition, base: BaseCorpus) -> Indices:
        return base.others(base.matching(self.filters(condition)))


INTERVENTION = Keep()
