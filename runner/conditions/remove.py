"""`remove = […]`: a corpus without the sentences that filters match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from runner.conditions.condition import BaseCorpus, Condition
from runner.conditions.filtered import FilterSelection
from runner.conditions.shares import OPTIONS, affected_sentences, share_content, share_description, share_problems

if TYPE_CHECKING:
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.corpus.sentence_arrays import Indices


class Remove(FilterSelection):
    key = "remove"
    usage = "remove = [FILTER, …]"
    doc = "without the sentences that any of the filters matches"
    options = OPTIONS
    filter_lists = ("remove",)

    def check(self, condition: Condition) -> Iterator[Diagnostic]:
        yield from share_problems(condition, self.key, condition.filters.get(self.key, ()))

    def content(self, condition: Condition) -> dict[str, Any]:
        share = share_content(condition, self.filters(condition))
        return super().content(condition) | ({"share": share} if share else {})

    def describe(self, condition: Condition) -> str:
        return f"without {condition.filter_names(self.key)}{share_description(condition)}"

    def removed_sentences(self, condition: Condition, base: BaseCorpus) -> Indices:
        return affected_sentences(condition, self.filters(condition), base)


INTERVENTION = Remove()
