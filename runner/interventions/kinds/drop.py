"""`drop = […]`: a corpus without the words that the actions of filters select."""

from __future__ import annotations

from runner.interventions.context import ConditionContext
from runner.interventions.filters import FilterEdit
from runner.interventions.shares import share_description


class Drop(FilterEdit):
    """Remove words according to the filters' actions."""

    key = "drop"
    usage = "drop = [FILTER, …]"
    doc = "without words, according to the filters' actions: `remove node(X)`"
    filter_lists = ("drop",)
    verb = "remove"

    def describe(self, context: ConditionContext) -> str:
        """Name the filters."""
        return f"words dropped by {context.filter_names(self.key)}{share_description(context)}"


INTERVENTION = Drop()
