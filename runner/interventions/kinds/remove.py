"""`remove = […]`: a corpus without the sentences that filters match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from runner.interventions.context import BaseCorpus, ConditionContext, Entry
from runner.interventions.filters import FilterSelection
from runner.interventions.shares import OPTIONS, affected_sentences, share_content, share_description, share_problems

if TYPE_CHECKING:
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.corpus.sentence_arrays import Indices


class Remove(FilterSelection):
    """Remove the sentences that any of the filters matches."""

    key = "remove"
    usage = "remove = [FILTER, …]"
    doc = "without the sentences that any of the filters matches"
    options = OPTIONS
    filter_lists = ("remove",)

    def check(self, entry: Entry) -> Iterator[Diagnostic]:
        """Yield diagnostics for `fraction` and `beyond`."""
        yield from share_problems(entry, self.key, entry.filters.get(self.key, ()))

    def content(self, context: ConditionContext) -> dict[str, Any]:
        """Return the key, the filters and the share of the matching sentences to remove."""
        share = share_content(context, self.filters(context))
        return super().content(context) | ({"share": share} if share else {})

    def describe(self, context: ConditionContext) -> str:
        """Name the filters."""
        return f"without {context.filter_names(self.key)}{share_description(context)}"

    def removed_sentences(self, context: ConditionContext, base: BaseCorpus) -> Indices:
        """Return the sentences that any of the filters matches, or a part of them."""
        return affected_sentences(context, self.filters(context), base)


INTERVENTION = Remove()
