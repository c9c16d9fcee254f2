"""`remove = […]`: without the sentences that filters match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runner.interventions.filters import FilterSelection
from runner.interventions.subject import BaseCorpus, Subject

if TYPE_CHECKING:
    from runner.corpus.sentences.common_size import Indices


class Remove(FilterSelection):
    """Remove the sentences that any of the filters matches."""

    key = "remove"
    usage = "remove = [FILTER, …]"
    doc = "without the sentences that any of the filters matches"
    filter_lists = ("remove",)

    def describe(self, subject: Subject) -> str:
        """Name the filters."""
        return f"without {subject.filter_names(self.key)}"

    def removed(self, subject: Subject, base: BaseCorpus) -> Indices:
        """Return the sentences that any of the filters matches."""
        return base.matching(self.filters(subject))


INTERVENTION = Remove()
