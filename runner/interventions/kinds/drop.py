"""`drop = […]`: without the words that filters take."""

from __future__ import annotations

from runner.interventions.filters import FilterEdit
from runner.interventions.shares import share_description
from runner.interventions.subject import Subject


class Drop(FilterEdit):
    """Remove words according to the filters' actions."""

    key = "drop"
    usage = "drop = [FILTER, …]"
    doc = "without words, according to the filters' actions: `remove node(X)`"
    filter_lists = ("drop",)
    verb = "remove"

    def describe(self, subject: Subject) -> str:
        """Name the filters."""
        return f"words dropped by {subject.filter_names(self.key)}{share_description(subject)}"


INTERVENTION = Drop()
